/**
 * Identifiers as people write them to choose frames: hex as it is printed, `123` or `18FF50E5`, a
 * range `100-1FF`, or an identifier with the bits that count, `123:7FF` (candump's filters).
 *
 * Up to three digits mean 11 bits, and the six of LIN; eight mean 29. `00000123` is therefore
 * another identifier than `123`, here as in what is printed.
 */
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { maxExtendedId, maxStandardId } from './frame.ts';

/** Passes identifiers of one width whose masked bits lie between two bounds. */
export interface IdPattern {
  readonly extended: boolean;
  readonly mask: number;
  readonly low: number;
  readonly high: number;
}

const number = '(?:0[xX])?[0-9A-Fa-f]{1,8}[hH]?';

/** What the text of a pattern looks like; what it means is for `parseIdPattern` to judge. */
export const idPatternText = `^${number}(?:[-:]${number})?$`;

/** The same in words. */
export const idPatternForm =
  'hex as it is printed: 123, 18FF50E5, a range 100-1FF or a mask 123:7FF';

const whole = new RegExp(idPatternText);
const standardDigits = 3;
const extendedDigits = 8;

interface WrittenId {
  readonly value: number;
  readonly extended: boolean;
}

const refuse = (field: string, message: string, reason: string): BusbarError =>
  invalidArgument(field, `${field} ${message}`, { reason });

const digitsOf = (text: string): string => text.replace(/^0x/i, '').replace(/h$/i, '');

const writtenId = (text: string, field: string): WrittenId => {
  const digits = digitsOf(text);
  const value = Number.parseInt(digits, 16);
  if (value > maxExtendedId) throw refuse(field, `has ${text}, above 1FFFFFFF`, 'out_of_range');
  if (digits.length <= standardDigits && value <= maxStandardId) return { value, extended: false };
  if (digits.length === extendedDigits || value > maxStandardId) return { value, extended: true };
  const widths = '11 bits take up to 3 digits and 29 bits take 8';
  throw refuse(field, `has ${text}, of unclear width: ${widths}`, 'unclear_width');
};

const widthOf = (extended: boolean): string => (extended ? '29 bits' : '11 bits');

const rangeFrom = (low: WrittenId, high: WrittenId, field: string): IdPattern => {
  if (low.extended !== high.extended) {
    const widths = `from ${widthOf(low.extended)} to ${widthOf(high.extended)}`;
    throw refuse(field, `is a range ${widths}`, 'mixed_widths');
  }
  if (low.value > high.value) throw refuse(field, 'is a range that ends before it begins', 'order');
  const { extended } = low;
  return { extended, mask: maxExtendedId, low: low.value, high: high.value };
};

const maskedBy = ({ value, extended }: WrittenId, text: string, field: string): IdPattern => {
  const mask = Number.parseInt(digitsOf(text), 16);
  if (mask > (extended ? maxExtendedId : maxStandardId)) {
    const width = widthOf(extended);
    throw refuse(field, `has the mask ${text} for an identifier of ${width}`, 'out_of_range');
  }
  const masked = value & mask;
  return { extended, mask, low: masked, high: masked };
};

/** The pattern that a text denotes; `field` is what refusals call the text. */
export const parseIdPattern = (text: string, field: string): IdPattern => {
  if (!whole.test(text)) throw refuse(field, `must be ${idPatternForm}`, 'pattern');
  const [first = '', second] = text.split(/[-:]/);
  const id = writtenId(first, field);
  if (second === undefined) return rangeFrom(id, id, field);
  if (text.includes(':')) return maskedBy(id, second, field);
  return rangeFrom(id, writtenId(second, field), field);
};
