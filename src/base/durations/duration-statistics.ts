import { DurationHistogram } from './duration-histogram.ts';

/** Statistics of durations in microseconds, in fixed memory; adding one allocates nothing. */
export class DurationStatistics {
  readonly #histogram = new DurationHistogram();
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = Number.NEGATIVE_INFINITY;
  #meanUs = 0;
  /** Sum of squared deviations from the mean (Welford). */
  #squares = 0;
  #count = 0;

  add(us: number): void {
    this.#count += 1;
    if (us < this.#minUs) this.#minUs = us;
    if (us > this.#maxUs) this.#maxUs = us;
    const apart = us - this.#meanUs;
    this.#meanUs += apart / this.#count;
    this.#squares += apart * (us - this.#meanUs);
    this.#histogram.record(us);
  }

  get count(): number {
    return this.#count;
  }

  get minUs(): number {
    return this.#minUs;
  }

  get maxUs(): number {
    return this.#maxUs;
  }

  get meanUs(): number {
    return this.#meanUs;
  }

  /** At most 1/32 too high. */
  get p99Us(): number {
    return this.#histogram.quantileUs(0.99);
  }

  /** Standard deviation. */
  get jitterUs(): number {
    return Math.sqrt(this.#squares / this.#count);
  }

  copy(): DurationStatistics {
    const copy = new DurationStatistics();
    copy.#histogram.add(this.#histogram);
    copy.#minUs = this.#minUs;
    copy.#maxUs = this.#maxUs;
    copy.#meanUs = this.#meanUs;
    copy.#squares = this.#squares;
    copy.#count = this.#count;
    return copy;
  }
}
