import type { Parsed } from './id-choice.ts';

/** Bytes that data must have, from its start or anywhere in it. */
export interface BytePattern {
  readonly isAnywhere: boolean;
  readonly values: readonly number[];
  /** Bits of each byte that count. */
  readonly masks: readonly number[];
}

const nibbles = /^[0-9a-f?]*$/i;
const digit = (text: string): number => (text === '?' ? 0 : Number.parseInt(text, 16));
const maskOf = (text: string): number => (text === '?' ? 0 : 0xf);

/** Reads `?? FF 1?`: hex digits and wildcards from the first byte on; with `*` before it, anywhere. */
export const parseBytePattern = (text: string): Parsed<BytePattern | null> => {
  const isAnywhere = text.trimStart().startsWith('*');
  const digits = text.replace(/^\s*\*/, '').replaceAll(/[\s,.:-]+/g, '');
  if (digits === '') return { ok: null };
  if (!nibbles.test(digits)) {
    return { error: `“${text.trim()}” has more than hex digits, ? and a leading *` };
  }
  if (digits.length % 2 !== 0) {
    return {
      error: `“${text.trim()}” has half a byte: every byte has two digits, such as 0F or ??`,
    };
  }
  const pairs = digits.match(/../g) ?? [];
  return {
    ok: {
      isAnywhere,
      values: pairs.map(([high = '', low = '']) => (digit(high) << 4) | digit(low)),
      masks: pairs.map(([high = '', low = '']) => (maskOf(high) << 4) | maskOf(low)),
    },
  };
};

const fitsAt = (pattern: BytePattern, data: Uint8Array, from: number): boolean => {
  for (let i = 0; i < pattern.values.length; i++) {
    const byte = data[from + i] as number;
    if ((byte & (pattern.masks[i] as number)) !== pattern.values[i]) return false;
  }
  return true;
};

/** Whether `length` bytes from `start` on have the pattern. */
export const matchesBytes = (
  pattern: BytePattern,
  data: Uint8Array,
  start: number,
  length: number,
): boolean => {
  const last = length - pattern.values.length;
  if (last < 0) return false;
  const tries = pattern.isAnywhere ? last : 0;
  for (let i = 0; i <= tries; i++) if (fitsAt(pattern, data, start + i)) return true;
  return false;
};
