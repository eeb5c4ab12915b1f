import type { SignalLayout } from './layout.ts';

/**
 * Source code that reads signals from the DataView `view` from `at`. It contains only numbers
 * computed from layouts, never a string from the database.
 */

const nameOf = (layout: SignalLayout, word: number): string =>
  `${layout.byteOrder === 'intel' ? 'i' : 'm'}${word}`;

interface UsedWord {
  readonly word: number;
  readonly isIntel: boolean;
  readonly bytes: Set<number>;
}

const byteText = (byte: number, isIntel: boolean): string => {
  const place = isIntel ? (byte & 3) * 8 : 24 - (byte & 3) * 8;
  const load = `view.getUint8(at + ${byte})`;
  return place === 0 ? load : `${load} << ${place}`;
};

const loadText = ({ word, isIntel, bytes }: UsedWord, available: number): string => {
  const isWhole = bytes.size > 1 && word * 4 + 4 <= available;
  if (isWhole) return `view.getInt32(at + ${word * 4}, ${isIntel})`;
  return Array.from(bytes, (byte) => byteText(byte, isIntel)).join(' | ');
};

/**
 * Declares the words that contain the signals, each read once. Only `available` bytes of the
 * payload are read.
 */
export const wordDeclarations = (layouts: readonly SignalLayout[], available: number): string => {
  const words = new Map<string, UsedWord>();
  for (const layout of layouts) {
    for (let byte = layout.firstByte; byte < layout.endByte; byte++) {
      const word = byte >> 2;
      const name = nameOf(layout, word);
      const isIntel = layout.byteOrder === 'intel';
      const used = words.get(name) ?? { word, isIntel, bytes: new Set() };
      words.set(name, used);
      used.bytes.add(byte);
    }
  }
  return Array.from(words, ([name, used]) => `const ${name} = ${loadText(used, available)};`).join(
    '\n',
  );
};

export const piecesIn = ({ length }: SignalLayout): number => Math.ceil(length / 32);

const bitsOf = ({ length }: SignalLayout, piece: number): number =>
  Math.min(32, length - piece * 32);

/** Bits of a piece at the low end of an int32; higher bits can be set. */
const looseBits = (layout: SignalLayout, piece: number): string => {
  const { word, shift, step } = layout;
  const low = nameOf(layout, word + step * piece);
  if (shift === 0) return low;
  if (shift + bitsOf(layout, piece) <= 32) return `${low} >>> ${shift}`;
  return `(${low} >>> ${shift} | ${nameOf(layout, word + step * (piece + 1))} << ${32 - shift})`;
};

/** Bits from 32 × `piece` as a number, zero-extended or sign-extended. */
export const pieceText = (layout: SignalLayout, piece: number, isSigned: boolean): string => {
  const bits = bitsOf(layout, piece);
  const loose = looseBits(layout, piece);
  if (!isSigned) return bits === 32 ? `(${loose} >>> 0)` : `(${loose} & ${2 ** bits - 1})`;
  const { word, shift, step } = layout;
  if (bits === 32) return `(${loose} | 0)`;
  if (shift + bits > 32) return `(${loose} << ${32 - bits} >> ${32 - bits})`;
  return `(${nameOf(layout, word + step * piece)} << ${32 - bits - shift} >> ${32 - bits})`;
};

/** The signal as a double: exact up to 53 bits, otherwise the double of its leading bits. */
export const doubleText = (layout: SignalLayout, isSigned: boolean): string => {
  let piece = piecesIn(layout) - 1;
  let text = pieceText(layout, piece, isSigned);
  while (piece > 0) {
    piece -= 1;
    text = `(${text} * 4294967296 + ${pieceText(layout, piece, false)})`;
  }
  return text;
};

/** The signal as an unsigned bigint. Allocates, so it is only used above 53 bits. */
export const bigintText = (layout: SignalLayout): string =>
  Array.from(
    { length: piecesIn(layout) },
    (_, piece) => `(BigInt(${pieceText(layout, piece, false)}) << ${32 * piece}n)`,
  ).join(' | ');
