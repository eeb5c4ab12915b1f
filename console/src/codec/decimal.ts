/** An exact decimal number: coefficient × 10^exponent. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Far beyond any double; what lies further out is no measured value, and would take for ever. */
const highestPower = 1000;

/** Reads `12`, `-0.5`, `.25`, `1e3`; null for anything else. */
export const parseDecimal = (text: string): Decimal | null => {
  const [, sign, integer = '', fraction = '', power = '0'] = shape.exec(text.trim()) ?? [];
  if (sign === undefined || integer + fraction === '') return null;
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > highestPower || integer.length > highestPower) return null;
  const magnitude = BigInt(integer + fraction);
  return { coefficient: sign === '-' ? -magnitude : magnitude, exponent };
};

export const integerDecimal = (value: bigint): Decimal => ({ coefficient: value, exponent: 0 });

/** The coefficient that a number has at an exponent no higher than its own. */
export const coefficientAt = ({ coefficient, exponent }: Decimal, lower: number): bigint =>
  coefficient * 10n ** BigInt(exponent - lower);

export const subtract = (one: Decimal, other: Decimal): Decimal => {
  const exponent = Math.min(one.exponent, other.exponent);
  return { coefficient: coefficientAt(one, exponent) - coefficientAt(other, exponent), exponent };
};

export const absolute = ({ coefficient, exponent }: Decimal): Decimal => ({
  coefficient: coefficient < 0n ? -coefficient : coefficient,
  exponent,
});

/** Below zero, zero or above, as the first is less than, equal to or more than the second. */
export const compareDecimals = (one: Decimal, other: Decimal): number => {
  const exponent = Math.min(one.exponent, other.exponent);
  const difference = coefficientAt(one, exponent) - coefficientAt(other, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** The number written out, without an exponent and without zeros that say nothing. */
export const decimalText = (number: Decimal): string => {
  const places = Math.max(0, -number.exponent);
  const scaled = coefficientAt(number, -places);
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0');
  const point = digits.length - places;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
};
