import { DurationStatistics } from '../../base/durations/duration-statistics.ts';
import type { CheckFigure } from '../check-record.ts';

const nsPerMs = 1e6;
const nsPerUs = 1000;
const usPerMs = 1000;

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

export const msText = (ns: number): string => `${rounded(ns / nsPerMs)} ms`;

export const figure = (name: string, value: number, unit = ''): CheckFigure => ({
  name,
  value: rounded(value),
  unit,
});

/** Statistics of times in nanoseconds, in fixed memory. */
export class TimeFigures {
  readonly #statistics = new DurationStatistics();

  add(ns: number): void {
    this.#statistics.add(ns / nsPerUs);
  }

  get count(): number {
    return this.#statistics.count;
  }

  /** Minimum, mean, maximum and p99 (at most 1/32 too high) in milliseconds. */
  get figures(): CheckFigure[] {
    const { count, minUs, meanUs, maxUs, p99Us } = this.#statistics;
    if (count === 0) return [];
    return [
      figure('min', minUs / usPerMs, 'ms'),
      figure('mean', meanUs / usPerMs, 'ms'),
      figure('max', maxUs / usPerMs, 'ms'),
      figure('p99', p99Us / usPerMs, 'ms'),
    ];
  }

  /** Standard deviation in milliseconds. */
  get jitter(): CheckFigure[] {
    const { count, jitterUs } = this.#statistics;
    return count === 0 ? [] : [figure('jitter', jitterUs / usPerMs, 'ms')];
  }
}
