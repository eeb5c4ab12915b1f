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

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const simpleEscapes = '"\\/bfnrt';

/** A loop is faster on short strings, a pattern on long ones. */
const shortRun = 16;
const notPlain = /["\\\u0000-\u001f\ud800-\udfff]/g;

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;
const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

const endsInside = (text: string): JsonParseError =>
  new JsonParseError('syntax', text.length, 'a string is not terminated');

const loneSurrogate = (at: number): JsonParseError =>
  new JsonParseError('lone_surrogate', at, 'a surrogate pair is incomplete');

const nul = (at: number): JsonParseError =>
  new JsonParseError('nul', at, 'NUL is not allowed in strings');

const hexUnit = (text: string, from: number): number => {
  let unit = 0;
  for (let at = from; at < from + 4; at += 1) {
    const code = text.charCodeAt(at);
    const letter = code | 0x20;
    if (code >= 0x30 && code <= 0x39) unit = unit * 16 + code - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
};

const endOfUnicodeEscape = (text: string, at: number): number => {
  const unit = hexUnit(text, at + 2);
  if (unit < 0) throw new JsonParseError('syntax', at, 'expected four hex digits after \\u');
  if (unit === 0) throw nul(at);
  if (!isSurrogate(unit)) return at + 6;
  const paired =
    isHighSurrogate(unit) &&
    text.startsWith('\\u', at + 6) &&
    isLowSurrogate(hexUnit(text, at + 8));
  if (!paired) throw loneSurrogate(at);
  return at + 12;
};

const endOfEscape = (text: string, at: number): number => {
  if (at + 1 === text.length) throw endsInside(text);
  if (text.charCodeAt(at + 1) === letterU) return endOfUnicodeEscape(text, at);
  if (simpleEscapes.includes(text.charAt(at + 1))) return at + 2;
  throw new JsonParseError('syntax', at, 'unknown escape in a string');
};

// Both halves of a pair are written the same way: a raw half next to an escaped one is invalid.
const endOfRawPair = (text: string, at: number): number => {
  if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
    return at + 2;
  }
  throw loneSurrogate(at);
};

export const endOfPlainRun = (text: string, from: number): number => {
  const loopEnd = Math.min(text.length, from + shortRun);
  for (let at = from; at < loopEnd; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === quote || unit === backslash || isSurrogate(unit)) return at;
  }
  notPlain.lastIndex = loopEnd;
  return notPlain.test(text) ? notPlain.lastIndex - 1 : text.length;
};

export const closingQuote = (text: string, from: number): number => {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at = endOfEscape(text, at);
    else if (unit === 0) throw nul(at);
    else if (unit < 0x20) {
      throw new JsonParseError(
        'control_character',
        at,
        'control characters in strings must be escaped',
      );
    } else if (isSurrogate(unit)) at = endOfRawPair(text, at);
    else at = endOfPlainRun(text, at + 1);
  }
  throw endsInside(text);
};
