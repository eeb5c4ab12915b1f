/**
 * Writes text, numbers and hex as ASCII into memory. Each function returns the offset after its
 * output.
 */

/**
 * Text as words of eight bytes, stored as doubles. Storing a double writes eight bytes in one step,
 * more than twice as fast as single bytes. ASCII never forms a NaN, the only double whose bits
 * could change.
 */
export interface AsciiText {
  readonly words: Float64Array;
  readonly length: number;
}

/** Bytes that a write may overwrite past the end of the text. The next write replaces them. */
export const asciiSlack = 7;

export const asciiText = (text: string): AsciiText => {
  const words = new Float64Array(Math.ceil(text.length / 8));
  const bytes = new DataView(new ArrayBuffer(words.length * 8));
  for (let i = 0; i < text.length; i++) bytes.setUint8(i, text.charCodeAt(i) & 0x7f);
  for (let i = 0; i < words.length; i++) words[i] = bytes.getFloat64(i * 8);
  return { words, length: text.length };
};

export const putAscii = (view: DataView, at: number, text: AsciiText): number => {
  const { words } = text;
  for (let i = 0; i < words.length; i++) view.setFloat64(at + i * 8, words[i] as number);
  return at + text.length;
};

const asciiPairs = (count: number, base: number): Uint16Array =>
  Uint16Array.from({ length: count }, (_, value) => {
    const text = value.toString(base).toUpperCase().padStart(2, '0');
    return (text.charCodeAt(0) << 8) | text.charCodeAt(1);
  });

const decimalPairs = asciiPairs(100, 10);
const hexPairs = asciiPairs(256, 16);

const digitsOf = (value: number): number => {
  if (value < 100) return value < 10 ? 1 : 2;
  if (value < 10_000) return value < 1000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8;
  return value < 1_000_000_000 ? 9 : 10;
};

export const putUint32 = (view: DataView, at: number, value: number): number => {
  const end = at + digitsOf(value);
  let place = end;
  let rest = value >>> 0;
  while (rest >= 100) {
    const quotient = (rest / 100) >>> 0;
    place -= 2;
    view.setUint16(place, decimalPairs[rest - quotient * 100] as number);
    rest = quotient;
  }
  if (rest >= 10) view.setUint16(place - 2, decimalPairs[rest] as number);
  else view.setUint8(place - 1, 0x30 + rest);
  return end;
};

const putEightDigits = (view: DataView, at: number, value: number): number => {
  const high = (value / 10_000) >>> 0;
  const low = (value - high * 10_000) >>> 0;
  const first = (high / 100) >>> 0;
  const third = (low / 100) >>> 0;
  view.setUint16(at, decimalPairs[first] as number);
  view.setUint16(at + 2, decimalPairs[high - first * 100] as number);
  view.setUint16(at + 4, decimalPairs[third] as number);
  view.setUint16(at + 6, decimalPairs[low - third * 100] as number);
  return at + 8;
};

export const putInteger = (view: DataView, at: number, value: number): number => {
  if (value <= 0xffff_ffff) return putUint32(view, at, value);
  // Below 2^53 the upper part has at most eight digits, and the subtraction is exact.
  const upper = Math.floor(value / 1e8);
  return putEightDigits(view, putUint32(view, at, upper), value - upper * 1e8);
};

export const putHex = (
  view: DataView,
  at: number,
  source: DataView,
  from: number,
  length: number,
): number => {
  for (let i = 0; i < length; i++) {
    view.setUint16(at + 2 * i, hexPairs[source.getUint8(from + i)] as number);
  }
  return at + 2 * length;
};
