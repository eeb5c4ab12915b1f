/** Values that an axis shows, from bottom to top. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

const spanOf = ({ low, high }: ValueRange): number => high - low;

/** An axis cannot show the difference between neighbouring doubles. */
const minShare = 1e-12;
const maxSize = 1e300;

const isUsable = ({ low, high }: ValueRange): boolean =>
  high - low > Math.max(Math.abs(low), Math.abs(high)) * minShare &&
  Math.abs(low) < maxSize &&
  Math.abs(high) < maxSize;

/** A range that no axis can show leaves the previous one. */
const usable = (next: ValueRange, previous: ValueRange): ValueRange =>
  isUsable(next) ? next : previous;

/** Zooms about a value that keeps its place. */
export const zoomedValues = (range: ValueRange, factor: number, about: number): ValueRange => {
  const share = (about - range.low) / spanOf(range);
  const low = about - share * spanOf(range) * factor;
  return usable({ low, high: low + spanOf(range) * factor }, range);
};

/** Moves a range by a share of itself. */
export const pannedValues = (range: ValueRange, share: number): ValueRange => {
  const by = spanOf(range) * share;
  return usable({ low: range.low + by, high: range.high + by }, range);
};

/** The part of a range between two shares of its height, counted from the top. */
export const valuesBetween = (range: ValueRange, top: number, bottom: number): ValueRange =>
  usable(
    { low: range.high - bottom * spanOf(range), high: range.high - top * spanOf(range) },
    range,
  );

/** Room above and below the values of lines; lanes have room for labels above theirs. */
export const fittedValues = (low: number, high: number, kind: 'numbers' | 'labels'): ValueRange => {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { low: 0, high: 1 };
  if (kind === 'labels') {
    const span = Math.max(1, high - low);
    return { low: low - span * 0.25, high: high + span * 0.9 };
  }
  const room = high > low ? (high - low) * 0.08 : Math.max(1, Math.abs(low) * 0.05);
  return { low: low - room, high: high + room };
};
