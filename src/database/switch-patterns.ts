import type { RawRange } from './model.ts';
import { greaterOf, lesserOf } from './raw-span.ts';

/**
 * Bit patterns of a switch for its raw values. For a signed 8-bit switch, −1 and 255 both mean
 * −1: files have no other notation.
 */
export const patternsOf = (ranges: readonly RawRange[], length: number): RawRange[] => {
  const values = 1n << BigInt(length);
  const within = ({ from, to }: RawRange, lowest: bigint, highest: bigint, shift: bigint) => ({
    from: greaterOf(from, lowest) + shift,
    to: lesserOf(to, highest) + shift,
  });
  return ranges
    .flatMap((range) => [
      within(range, 0n, values - 1n, 0n),
      within(range, -values / 2n, -1n, values),
    ])
    .filter(({ from, to }) => from <= to);
};
