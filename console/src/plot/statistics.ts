import { compareDecimals, parseDecimal } from '../../../src/base/decimal/decimal.ts';
import type { SampleSeries } from '../samples/sample-series.ts';
import type { TimeRange } from './time-range.ts';

/** Positions are indexes of the series, so that texts stay exact. */
export interface Statistics {
  readonly count: number;
  /**
   * Samples out of range or without a number; excluded from the other statistics except the last.
   */
  readonly invalid: number;
  readonly lowestAt: number | null;
  readonly highestAt: number | null;
  readonly lastAt: number | null;
  readonly mean: number | null;
}

/** Compares two samples, by their exact texts if they are equal as doubles. */
const compareAt = (series: SampleSeries, one: number, other: number): number => {
  const difference = series.valueAt(one) - series.valueAt(other);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  if (!series.hasExactTexts) return 0;
  const [text, otherText] = [series.textAt(one), series.textAt(other)];
  if (text === otherText) return 0;
  const [exact, otherExact] = [parseDecimal(text ?? ''), parseDecimal(otherText ?? '')];
  return exact && otherExact ? compareDecimals(exact, otherExact) : 0;
};

const statisticsOfGroups = (series: SampleSeries, first: number, end: number): Statistics => {
  const { lowestAt, highestAt, sum, missing } = series.summaryOf(first, end);
  const count = Math.max(0, end - first);
  return {
    ...{ count, invalid: missing, lastAt: count > 0 ? end - 1 : null },
    lowestAt: lowestAt < 0 ? null : lowestAt,
    highestAt: highestAt < 0 ? null : highestAt,
    mean: count > missing ? sum / (count - missing) : null,
  };
};

export const statisticsOver = (series: SampleSeries, { fromUs, toUs }: TimeRange): Statistics => {
  // `countUntil` includes its argument, so that -1 keeps a sample at `fromUs`.
  const first = series.countUntil(fromUs - 1);
  const end = series.countUntil(toUs);
  if (series.isFixed) return statisticsOfGroups(series, first, end);
  let lowestAt: number | null = null;
  let highestAt: number | null = null;
  let invalid = 0;
  let sum = 0;
  for (let index = first; index < end; index++) {
    const value = series.valueAt(index);
    if (Number.isNaN(value) || !series.isValidAt(index)) {
      invalid += 1;
      continue;
    }
    sum += value;
    if (lowestAt === null || compareAt(series, index, lowestAt) < 0) lowestAt = index;
    if (highestAt === null || compareAt(series, index, highestAt) > 0) highestAt = index;
  }
  const count = Math.max(0, end - first);
  return {
    count,
    invalid,
    lowestAt,
    highestAt,
    lastAt: count > 0 ? end - 1 : null,
    mean: count > invalid ? sum / (count - invalid) : null,
  };
};

/**
 * Latest sample up to a time; null after a gap or while its message is overdue. A sample before a
 * gap has only its own time.
 */
export const sampleAt = (series: SampleSeries, us: number): number | null => {
  const count = series.countUntil(us);
  if (count === 0) return null;
  if (series.timeAt(count - 1) === us) return count - 1;
  const isGap = count < series.length ? series.followsGapAt(count) : series.isSilentAt(us);
  return isGap ? null : count - 1;
};
