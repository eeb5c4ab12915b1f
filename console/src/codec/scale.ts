import type { DatabaseSignal } from '../api/schema.ts';
import { coefficientAt, type Decimal, parseDecimal } from './decimal.ts';

type Scaled = Pick<DatabaseSignal, 'factor' | 'offset'>;

const magnitudeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** What a raw value stands for: raw × factor + offset, to the last digit; null without these. */
export const physicalOf = (raw: Decimal, { factor, offset }: Scaled): Decimal | null => {
  const multiplier = parseDecimal(factor);
  const addend = parseDecimal(offset);
  if (!multiplier || !addend) return null;
  const product = {
    coefficient: raw.coefficient * multiplier.coefficient,
    exponent: raw.exponent + multiplier.exponent,
  };
  const exponent = Math.min(product.exponent, addend.exponent);
  return {
    coefficient: coefficientAt(product, exponent) + coefficientAt(addend, exponent),
    exponent,
  };
};

/** raw = dividend / divisor, before it is rounded to anything that bits can hold. */
export interface Quotient {
  readonly dividend: bigint;
  /** Above zero. */
  readonly divisor: bigint;
}

/** What a physical value is before scaling; null where a factor of zero leaves no answer. */
export const rawQuotient = (physical: Decimal, { factor, offset }: Scaled): Quotient | null => {
  const divisor = parseDecimal(factor);
  const addend = parseDecimal(offset);
  if (!divisor || !addend || divisor.coefficient === 0n) return null;
  const exponent = Math.min(physical.exponent, divisor.exponent, addend.exponent);
  const over = coefficientAt(physical, exponent) - coefficientAt(addend, exponent);
  const under = coefficientAt(divisor, exponent);
  return under < 0n ? { dividend: -over, divisor: -under } : { dividend: over, divisor: under };
};

/** The nearest integer; halves go away from zero. */
export const nearestInteger = ({ dividend, divisor }: Quotient): bigint => {
  const quotient = dividend / divisor;
  const rest = magnitudeOf(dividend % divisor);
  if (2n * rest < divisor) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
};

/** More digits than any double or tie between two doubles has. */
const longestDouble = 1100;

/**
 * The nearest double. The quotient is written out in decimal, long enough that what is cut off can
 * only break a tie, and reading a decimal rounds it properly at every size.
 */
export const nearestDouble = ({ dividend, divisor }: Quotient): number => {
  const magnitude = magnitudeOf(dividend);
  const scale = Math.max(
    0,
    longestDouble + divisor.toString().length - magnitude.toString().length,
  );
  const scaled = magnitude * 10n ** BigInt(scale);
  const rest = scaled % divisor === 0n ? '0' : '1';
  return Number(`${dividend < 0n ? '-' : ''}${scaled / divisor}${rest}e-${scale + 1}`);
};

/** More bits than a single has, and together with one more still exact in a double. */
const singleBits = 40;

const bitLength = (magnitude: bigint): number => magnitude.toString(2).length;

/** The nearest single: one rounding only, as rounding to a double first would round ties twice. */
export const nearestSingle = ({ dividend, divisor }: Quotient): number => {
  const magnitude = magnitudeOf(dividend);
  const shift = singleBits + bitLength(divisor) - bitLength(magnitude);
  const over = shift > 0 ? magnitude << BigInt(shift) : magnitude;
  const under = shift > 0 ? divisor : divisor << BigInt(-shift);
  // The last bit tells that something was cut off, so that it cannot look like a tie.
  const significand = Number(((over / under) << 1n) | (over % under === 0n ? 0n : 1n));
  const single = Math.fround(significand * 2 ** (-shift - 1));
  return dividend < 0n ? -single : single;
};
