import type { SampleSeries } from '../samples/sample-series.ts';
import type { TimeRange } from './time-range.ts';

export interface LinePoints {
  readonly times: number[];
  readonly values: number[];
  /** True if the line is interrupted before this point, because samples can be missing. */
  readonly breaks: boolean[];
  readonly invalid: number[];
  /** Number of points that are samples; a point after them only holds the last value. */
  samples: number;
  low: number;
  high: number;
}

export const noPoints = (): LinePoints => ({
  times: [],
  values: [],
  breaks: [],
  invalid: [],
  samples: 0,
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
});

const cornersPerColumn = 4;
const markColumns = 8;

const reset = (into: LinePoints): void => {
  into.times.length = 0;
  into.values.length = 0;
  into.breaks.length = 0;
  into.invalid.length = 0;
  into.low = Number.POSITIVE_INFINITY;
  into.high = Number.NEGATIVE_INFINITY;
};

const pushPoint = (
  series: SampleSeries,
  index: number,
  breaks: boolean,
  into: LinePoints,
): void => {
  const value = series.valueAt(index);
  into.times.push(series.timeAt(index));
  into.values.push(value);
  into.breaks.push(breaks);
  if (value < into.low) into.low = value;
  if (value > into.high) into.high = value;
};

/** First, lowest, highest and last point from `start` to before `end`, in order. */
const pushCorners = (series: SampleSeries, start: number, end: number, into: LinePoints): void => {
  const { lowestAt, highestAt, hasBreak } = series.summaryOf(start, end);
  const lowest = lowestAt < 0 ? start : lowestAt;
  const highest = highestAt < 0 ? start : highestAt;
  const corners = [start, Math.min(lowest, highest), Math.max(lowest, highest), end - 1];
  let last = -1;
  for (const corner of corners) {
    if (corner === last) continue;
    pushPoint(series, corner, hasBreak && corner === start, into);
    last = corner;
  }
};

const collectInvalid = (
  series: SampleSeries,
  first: number,
  end: number,
  markUs: number,
  into: LinePoints,
): void => {
  if (series.isFixed) return;
  let lastUs = Number.NEGATIVE_INFINITY;
  for (let index = first; index < end; index++) {
    if (series.isValidAt(index) || series.timeAt(index) - lastUs < markUs) continue;
    lastUs = series.timeAt(index);
    into.invalid.push(index);
  }
};

/**
 * Points of a range for this number of pixel columns. One more point on each side extends the
 * line to the edges. The number of points per column is bounded, and no peak is lost.
 */
export const linePoints = (
  series: SampleSeries,
  { fromUs, toUs }: TimeRange,
  columns: number,
  into: LinePoints = noPoints(),
): LinePoints => {
  reset(into);
  const first = Math.max(0, series.countUntil(fromUs) - 1);
  const end = Math.min(series.length, series.countUntil(toUs) + 1);
  const columnUs = (toUs - fromUs) / Math.max(1, columns);
  if (end - first <= columns * cornersPerColumn) {
    for (let index = first; index < end; index++) {
      pushPoint(series, index, series.followsGapAt(index), into);
    }
  } else {
    for (let start = first; start < end; ) {
      // Columns are fixed in time, so that the line does not flicker while it moves.
      const columnEndUs = (Math.floor(series.timeAt(start) / columnUs) + 1) * columnUs;
      const next = Math.min(end, Math.max(start + 1, series.countUntil(columnEndUs)));
      pushCorners(series, start, next, into);
      start = next;
    }
  }
  into.samples = into.times.length;
  collectInvalid(series, first, end, columnUs * markColumns, into);
  return into;
};

export const holdUntil = (us: number, { times, values, breaks }: LinePoints): void => {
  const value = values.at(-1);
  if (value === undefined || (times.at(-1) ?? 0) >= us) return;
  times.push(us);
  values.push(value);
  breaks.push(false);
};

export interface LabelSpan {
  readonly fromUs: number;
  readonly toUs: number;
  readonly value: number;
  readonly label: string;
}

export const labelSpans = (
  series: SampleSeries,
  { fromUs, toUs }: TimeRange,
  minUs: number,
): LabelSpan[] => {
  const spans: LabelSpan[] = [];
  const end = series.countUntil(toUs);
  for (let begun = Math.max(0, series.countUntil(fromUs) - 1); begun < end; ) {
    const next = series.sameLabelUntil(begun, end);
    const isEnd = next === end || series.followsGapAt(next);
    const span = {
      fromUs: Math.max(fromUs, series.timeAt(begun)),
      toUs: series.timeAt(isEnd ? next - 1 : next),
      value: series.valueAt(next - 1),
      label: series.labelAt(begun) ?? '',
    };
    if (span.label !== '' && span.toUs - span.fromUs >= minUs) spans.push(span);
    begun = next;
  }
  return spans;
};
