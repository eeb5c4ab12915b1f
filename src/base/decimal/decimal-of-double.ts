import { type Decimal, decimalOf } from './decimal.ts';

const fractionBits = 52n;
const exponentBias = 1075;
const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

export const decimalOfDouble = (value: number): Decimal => {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no decimal form`);
  double[0] = value;
  const pattern = bits[0] ?? 0n;
  const fraction = BigInt.asUintN(Number(fractionBits), pattern);
  const biased = Number((pattern >> fractionBits) & 0x7ffn);
  // Subnormals lack the leading one and share the lowest normal exponent.
  const magnitude = biased === 0 ? fraction : fraction | (1n << fractionBits);
  const power = Math.max(biased, 1) - exponentBias;
  const significand = value < 0 ? -magnitude : magnitude;
  return power >= 0
    ? decimalOf(significand << BigInt(power), 0)
    : // m / 2^n is m × 5^n / 10^n.
      decimalOf(significand * 5n ** BigInt(-power), power);
};
