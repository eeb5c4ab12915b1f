/** An exact fraction; the denominator is positive, and may have common factors. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export const rational = (n: bigint, d = 1n): Rational => (d < 0n ? { n: -n, d: -d } : { n, d });

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.n * b.d + b.n * a.d, a.d * b.d);

export const subtract = (a: Rational, b: Rational): Rational =>
  rational(a.n * b.d - b.n * a.d, a.d * b.d);

export const multiply = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);

export const divide = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);

/** Negative, zero or positive if a is less than, equal to or greater than b. */
export const compare = (a: Rational, b: Rational): number => {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

export const isWhole = ({ n, d }: Rational): boolean => n % d === 0n;

const magnitude = (n: bigint): bigint => (n < 0n ? -n : n);

/** The nearest integer; halves are rounded away from zero. */
export const roundHalfAway = ({ n, d }: Rational): bigint => {
  const rounded = (2n * magnitude(n) + d) / (2n * d);
  return n < 0n ? -rounded : rounded;
};

/** Reads `-12.5e3` exactly. */
export const parseRational = (text: string): Rational => {
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(`${whole}${fraction}`.replace('-', ''));
  const signed = mantissa.startsWith('-') ? -digits : digits;
  const power = Number(exponent) - fraction.length;
  return power < 0
    ? rational(signed, 10n ** BigInt(-power))
    : rational(signed * 10n ** BigInt(power));
};

/** The exact value of a finite double. */
export const exactly = (double: number): Rational => {
  let value = double;
  let d = 1n;
  while (!Number.isInteger(value)) {
    value *= 2;
    d *= 2n;
  }
  return rational(BigInt(value), d);
};

/** The decimal value of a double: that of its shortest text. */
export const asWritten = (double: number): Rational => parseRational(String(double));

const bitsOf = (n: bigint): number => n.toString(2).length;

/**
 * The nearest floating-point number, ties to even: `precision` bits times a power of two that is
 * not below 2^`lowest`. Beyond `limit` it is infinite. Zero has no sign.
 */
const nearest = (r: Rational, precision: number, lowest: number, limit: number): number => {
  if (r.n === 0n) return 0;
  const n = magnitude(r.n);
  const quotient = (exponent: number): { q: bigint; rest: bigint; by: bigint } => {
    const dividend = exponent < 0 ? n << BigInt(-exponent) : n;
    const by = exponent < 0 ? r.d : r.d << BigInt(exponent);
    return { q: dividend / by, rest: dividend % by, by };
  };
  let exponent = bitsOf(n) - bitsOf(r.d) - precision;
  if (bitsOf(quotient(exponent).q) > precision) exponent += 1;
  exponent = Math.max(exponent, lowest);
  const { q, rest, by } = quotient(exponent);
  const isUp = 2n * rest > by || (2n * rest === by && q % 2n === 1n);
  const value = Number(isUp ? q + 1n : q) * 2 ** exponent;
  const bounded = value >= limit ? Number.POSITIVE_INFINITY : value;
  return r.n < 0n && bounded !== 0 ? -bounded : bounded;
};

export const nearestDouble = (r: Rational): number =>
  nearest(r, 53, -1074, Number.POSITIVE_INFINITY);

export const nearestSingle = (r: Rational): number => nearest(r, 24, -149, 2 ** 128);
