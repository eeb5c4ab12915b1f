/**
 * Identifiers in printed hex form: `123` or `18FF50E5`. Patterns also allow a range `100-1FF`
 * or a mask `123:7FF`, as in candump. Up to three digits mean 11 bits, or 6 on LIN; eight
 * digits mean 29. `00000123` and `123` are therefore different identifiers.
 */
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { maxExtendedId, maxStandardId } from './frame.ts';

export interface IdPattern {
  readonly extended: boolean;
  readonly mask: number;
  readonly low: number;
  readonly high: number;
}

const number = '(?:0[xX])?[0-9A-Fa-f]{1,8}[hH]?';

export const idText = `^${number}$`;

export const idForm = 'hex as it is printed: 123 for 11 bits, 18FF50E5 for 29 bits, 3C for LIN';

export const idPatternText = `^${number}(?:[-:]${number})?$`;

export const idPatternForm =
  'hex as it is printed: 123, 18FF50E5, a range 100-1FF or a mask 123:7FF';

const single = new RegExp(idText);
const whole = new RegExp(idPatternText);
const standardDigits = 3;
const extendedDigits = 8;

interface WrittenId {
  readonly value: number;
  readonly extended: boolean;
}

/** The width is null if the digits do not determine it. */
export interface ReadId {
  readonly value: number;
  readonly extended: boolean | null;
}

/** Identifier error. The message continues a sentence that begins with the field name. */
export interface IdPatternError {
  readonly reason: 'pattern' | 'out_of_range' | 'unclear_width' | 'mixed_widths' | 'order';
  readonly words: string;
}

const digitsOf = (text: string): string => text.replace(/^0x/i, '').replace(/h$/i, '');

const hexNumber = (text: string): number => Number.parseInt(digitsOf(text), 16);

const widthByDigits = (text: string): boolean | null => {
  if (hexNumber(text) > maxStandardId) return true;
  const { length } = digitsOf(text);
  if (length <= standardDigits) return false;
  return length === extendedDigits ? true : null;
};

export const unclearWidth = (text: string): IdPatternError => ({
  reason: 'unclear_width',
  words: `has ${text}, which is ambiguous: 11-bit identifiers have up to 3 digits, 29-bit ones have 8`,
});

export const readId = (text: string): ReadId | IdPatternError => {
  if (!single.test(text)) return { reason: 'pattern', words: `must be ${idForm}` };
  const value = hexNumber(text);
  if (value > maxExtendedId) {
    return { reason: 'out_of_range', words: `has ${text}, above 1FFFFFFF` };
  }
  return { value, extended: widthByDigits(text) };
};

const writtenId = (text: string): WrittenId | IdPatternError => {
  const read = readId(text);
  if ('reason' in read) return read;
  const { value, extended } = read;
  return extended === null ? unclearWidth(text) : { value, extended };
};

export const widthOf = (extended: boolean): string => (extended ? '29 bits' : '11 bits');

const rangeFrom = (low: WrittenId, high: WrittenId): IdPattern | IdPatternError => {
  if (low.extended !== high.extended) {
    const widths = `from ${widthOf(low.extended)} to ${widthOf(high.extended)}`;
    return { reason: 'mixed_widths', words: `is a range ${widths}` };
  }
  if (low.value > high.value) {
    return { reason: 'order', words: 'is a range whose end is below its start' };
  }
  const { extended } = low;
  return { extended, mask: maxExtendedId, low: low.value, high: high.value };
};

const maskedBy = ({ value, extended }: WrittenId, text: string): IdPattern | IdPatternError => {
  const mask = hexNumber(text);
  if (mask > (extended ? maxExtendedId : maxStandardId)) {
    const words = `has the mask ${text} for an identifier of ${widthOf(extended)}`;
    return { reason: 'out_of_range', words };
  }
  const masked = value & mask;
  return { extended, mask, low: masked, high: masked };
};

export const readIdPattern = (text: string): IdPattern | IdPatternError => {
  if (!whole.test(text)) return { reason: 'pattern', words: `must be ${idPatternForm}` };
  const [first = '', second] = text.split(/[-:]/);
  const id = writtenId(first);
  if ('reason' in id) return id;
  if (second === undefined) return rangeFrom(id, id);
  if (text.includes(':')) return maskedBy(id, second);
  const end = writtenId(second);
  return 'reason' in end ? end : rangeFrom(id, end);
};

export const parseIdPattern = (text: string, field: string): IdPattern => {
  const read = readIdPattern(text);
  if (!('reason' in read)) return read;
  const { reason, words } = read;
  throw invalidArgument(field, `${field} ${words}`, { reason });
};

export const isOfPattern = ({ mask, low, high }: IdPattern, id: number): boolean => {
  const masked = id & mask;
  return masked >= low && masked <= high;
};
