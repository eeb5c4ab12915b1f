import { JsonFlaw } from './json-flaw.ts';

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
  if (!isDigitAt(text, from)) throw new JsonFlaw('bad_number', from, 'a number lacks a digit here');
  let at = from + 1;
  while (isDigitAt(text, at)) at += 1;
  return at;
};

/** Offset after the integer part of the number at `start`. */
export const endOfInteger = (text: string, start: number): number => {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  const end = endOfDigits(text, first);
  if (end > first + 1 && text.charCodeAt(first) === zero) {
    throw new JsonFlaw('bad_number', first, 'a number has a leading zero');
  }
  return end;
};

/** Whether the character after some digits makes them part of a fraction or an exponent. */
export const goesOnAfterInteger = (code: number): boolean =>
  code === point || (code | 0x20) === letterE;

/** Offset after the fraction and exponent at `from`; `from` itself where there are none. */
export const endOfFraction = (text: string, from: number): number => {
  let at = from;
  if (at < text.length && text.charCodeAt(at) === point) at = endOfDigits(text, at + 1);
  if (at < text.length && (text.charCodeAt(at) | 0x20) === letterE) {
    const sign = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    at = endOfDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
  }
  return at;
};

/** The number whose literal spans `start` to `end` and whose integer part ends at `integerEnd`. */
export const numberBetween = (
  text: string,
  start: number,
  integerEnd: number,
  end: number,
): number | bigint => {
  const literal = text.slice(start, end);
  const value = Number(literal);
  // Integers as well: what no double can come near is no quantity, and exact conversion of a
  // literal without bound would not be linear.
  if (!Number.isFinite(value)) {
    throw new JsonFlaw('number_out_of_range', start, 'a number is too large');
  }
  return end > integerEnd || Number.isSafeInteger(value) ? value : BigInt(literal);
};
