import { parseDecimal } from '../../base/decimal/decimal.ts';
import type { LinearScale } from '../../base/decimal/linear-scale.ts';
import type { Signal } from '../../database/model.ts';

/**
 * Type of a wide column, from the layout of its signal: `integer` is exact in a double, `int64`
 * and `uint64` need 64 bits, `text` is a whole number with more bits, or a byte array, `double` everything else.
 */
export const columnTypes = ['integer', 'int64', 'uint64', 'double', 'text'] as const;
export type ColumnType = (typeof columnTypes)[number];

const safe = BigInt(Number.MAX_SAFE_INTEGER);
const int64 = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
const uint64 = 2n ** 64n - 1n;

export const columnTypeOf = ({
  kind,
  length,
  factor,
  offset,
  array,
  ranges,
}: Signal): ColumnType => {
  if (array !== undefined) return 'text';
  // Each range has a scale of its own.
  if (ranges !== undefined) return 'double';
  const [scale, shift] = [parseDecimal(factor), parseDecimal(offset)];
  if (kind === 'float32' || kind === 'float64' || scale === null || shift === null) return 'double';
  if (scale.exponent < 0 || shift.exponent < 0) return 'double';
  // More digits than any 64-bit integer has, without computing the power.
  if (scale.exponent > 20 || shift.exponent > 20) return 'text';
  const [first, last] =
    kind === 'signed'
      ? [-(2n ** BigInt(length - 1)), 2n ** BigInt(length - 1) - 1n]
      : [0n, 2n ** BigInt(length) - 1n];
  const multiplier = scale.coefficient * 10n ** BigInt(scale.exponent);
  const addend = shift.coefficient * 10n ** BigInt(shift.exponent);
  const [one, other] = [first * multiplier + addend, last * multiplier + addend];
  const [low, high] = one < other ? [one, other] : [other, one];
  if (low >= -safe && high <= safe) return 'integer';
  if (low >= int64.from && high <= int64.to) return 'int64';
  return low >= 0n && high <= uint64 ? 'uint64' : 'text';
};

/** Up to 15 digits, a decimal and the double nearest to it determine each other. */
const exactDigits = 1e15 - 1;

/** Largest raw value whose scaled integer has at most 15 digits; -1 if there is none. */
export const exactLimitOf = ({ fast }: LinearScale): number => {
  if (fast === null) return -1;
  const room = exactDigits - Math.abs(fast.addend);
  const limit = Math.floor(room / Math.max(1, Math.abs(fast.multiplier)));
  return Math.min(fast.limit, limit);
};
