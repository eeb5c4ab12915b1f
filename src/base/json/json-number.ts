import { JsonParseError } from './json-parse-error.ts';

const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const letterE = 0x65;

const isDigitAt = (text: string, at: number): boolean => {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  return code >= zero && code <= nine;
};

const endOfDigits = (text: string, from: number): number => {
  if (!isDigitAt(text, from))
    throw new JsonParseError('bad_number', from, 'a digit is missing in a number');
  let at = from + 1;
  while (isDigitAt(text, at)) at += 1;
  return at;
};

export const endOfInteger = (text: string, start: number): number => {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  const end = endOfDigits(text, first);
  if (end > first + 1 && text.charCodeAt(first) === zero) {
    throw new JsonParseError('bad_number', first, 'a number has a leading zero');
  }
  return end;
};

export const continuesAfterInteger = (code: number): boolean =>
  code === point || (code | 0x20) === letterE;

export const endOfFraction = (text: string, from: number): number => {
  let at = from;
  if (at < text.length && text.charCodeAt(at) === point) at = endOfDigits(text, at + 1);
  if (at < text.length && (text.charCodeAt(at) | 0x20) === letterE) {
    const sign = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    at = endOfDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
  }
  return at;
};

/** Every larger double is an integer. */
const maxFraction = 2 ** 52;

const meansInteger = (literal: string): boolean => {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let last = digits.length - 1;
  while (last >= 0 && !(digits.charCodeAt(last) > zero)) last -= 1;
  return last < 0 || last < integer.length + Number(exponent);
};

/**
 * Returns the nearest double, or its neighbour towards zero if only that has a fraction:
 * `1.0000000000000000001` must not become 1.
 */
const fractional = (literal: string, value: number): number => {
  if (!Number.isInteger(value) || Math.abs(value) > maxFraction) return value;
  if (meansInteger(literal)) return value;
  if (value !== 0) return value * (1 - Number.EPSILON / 2);
  return literal.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE;
};

export const numberBetween = (
  text: string,
  start: number,
  integerEnd: number,
  end: number,
): number | bigint => {
  const literal = text.slice(start, end);
  const value = Number(literal);
  // Integers too, because exact conversion of an unbounded literal is not linear.
  if (!Number.isFinite(value)) {
    throw new JsonParseError('number_out_of_range', start, 'a number is too large');
  }
  if (end > integerEnd) return fractional(literal, value);
  return Number.isSafeInteger(value) ? value : BigInt(literal);
};
