import { invalidArgument } from '../errors/busbar-error.ts';

/**
 * An exact decimal number: coefficient × 10^exponent. The coefficient has no factor of ten and
 * zero has exponent 0, so equal numbers have equal fields.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/**
 * Maximum number of digits on either side of the decimal point in parsed text. Every double is
 * within it (309 before, 340 after in its shortest form).
 */
export const maxDecimalDigits = 400;

export const valuePattern = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$';

const maxTextLength = 1024;
const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

const endWithoutZeros = (digits: string): number => {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return end;
};

export const decimalOf = (coefficient: bigint, exponent: number): Decimal => {
  if (coefficient === 0n) return { coefficient, exponent: 0 };
  if (coefficient % 10n !== 0n) return { coefficient, exponent };
  const digits = coefficient.toString();
  const end = endWithoutZeros(digits);
  return { coefficient: BigInt(digits.slice(0, end)), exponent: exponent + digits.length - end };
};

/**
 * Parses `12`, `-0.5`, `.25`, `1.`, `3.4E+038`. Returns null for anything else, for more than
 * 1024 characters, and for more than `maxDecimalDigits` on either side of the point.
 */
export const parseDecimal = (text: string): Decimal | null => {
  if (text.length > maxTextLength) return null;
  const match = shape.exec(text);
  if (match === null) return null;
  const [, sign, integer = '', fraction = '', exponent = '0'] = match;
  const written = integer + fraction;
  if (written === '') return null;
  const digits = written.slice(0, endWithoutZeros(written)).replace(/^0+/, '');
  if (digits === '') return { coefficient: 0n, exponent: 0 };
  const power = Number(exponent) - fraction.length + written.length - endWithoutZeros(written);
  if (-power > maxDecimalDigits || digits.length + power > maxDecimalDigits) return null;
  const absolute = BigInt(digits);
  return { coefficient: sign === '-' ? -absolute : absolute, exponent: power };
};

export const requireDecimal = (text: string, field: string): Decimal => {
  const decimal = parseDecimal(text);
  if (decimal !== null) return decimal;
  throw invalidArgument(
    field,
    `${field} must be a decimal number with at most ${maxDecimalDigits} digits on either side of the point`,
  );
};

export const placedDigits = (isNegative: boolean, magnitude: string, places: number): string => {
  const sign = isNegative ? '-' : '';
  if (places === 0) return sign + magnitude;
  const digits = magnitude.padStart(places + 1, '0');
  const point = digits.length - places;
  const end = Math.max(point, endWithoutZeros(digits));
  const integer = sign + digits.slice(0, point);
  return end === point ? integer : `${integer}.${digits.slice(point, end)}`;
};

export const decimalText = ({ coefficient, exponent }: Decimal): string => {
  const isNegative = coefficient < 0n;
  const magnitude = (isNegative ? -coefficient : coefficient).toString();
  return exponent >= 0
    ? placedDigits(isNegative, magnitude + '0'.repeat(exponent), 0)
    : placedDigits(isNegative, magnitude, -exponent);
};

export const coefficientAt = ({ coefficient, exponent }: Decimal, lower: number): bigint =>
  exponent === lower ? coefficient : coefficient * 10n ** BigInt(exponent - lower);

export const addDecimals = (one: Decimal, other: Decimal): Decimal => {
  const exponent = Math.min(one.exponent, other.exponent);
  return decimalOf(coefficientAt(one, exponent) + coefficientAt(other, exponent), exponent);
};

export const negated = ({ coefficient, exponent }: Decimal): Decimal => ({
  coefficient: -coefficient,
  exponent,
});

export const magnitude = (decimal: Decimal): Decimal =>
  decimal.coefficient < 0n ? negated(decimal) : decimal;

export const halfOf = ({ coefficient, exponent }: Decimal): Decimal =>
  decimalOf(coefficient * 5n, exponent - 1);

export const compareDecimals = (one: Decimal, other: Decimal): number => {
  const exponent = Math.min(one.exponent, other.exponent);
  const difference = coefficientAt(one, exponent) - coefficientAt(other, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
