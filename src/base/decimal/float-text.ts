import { type Decimal, decimalOf, decimalText, parseDecimal } from './decimal.ts';

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

const enoughDigits = 9;

const plain = (text: string): string => {
  const decimal = text.includes('e') ? parseDecimal(text) : null;
  return decimal === null ? text : decimalText(decimal);
};

/**
 * The shortest decimal that parses to the same double, without an exponent. Zero keeps its
 * sign. Other values are `NaN`, `Infinity` and `-Infinity`.
 */
export const float64Text = (value: number): string =>
  Object.is(value, -0) ? '-0' : plain(String(value));

const readsBackAs = (value: number, text: string): boolean => {
  const double = Number(text);
  if (Math.fround(double) !== value) return false;
  const mirrored = 2 * double - value;
  const isTie = mirrored !== value && Math.fround(mirrored) === mirrored;
  // If only the double is halfway between two float32 values, the text is nearer to one of
  // them.
  return !isTie || decimalText(decimalOfDouble(double)) === plain(text);
};

export const float32Text = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return float64Text(value);
  let digits = 1;
  let text = value.toPrecision(digits);
  while (digits < enoughDigits && !readsBackAs(value, text)) {
    digits += 1;
    text = value.toPrecision(digits);
  }
  return plain(String(Number(text)));
};
