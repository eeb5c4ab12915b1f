import { invalidArgument } from '../base/errors/busbar-error.ts';

interface HexShape {
  readonly maxLength: number;
  readonly separators?: string;
}

export interface HexOptions extends HexShape {
  readonly field: string;
}

export interface HexError {
  readonly reason: 'bad_character' | 'half_byte' | 'too_long';
  readonly position: number;
}

const nibble = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

const shown = (character: string): string => JSON.stringify(character);

/**
 * Parses hex digits, or returns the error. Separators are allowed only between bytes: `1 2`
 * could mean 12 or 01 02.
 */
export const readHex = (
  text: string,
  { maxLength, separators = ' .:-_' }: HexShape,
): Uint8Array | HexError => {
  const bytes = new Uint8Array(maxLength);
  let length = 0;
  let at = 0;
  while (at < text.length) {
    if (separators.includes(text.charAt(at))) {
      at += 1;
      continue;
    }
    const high = nibble(text, at);
    if (high < 0) return { reason: 'bad_character', position: at };
    const low = nibble(text, at + 1);
    if (low < 0) {
      const next = text.charAt(at + 1);
      return next === '' || separators.includes(next)
        ? { reason: 'half_byte', position: at }
        : { reason: 'bad_character', position: at + 1 };
    }
    if (length === maxLength) return { reason: 'too_long', position: at };
    bytes[length] = (high << 4) | low;
    length += 1;
    at += 2;
  }
  return bytes.slice(0, length);
};

export const parseHex = (text: string, { field, ...shape }: HexOptions): Uint8Array => {
  const read = readHex(text, shape);
  if (read instanceof Uint8Array) return read;
  const { reason, position } = read;
  if (reason === 'too_long') {
    const { maxLength } = shape;
    const message = `${field} has more than ${maxLength} bytes`;
    throw invalidArgument(field, message, { reason, limit: maxLength });
  }
  const message =
    reason === 'half_byte'
      ? `${field} has an odd number of hex digits`
      : `${field} contains ${shown(text.charAt(position))}, which is not a hex digit`;
  throw invalidArgument(field, message, { reason, position });
};

const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
);

export const hexByte = (value: number): string => pairs[value & 0xff] as string;

export const formatHex = (bytes: Uint8Array, separator = '', length = bytes.length): string => {
  let text = '';
  for (let i = 0; i < length; i++) {
    if (i > 0) text += separator;
    text += pairs[bytes[i] as number];
  }
  return text;
};

export const hexDigits = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');
