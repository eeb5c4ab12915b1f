import type { GatewaySignal } from '../api/client.ts';
import { Trend } from '../samples/trend.ts';

const maxTrends = 4000;

const noSignals: readonly GatewaySignal[] = [];

const grown = <T extends Float64Array | Uint32Array>(old: T, into: T): T => {
  into.set(old);
  return into;
};

/**
 * Signals of one instance, by row in project order. An update costs one lookup; views compare
 * revisions and read only visible rows.
 */
export class SignalTable {
  readonly #rows = new Map<string, number>();
  #entries: GatewaySignal[] = [];
  #revisions = new Uint32Array(256);
  #observedUs = new Float64Array(256);
  #trends: Trend[] = [];
  #revision = 0;

  get count(): number {
    return this.#entries.length;
  }

  get revision(): number {
    return this.#revision;
  }

  get entries(): readonly GatewaySignal[] {
    return this.count === 0 ? noSignals : this.#entries;
  }

  rowOf(id: string): number {
    return this.#rows.get(id) ?? -1;
  }

  at(row: number): GatewaySignal | null {
    return this.#entries[row] ?? null;
  }

  get(id: string): GatewaySignal | null {
    return this.at(this.rowOf(id));
  }

  revisionAt(row: number): number {
    return this.#revisions[row] ?? 0;
  }

  observedUsAt(row: number): number | null {
    const us = this.#observedUs[row] ?? 0;
    return us > 0 ? us : null;
  }

  trendAt(row: number): Trend | null {
    return this.#trends[row] ?? null;
  }

  take(signals: readonly GatewaySignal[], nowUs: number): void {
    this.#revision += 1;
    for (const entry of signals) {
      const row = this.#rowFor(entry.id);
      this.#entries[row] = entry;
      this.#revisions[row] = this.#revision;
      this.#observedUs[row] = Math.max(this.#observedUs[row] ?? 0, entry.observed_us ?? 0);
      if (entry.value !== null) this.#trends[row]?.take(Number(entry.value), nowUs);
    }
  }

  takeTimes(first: number, times: readonly (number | null)[]): void {
    for (const [place, us] of times.entries()) {
      if (first + place >= this.count) return;
      this.#observedUs[first + place] = us ?? 0;
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#entries = [];
    this.#trends = [];
    this.#revision += 1;
    this.#observedUs.fill(0);
  }

  #rowFor(id: string): number {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = this.count;
    this.#rows.set(id, row);
    if (row >= this.#revisions.length) {
      this.#revisions = grown(this.#revisions, new Uint32Array(2 * row));
      this.#observedUs = grown(this.#observedUs, new Float64Array(2 * row));
    }
    if (row < maxTrends) this.#trends[row] = new Trend();
    return row;
  }
}
