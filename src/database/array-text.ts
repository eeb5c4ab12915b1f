import type { ArrayText } from './model.ts';

/** Bytes of a byte array in the order they are sent; the first one is the least significant. */
const bytesOf = (raw: bigint, count: number): number[] =>
  Array.from({ length: count }, (_, byte) => Number((raw >> BigInt(byte * 8)) & 0xffn));

const rawOf = (bytes: readonly number[]): bigint =>
  bytes.reduceRight((raw, byte) => (raw << 8n) | BigInt(byte), 0n);

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** Text ends before the NULs that fill the array. */
const asciiOf = (bytes: readonly number[]): string | null => {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const text = bytes.slice(0, end);
  return text.every(isPrintable) ? String.fromCharCode(...text) : null;
};

const digitsOf = (bytes: readonly number[]): string | null =>
  bytes.every((byte) => byte <= 9) ? BigInt(bytes.join('')).toString() : null;

/** Text of a byte array; null if its bytes are no text of that form. */
export const textOfArray = (raw: bigint, bits: number, form: ArrayText): string | null => {
  const bytes = bytesOf(raw, bits / 8);
  if (form === 'ascii') return asciiOf(bytes);
  if (form === 'bcd') return digitsOf(bytes);
  return bytes.map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');
};

const bytesOfText = (text: string, count: number, form: ArrayText): number[] | null => {
  switch (form) {
    case 'ascii': {
      const bytes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
      return bytes.every(isPrintable)
        ? [...bytes, ...Array(count).fill(0)].slice(0, Math.max(count, bytes.length))
        : null;
    }
    case 'bcd':
      return /^\d+$/.test(text) ? Array.from(text.padStart(count, '0'), Number) : null;
    case 'hex':
      return /^(?:[0-9a-fA-F]{2})*$/.test(text)
        ? Array.from({ length: text.length / 2 }, (_, byte) =>
            Number.parseInt(text.slice(byte * 2, byte * 2 + 2), 16),
          )
        : null;
  }
};

/** Raw value of a byte array; null for a text of another form or length. */
export const rawOfArrayText = (text: string, bits: number, form: ArrayText): bigint | null => {
  const bytes = bytesOfText(text, bits / 8, form);
  return bytes === null || bytes.length !== bits / 8 ? null : rawOf(bytes);
};

/** What the text of a byte array has to be, to complete “requires …”. */
export const arrayTextRule = (bits: number, form: ArrayText): string => {
  const count = bits / 8;
  if (form === 'ascii') return `up to ${count} ASCII characters`;
  if (form === 'bcd') return `up to ${count} decimal digits`;
  return `${count * 2} hexadecimal digits`;
};
