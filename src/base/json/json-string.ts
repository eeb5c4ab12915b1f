import { JsonParseError } from './json-parse-error.ts';

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
