export interface Rates {
  readonly rxFps: number;
  readonly txFps: number;
  readonly busLoadPercent: number;
}

export const samplePeriodUs = 250_000;
const spanUs = 1_000_000;
const kept = spanUs / samplePeriodUs + 1;

const none: Rates = { rxFps: 0, txFps: 0, busLoadPercent: 0 };

const toTenth = (value: number): number => Math.round(value * 10) / 10;

/**
 * Rates over about the last second, from counters: the difference to the newest sample that is
 * at least one second old, otherwise to the oldest.
 */
export class RateMeter {
  readonly #atUs = new Float64Array(kept);
  readonly #rx = new Float64Array(kept);
  readonly #tx = new Float64Array(kept);
  readonly #busyUs = new Float64Array(kept);
  #samples = 0;

  sample(nowUs: number, rx: number, tx: number, busyUs: number): void {
    const at = this.#samples % kept;
    this.#atUs[at] = nowUs;
    this.#rx[at] = rx;
    this.#tx[at] = tx;
    this.#busyUs[at] = busyUs;
    this.#samples += 1;
  }

  read(nowUs: number, rx: number, tx: number, busyUs: number): Rates {
    const base = this.#base(nowUs);
    const elapsedUs = nowUs - (this.#atUs[base] ?? nowUs);
    if (this.#samples === 0 || elapsedUs <= 0) return none;
    const perSecond = 1e6 / elapsedUs;
    const load = ((busyUs - (this.#busyUs[base] ?? 0)) / elapsedUs) * 100;
    return {
      rxFps: toTenth((rx - (this.#rx[base] ?? 0)) * perSecond),
      txFps: toTenth((tx - (this.#tx[base] ?? 0)) * perSecond),
      // A long frame is counted when it completes, although it can have started before the
      // span.
      busLoadPercent: toTenth(Math.min(100, Math.max(0, load))),
    };
  }

  #base(nowUs: number): number {
    const oldest = Math.max(0, this.#samples - kept);
    let base = this.#samples - 1;
    while (base > oldest && nowUs - (this.#atUs[base % kept] ?? nowUs) < spanUs) base -= 1;
    return Math.max(0, base) % kept;
  }
}
