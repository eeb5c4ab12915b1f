import { BusbarError } from '../errors/busbar-error.ts';

const blank = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Offset behind the string whose opening quote is at `start`. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
};

/** The text without white space between its tokens. */
const compacted = (text: string): string => {
  const bytes = Buffer.from(text);
  let kept = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    const end = byte === quote ? endOfString(bytes, at) : at + 1;
    // No byte of white space is part of a longer sequence in UTF-8.
    if (byte > blank) {
      bytes.copyWithin(kept, at, end);
      kept += end - at;
    }
    at = end;
  }
  return kept === bytes.length ? text : bytes.toString('utf8', 0, kept);
};

/** Told that a line ends in front of a byte, and how deep the next one stands. */
type OnLineEnd = (before: number, depth: number) => void;

/** Finds where a compact text is divided into lines, as `JSON.stringify` does it, and its colons. */
const divide = (bytes: Uint8Array, onLineEnd: OnLineEnd, onColon: (at: number) => void): void => {
  let depth = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = endOfString(bytes, at);
      continue;
    }
    if (byte === colon) onColon(at);
    else if (byte === comma) onLineEnd(at + 1, depth);
    else if (byte === openBrace || byte === openBracket) {
      // What is empty stays in one piece: both closing marks are two behind their opening ones.
      if (bytes[at + 1] === byte + 2) at += 1;
      else onLineEnd(at + 1, ++depth);
    } else if (byte === closeBrace || byte === closeBracket) onLineEnd(at, --depth);
    at += 1;
  }
};

/**
 * A JSON value as its author wrote it, but for white space: objects of JavaScript sort members whose
 * names are numbers to the front, and doubles round. Only `stringifyJson` can write it.
 */
export class JsonSource {
  /** Without white space between tokens. */
  readonly text: string;

  /** Takes a text that a reader has accepted. */
  constructor(text: string) {
    this.text = compacted(text);
  }

  /** The text with a line for each value, behind a margin on all lines but the first. */
  inLines(step: string, margin: string): string {
    const bytes = Buffer.from(this.text);
    const divided = Buffer.allocUnsafe(bytes.length + this.spreadInLines(step, margin));
    let length = 0;
    let copied = 0;
    const copyUntil = (end: number): void => {
      length += bytes.copy(divided, length, copied, end);
      copied = end;
    };
    const onLineEnd = (before: number, depth: number): void => {
      copyUntil(before);
      length += divided.write(`\n${margin}${step.repeat(depth)}`, length);
    };
    divide(bytes, onLineEnd, (at) => {
      copyUntil(at + 1);
      divided[length++] = blank;
    });
    copyUntil(bytes.length);
    return divided.toString('utf8', 0, length);
  }

  /** How many characters `inLines` adds, without making a text that may be very large. */
  spreadInLines(step: string, margin: string): number {
    let spread = 0;
    const onLineEnd = (_before: number, depth: number): void => {
      spread += 1 + margin.length + depth * step.length;
    };
    divide(Buffer.from(this.text), onLineEnd, () => {
      spread += 1;
    });
    return spread;
  }

  /** `JSON.stringify` has no way to write a text as it is. */
  toJSON(): never {
    throw new BusbarError('internal_error', { message: 'Only stringifyJson writes JSON sources' });
  }
}
