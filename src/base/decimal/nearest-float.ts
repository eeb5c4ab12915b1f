export type FloatKind = 'float32' | 'float64';

const quotientBits: Readonly<Record<FloatKind, number>> = { float32: 40, float64: 66 };

const bitLength = (magnitude: bigint): number => magnitude.toString(2).length;

const smallestNormal = 2 ** -1022;

/** Subnormals have fewer bits, so rounding to 53 bits first would round twice. */
const nearestSubnormal = (over: bigint, under: bigint): number => {
  const units = over << 1074n;
  const whole = units / under;
  const rest = 2n * (units % under);
  const up = rest > under || (rest === under && whole % 2n === 1n);
  return Number(up ? whole + 1n : whole) * Number.MIN_VALUE;
};

/** The float nearest to a quotient, ties to even. Infinite above the largest float. */
export const nearestFloat = (dividend: bigint, divisor: bigint, kind: FloatKind): number => {
  const over = dividend < 0n ? -dividend : dividend;
  const under = divisor < 0n ? -divisor : divisor;
  const shift = quotientBits[kind] + bitLength(under) - bitLength(over);
  const shifted = shift > 0 ? over << BigInt(shift) : over;
  const unit = shift > 0 ? under : under << BigInt(-shift);
  const rest = shifted % unit === 0n ? 0n : 1n;
  const significand = Number(((shifted / unit) << 1n) | rest);
  const power = -shift - 1;
  const half = Math.trunc(power / 2);
  // Two steps, since one power of two can overflow even if the result does not.
  const magnitude = significand * 2 ** half * 2 ** (power - half);
  const double = magnitude <= smallestNormal ? nearestSubnormal(over, under) : magnitude;
  const float = kind === 'float32' ? Math.fround(magnitude) : double;
  return dividend < 0n === divisor < 0n ? float : -float;
};
