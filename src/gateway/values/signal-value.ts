import {
  coefficientAt,
  type Decimal,
  decimalOf,
  parseDecimal,
  valuePattern,
} from '../../base/decimal/decimal.ts';
import { float64Text } from '../../base/decimal/float-text.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { CellKind } from './cells.ts';

export type SignalValue = number | bigint;

const ranges: Readonly<Record<Exclude<SignalType, 'float64'>, readonly [bigint, bigint]>> = {
  bool: [0n, 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  enum: [-(2n ** 63n), 2n ** 63n - 1n],
};

export const valueRange = (type: SignalType): readonly [bigint, bigint] | null =>
  type === 'float64' ? null : ranges[type];

/** Describes the valid values of a type, for an error. */
export const valueRule = (type: SignalType): string => {
  if (type === 'float64') return 'must be a decimal number within float64, such as 780.5 or -3';
  const [least, max] = ranges[type];
  return `must be a whole number from ${least} to ${max}, in digits only, such as 1`;
};

const valueForm = new RegExp(valuePattern);
const wholeForm = /^-?\d+$/;

export const parseValue = (type: SignalType, text: string): SignalValue | undefined => {
  const decimal = valueForm.test(text) ? parseDecimal(text) : null;
  if (decimal === null) return undefined;
  if (type === 'float64') {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (!wholeForm.test(text)) return undefined;
  const value = coefficientAt(decimal, 0);
  const [least, max] = ranges[type];
  return value >= least && value <= max ? value : undefined;
};

export const cellKindOf = (type: SignalType): CellKind => {
  if (type === 'float64') return 'floats';
  return type === 'uint64' ? 'unsigned' : 'signed';
};

/**
 * Converts a double to text: an integer with all its digits, a fraction as the shortest decimal
 * that parses to the same double. The shortest text of 2^60 would be another integer.
 */
export const exactText = (value: number, fractionText: (value: number) => string): string =>
  Number.isInteger(value) ? BigInt(value).toString() : fractionText(value);

export const valueText = (value: SignalValue): string =>
  typeof value === 'number' ? exactText(value, float64Text) : value.toString();

/**
 * Converts a value to an exact number. A fraction is the shortest decimal that parses to the
 * same double. An integer is exact, which shows whether a wire type can represent it.
 */
export const decimalOfValue = (value: SignalValue): Decimal => {
  if (typeof value === 'bigint') return decimalOf(value, 0);
  if (Number.isInteger(value)) return decimalOf(BigInt(value), 0);
  return parseDecimal(float64Text(value)) ?? { coefficient: 0n, exponent: 0 };
};
