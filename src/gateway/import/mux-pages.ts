import type { RawRange, Signal } from '../../database/model.ts';
import { isFloat, lesserOf, rawSpanOf } from '../../database/raw-span.ts';

/** Ranges in order, those that touch as one. */
const merged = (ranges: readonly RawRange[]): readonly RawRange[] => {
  const inOrder = ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const apart: RawRange[] = [];
  for (const range of inOrder) {
    const last = apart.at(-1);
    if (last === undefined || range.from > last.to + 1n) apart.push(range);
    else if (range.to > last.to) apart[apart.length - 1] = { from: last.from, to: range.to };
  }
  return apart;
};

/**
 * The raws of a selector for which a signal is there, as a project writes them: `1`, `4-7`. Raws that
 * the selector has no bits for cannot occur and are left out. A sentence where they cannot be written.
 */
export const muxPagesOf = (
  selector: Signal,
  ranges: readonly RawRange[],
): readonly string[] | string => {
  if (isFloat(selector)) return `depends on ${selector.name}, which is no integer`;
  const { highest } = rawSpanOf(selector);
  const patterns = 1n << BigInt(selector.length);
  const isNegative = ({ from, to }: RawRange): boolean =>
    from < 0n || (selector.kind === 'signed' && to > highest && from < patterns);
  // With 8 bits, 255 may stand for −1 there, and a project names no raws below 0.
  if (ranges.some(isNegative)) return `depends on a negative raw of ${selector.name}`;
  return merged(ranges)
    .filter(({ from }) => from <= highest)
    .map(({ from, to }) => ({ from, to: lesserOf(to, highest) }))
    .map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
};
