import type { SignalType } from './project.ts';
import {
  asWritten,
  compare,
  exactly,
  isWhole,
  nearestDouble,
  nearestSingle,
  parseRational,
  type Rational,
  rational,
} from './rational.ts';

/** A value of a signal: a double for float64, an integer for all other types. */
export type Value = bigint | number;

const ranges: Readonly<Record<Exclude<SignalType, 'float64'>, readonly [bigint, bigint]>> = {
  bool: [0n, 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  enum: [-(2n ** 63n), 2n ** 63n - 1n],
};

const inRange = (type: Exclude<SignalType, 'float64'>, value: bigint): Value | undefined => {
  const [least, max] = ranges[type];
  return value >= least && value <= max ? value : undefined;
};

/**
 * The value of a type for an exact number: the nearest double, or the integer itself; undefined
 * if the type has none.
 */
export const valueOfExact = (type: SignalType, exact: Rational): Value | undefined => {
  if (type === 'float64') {
    const double = nearestDouble(exact);
    return Number.isFinite(double) ? double : undefined;
  }
  return isWhole(exact) ? inRange(type, exact.n / exact.d) : undefined;
};

export const parseValue = (type: SignalType, text: string): Value | undefined =>
  valueOfExact(type, parseRational(text));

/** Result of a calculation: an exact integer or fraction, or a double. */
export type Result = Value | Rational;

/**
 * A result of a calculation as a value of a type. An integer must remain exact, also as a double;
 * a fraction is rounded to a double and is never an integer. A double must be finite, and whole
 * for the integer types. Zero has no sign.
 */
export const valueOfResult = (type: SignalType, result: Result): Value | undefined => {
  if (typeof result === 'object') {
    if (isWhole(result)) return valueOfResult(type, result.n / result.d);
    return type === 'float64' ? valueOfResult(type, nearestDouble(result)) : undefined;
  }
  if (typeof result === 'bigint') {
    if (type !== 'float64') return inRange(type, result);
    const double = Number(result);
    return Number.isFinite(double) && BigInt(double) === result ? double : undefined;
  }
  if (!Number.isFinite(result)) return undefined;
  if (type === 'float64') return result === 0 ? 0 : result;
  return Number.isInteger(result) ? inRange(type, BigInt(result)) : undefined;
};

/**
 * The exact number that is encoded. A whole double is exact; one with a fraction is the decimal
 * of its shortest text.
 */
export const exactOfValue = (value: Value): Rational => {
  if (typeof value === 'bigint') return rational(value);
  return Number.isInteger(value) ? exactly(value) : asWritten(value);
};

/** A number without an exponent and without redundant zeros. */
const withoutExponent = (text: string): string => {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
};

export const doubleText = (value: number): string => withoutExponent(String(value));

/** The shortest text of a float32. */
export const singleText = (value: number): string => {
  if (value === 0 || !Number.isFinite(value)) return doubleText(value);
  for (let digits = 1; ; digits += 1) {
    const text = value.toPrecision(digits);
    if (nearestSingle(parseRational(text)) === value) return doubleText(Number(text));
  }
};

/** A whole float with all digits; others in the shortest form. */
export const floatText = (value: number, fraction: (value: number) => string): string =>
  Number.isInteger(value) ? exactly(value).n.toString() : fraction(value);

export const valueText = (value: Value): string =>
  typeof value === 'bigint' ? value.toString() : floatText(value, doubleText);

/** Negative, zero or positive if a is less than, equal to or greater than b, without rounding. */
export const compareValues = (a: Value, b: Value): number => {
  const exact = (value: Value): Rational =>
    typeof value === 'bigint' ? rational(value) : exactly(value);
  return compare(exact(a), exact(b));
};
