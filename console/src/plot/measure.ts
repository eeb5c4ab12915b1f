import {
  addDecimals,
  decimalText,
  negated,
  parseDecimal,
} from '../../../src/base/decimal/decimal.ts';
import type { SampleSeries } from '../samples/sample-series.ts';
import { sampleAt } from './statistics.ts';
import type { TimeRange } from './time-range.ts';

/** Two instants in any order. */
export interface Cursors {
  readonly a: number;
  readonly b: number;
}

export type CursorName = keyof Cursors;

export const rangeOfCursors = ({ a, b }: Cursors): TimeRange => ({
  fromUs: Math.min(a, b),
  toUs: Math.max(a, b),
});

/** Cursors at a third and two thirds of a range, at whole microseconds as the samples have them. */
export const cursorsIn = ({ fromUs, toUs }: TimeRange): Cursors => ({
  a: Math.round(fromUs + (toUs - fromUs) / 3),
  b: Math.round(toUs - (toUs - fromUs) / 3),
});

export interface Measurement {
  /** Samples at the cursors, as indexes of the series. */
  readonly aAt: number | null;
  readonly bAt: number | null;
  /** Exact difference B − A; null without a number at both cursors. */
  readonly difference: string | null;
  readonly perSecond: number | null;
}

const differenceOf = (series: SampleSeries, aAt: number, bAt: number): string | null => {
  const [a, b] = [aAt, bAt].map((at) => parseDecimal(series.textAt(at) ?? ''));
  return a && b ? decimalText(addDecimals(b, negated(a))) : null;
};

export const measure = (series: SampleSeries, { a, b }: Cursors): Measurement => {
  const aAt = sampleAt(series, a);
  const bAt = sampleAt(series, b);
  const difference = aAt === null || bAt === null ? null : differenceOf(series, aAt, bAt);
  const seconds = (b - a) / 1e6;
  const perSecond = difference === null || seconds === 0 ? null : Number(difference) / seconds;
  return { aAt, bAt, difference, perSecond };
};

/** Time of the next or previous sample of any of these series. */
export const sampleBeside = (
  all: Iterable<SampleSeries>,
  us: number,
  direction: 1 | -1,
): number | null => {
  let nearest: number | null = null;
  for (const series of all) {
    const index = direction > 0 ? series.countUntil(us) : series.countUntil(us - 1) - 1;
    if (index < 0 || index >= series.length) continue;
    const time = series.timeAt(index);
    if (nearest === null || direction * (time - nearest) < 0) nearest = time;
  }
  return nearest;
};
