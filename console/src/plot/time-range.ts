export interface TimeRange {
  readonly fromUs: number;
  readonly toUs: number;
}

const minUs = 100;
const maxUs = 24 * 3_600_000_000;

export const windows = [
  { label: '10 s', us: 10_000_000 },
  { label: '30 s', us: 30_000_000 },
  { label: '2 min', us: 120_000_000 },
  { label: '10 min', us: 600_000_000 },
] as const;

const spanOf = ({ fromUs, toUs }: TimeRange): number => toUs - fromUs;

export const zoomed = (range: TimeRange, factor: number, aboutUs: number): TimeRange => {
  const span = Math.min(maxUs, Math.max(minUs, spanOf(range) * factor));
  const share = (aboutUs - range.fromUs) / spanOf(range);
  const fromUs = aboutUs - share * span;
  return { fromUs, toUs: fromUs + span };
};

export const panned = (range: TimeRange, share: number): TimeRange => {
  const byUs = spanOf(range) * share;
  return { fromUs: range.fromUs + byUs, toUs: range.toUs + byUs };
};

export const rangeBetween = (aUs: number, bUs: number): TimeRange | null =>
  Math.abs(aUs - bUs) < minUs ? null : { fromUs: Math.min(aUs, bUs), toUs: Math.max(aUs, bUs) };

export const rangeOverAll = (ranges: readonly TimeRange[]): TimeRange | null => {
  if (ranges.length === 0) return null;
  const fromUs = Math.min(...ranges.map((range) => range.fromUs));
  const toUs = Math.max(...ranges.map((range) => range.toUs));
  const room = Math.max(minUs, (toUs - fromUs) * 0.02);
  return { fromUs: fromUs - room, toUs: toUs + room };
};
