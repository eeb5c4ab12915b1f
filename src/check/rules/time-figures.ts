import { DurationHistogram } from '../../base/schedule/duration-histogram.ts';
import type { CheckFigure } from '../check-record.ts';

const nsPerMs = 1e6;

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

export const msText = (ns: number): string => `${rounded(ns / nsPerMs)} ms`;

export const figure = (name: string, value: number, unit = ''): CheckFigure => ({
  name,
  value: rounded(value),
  unit,
});

/** Statistics of times in nanoseconds, in fixed memory. */
export class TimeFigures {
  readonly #histogram = new DurationHistogram();
  #minNs = Number.POSITIVE_INFINITY;
  #maxNs = Number.NEGATIVE_INFINITY;
  #meanNs = 0;
  /** Sum of squared deviations from the mean (Welford). */
  #squares = 0;
  #count = 0;

  add(ns: number): void {
    this.#count += 1;
    if (ns < this.#minNs) this.#minNs = ns;
    if (ns > this.#maxNs) this.#maxNs = ns;
    const apart = ns - this.#meanNs;
    this.#meanNs += apart / this.#count;
    this.#squares += apart * (ns - this.#meanNs);
    this.#histogram.record(ns / 1000);
  }

  get count(): number {
    return this.#count;
  }

  /** Minimum, mean, maximum and p99 (at most 1/32 too high) in milliseconds. */
  get figures(): CheckFigure[] {
    if (this.#count === 0) return [];
    return [
      figure('min', this.#minNs / nsPerMs, 'ms'),
      figure('mean', this.#meanNs / nsPerMs, 'ms'),
      figure('max', this.#maxNs / nsPerMs, 'ms'),
      figure('p99', this.#histogram.quantileUs(0.99) / 1000, 'ms'),
    ];
  }

  /** Standard deviation in milliseconds. */
  get jitter(): CheckFigure[] {
    if (this.#count === 0) return [];
    return [figure('jitter', Math.sqrt(this.#squares / this.#count) / nsPerMs, 'ms')];
  }
}
