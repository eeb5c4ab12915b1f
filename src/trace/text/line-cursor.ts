const tab = 0x09;
const lf = 0x0a;
const cr = 0x0d;
const blank = 0x20;
const point = 0x2e;
const zero = 0x30;

const notHex = 0x100;
const hexValues = new Uint16Array(256).fill(notHex);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

const tensOfNs = Float64Array.from({ length: 10 }, (_, digits) => 10 ** (9 - digits));
const maxSeconds = 15;
const maxFraction = 9;

export const hexValue = (byte: number): number => hexValues[byte] as number;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** Decodes rare text: UTF-8, otherwise Windows-1252. */
export const plainText = (bytes: Uint8Array, from: number, end: number): string => {
  const part = bytes.subarray(from, end);
  try {
    return utf8.decode(part);
  } catch {
    return western.decode(part);
  }
};

export const asciiWord = (word: string): Uint8Array =>
  Uint8Array.from(word.toLowerCase(), (letter) => letter.charCodeAt(0));

/**
 * Parses blank-separated tokens of a `LineScanner` line. A mismatch leaves the cursor in place.
 * The line end stops every loop, so bounds are not checked.
 */
export class LineCursor {
  readonly bytes: Uint8Array;
  at = 0;
  seconds = 0;
  nanoseconds = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  skipBlanks(): boolean {
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at] as number;
    while (byte === blank) byte = bytes[++at] as number;
    while (byte <= blank && byte !== lf && byte !== cr) byte = bytes[++at] as number;
    this.at = at;
    return byte > blank;
  }

  tokenEnd(): number {
    const { bytes } = this;
    let { at } = this;
    while ((bytes[at] as number) > blank) at++;
    return at;
  }

  skipToken(): boolean {
    this.at = this.tokenEnd();
    return this.skipBlanks();
  }

  /** Parses decimal digits up to 2^53; −1 on mismatch. */
  takeDecimal(): number {
    const { bytes } = this;
    let { at } = this;
    let value = 0;
    let digit = (bytes[at] as number) - zero;
    if (digit < 0 || digit > 9) return -1;
    do {
      value = value * 10 + digit;
      digit = (bytes[++at] as number) - zero;
    } while (digit >= 0 && digit <= 9);
    if ((bytes[at] as number) > blank || value > Number.MAX_SAFE_INTEGER) return -1;
    this.at = at;
    return value;
  }

  /** Parses hex digits up to 32 bits; −1 on mismatch. */
  takeHex(): number {
    const { bytes } = this;
    let { at } = this;
    let value = 0;
    let digit = hexValues[bytes[at] as number] as number;
    if (digit === notHex) return -1;
    do {
      value = value * 16 + digit;
      digit = hexValues[bytes[++at] as number] as number;
    } while (digit !== notHex);
    if ((bytes[at] as number) > blank || value > 0xffff_ffff) return -1;
    this.at = at;
    return value;
  }

  /**
   * Parses `count` bytes of one or two hex digits, each after a blank. Returns false and
   * consumes nothing if the line has fewer.
   */
  takeHexBytes(into: Uint8Array, to: number, count: number): boolean {
    const { bytes } = this;
    let { at } = this;
    for (let i = 0; i < count; i++) {
      const high = hexValues[bytes[at + 1] as number] as number;
      const value = (high << 4) | (hexValues[bytes[at + 2] as number] as number);
      if (bytes[at] === blank && value < notHex) {
        into[to + i] = value;
        at += 3;
      } else {
        at = this.#takeOddByte(at, into, to + i);
        if (at < 0) return false;
      }
    }
    if ((bytes[at] as number) > blank) return false;
    this.at = at;
    return true;
  }

  #takeOddByte(from: number, into: Uint8Array, to: number): number {
    const { bytes } = this;
    let at = from;
    while (bytes[at] === blank || bytes[at] === tab) at++;
    const first = hexValues[bytes[at] as number] as number;
    if (at === from || first === notHex) return -1;
    const second = hexValues[bytes[++at] as number] as number;
    into[to] = second === notHex ? first : (first << 4) | second;
    return second === notHex ? at : at + 1;
  }

  takeDecimalBytes(into: Uint8Array, to: number, count: number): boolean {
    const from = this.at;
    for (let i = 0; i < count; i++) {
      const value = this.skipBlanks() ? this.takeDecimal() : -1;
      if (value < 0 || value > 0xff) {
        this.at = from;
        return false;
      }
      into[to + i] = value;
    }
    return true;
  }

  /**
   * Parses seconds with up to nine decimals into `seconds` and `nanoseconds`, digit by digit,
   * because a float would lose some. Anything can follow.
   */
  takeTime(): boolean {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    let seconds = 0;
    let digit = (bytes[at] as number) - zero;
    while (digit >= 0 && digit <= 9) {
      seconds = seconds * 10 + digit;
      digit = (bytes[++at] as number) - zero;
    }
    if (at === from || at - from > maxSeconds || bytes[at] !== point) return false;
    const fractionAt = ++at;
    let fraction = 0;
    digit = (bytes[at] as number) - zero;
    while (digit >= 0 && digit <= 9) {
      fraction = fraction * 10 + digit;
      digit = (bytes[++at] as number) - zero;
    }
    const digits = at - fractionAt;
    if (digits === 0 || digits > maxFraction) return false;
    this.seconds = seconds;
    this.nanoseconds = fraction * (tensOfNs[digits] as number);
    this.at = at;
    return true;
  }

  startsWith(word: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let i = 0; i < word.length; i++) {
      const byte = bytes[at + i] as number;
      if (byte !== word[i] && (byte < 0x41 || byte > 0x5a || (byte | 0x20) !== word[i])) {
        return false;
      }
    }
    return true;
  }

  takeWord(word: Uint8Array): boolean {
    if (!this.startsWith(word) || (this.bytes[this.at + word.length] as number) > blank) {
      return false;
    }
    this.at += word.length;
    return true;
  }
}
