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

const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
};

const compacted = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  let kept = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    const end = byte === quote ? endOfString(bytes, at) : at + 1;
    // White space is never part of a UTF-8 sequence.
    if (byte > blank) {
      bytes.copyWithin(kept, at, end);
      kept += end - at;
    }
    at = end;
  }
  return kept === bytes.length ? text : new TextDecoder().decode(bytes.subarray(0, kept));
};

type OnLineEnd = (before: number, depth: number) => void;

/** Finds the line breaks and colons that `JSON.stringify` would write. */
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
      // Empty containers stay on one line. A closing bracket code is two above its opening one.
      if (bytes[at + 1] === byte + 2) at += 1;
      else onLineEnd(at + 1, ++depth);
    } else if (byte === closeBrace || byte === closeBracket) onLineEnd(at, --depth);
    at += 1;
  }
};

/**
 * A JSON value as written, without white space. JavaScript would reorder numeric keys and round
 * numbers. Only `stringifyJson` writes it.
 */
export class JsonSource {
  readonly text: string;

  constructor(text: string) {
    this.text = compacted(text);
  }

  /** Formats one value per line; `margin` precedes all lines but the first. */
  inLines(step: string, margin: string): string {
    const encoder = new TextEncoder();
    const bytes = encoder.encode(this.text);
    const divided = new Uint8Array(bytes.length + this.spreadInLines(step, margin));
    let length = 0;
    let copied = 0;
    const copyUntil = (end: number): void => {
      divided.set(bytes.subarray(copied, end), length);
      length += end - copied;
      copied = end;
    };
    const onLineEnd = (before: number, depth: number): void => {
      copyUntil(before);
      const line = encoder.encode(`\n${margin}${step.repeat(depth)}`);
      divided.set(line, length);
      length += line.length;
    };
    divide(bytes, onLineEnd, (at) => {
      copyUntil(at + 1);
      divided[length++] = blank;
    });
    copyUntil(bytes.length);
    return new TextDecoder().decode(divided.subarray(0, length));
  }

  /** Number of characters that `inLines` adds, without building the text. */
  spreadInLines(step: string, margin: string): number {
    let spread = 0;
    const onLineEnd = (_before: number, depth: number): void => {
      spread += 1 + margin.length + depth * step.length;
    };
    divide(new TextEncoder().encode(this.text), onLineEnd, () => {
      spread += 1;
    });
    return spread;
  }

  toJSON(): never {
    throw new BusbarError('internal_error', { message: 'Only stringifyJson writes JSON sources' });
  }
}
