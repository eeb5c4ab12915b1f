import type { Timing } from './script.ts';

const windowSize = 64;

/** A group of measurements over the life of an instance. */
export class Timings {
  #count = 0;
  #max = 0;
  #latest: number[] = [];

  add(us: number): void {
    this.#count += 1;
    this.#max = Math.max(this.#max, us);
    this.#latest = [...this.#latest, us].slice(-windowSize);
  }

  entry(): Timing {
    const sorted = [...this.#latest].sort((a, b) => a - b);
    /** Nearest rank: the smallest value that at least this percentage does not exceed. */
    const percentile = (percent: number): number =>
      sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0;
    return {
      count: this.#count,
      max: this.#max,
      window: sorted.length,
      p50: percentile(50),
      p95: percentile(95),
      p99: percentile(99),
    };
  }
}
