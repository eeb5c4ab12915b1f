import type { Rates } from './rate-meter.ts';

export const keptSeconds = 60;
const secondUs = 1_000_000;

export interface SecondOfTraffic {
  readonly atUs: number;
  readonly rates: Rates;
}

export class RateHistory {
  readonly #atUs = new Float64Array(keptSeconds);
  readonly #rx = new Float64Array(keptSeconds);
  readonly #tx = new Float64Array(keptSeconds);
  readonly #load = new Float64Array(keptSeconds);
  #seconds = 0;
  #dueUs = Number.NEGATIVE_INFINITY;

  isDue(nowUs: number): boolean {
    if (this.#dueUs === Number.NEGATIVE_INFINITY) this.#dueUs = nowUs + secondUs;
    if (nowUs < this.#dueUs) return false;
    // Seconds missed while the clock paused are skipped.
    this.#dueUs += secondUs * Math.ceil((nowUs - this.#dueUs + 1) / secondUs);
    return true;
  }

  add(unixUs: number, { rxFps, txFps, busLoadPercent }: Rates): void {
    const at = this.#seconds % keptSeconds;
    this.#atUs[at] = unixUs;
    this.#rx[at] = rxFps;
    this.#tx[at] = txFps;
    this.#load[at] = busLoadPercent;
    this.#seconds += 1;
  }

  after(unixUs: number): readonly SecondOfTraffic[] {
    const found: SecondOfTraffic[] = [];
    for (let index = Math.max(0, this.#seconds - keptSeconds); index < this.#seconds; index++) {
      const at = index % keptSeconds;
      const atUs = this.#atUs[at] ?? 0;
      if (atUs <= unixUs) continue;
      const rates = {
        rxFps: this.#rx[at] ?? 0,
        txFps: this.#tx[at] ?? 0,
        busLoadPercent: this.#load[at] ?? 0,
      };
      found.push({ atUs, rates });
    }
    return found;
  }
}
