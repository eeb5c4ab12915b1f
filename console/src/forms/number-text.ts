import { readId } from '../../../src/frame/id-pattern.ts';

const integerText = /^-?\d+$/;
const numberText = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexText = /^(?:0[xX]([0-9a-fA-F]+)|([0-9a-fA-F]+)[hH])$/;

/**
 * Parses a number; undefined for an empty field, which is omitted from the request. Other text
 * is returned unchanged, so that the schema check rejects it at its field.
 */
export const numberOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  return numberText.test(typed) ? Number(typed) : typed;
};

/** Converts milliseconds to microseconds; other text as in `numberOf`. */
export const microsecondsOf = (text: string): number | string | undefined => {
  const ms = numberOf(text);
  return typeof ms === 'number' ? Number((ms * 1000).toFixed(6)) : ms;
};

export const millisecondsText = (us: number | undefined): string =>
  us === undefined ? '' : String(us / 1000);

/** Like `numberOf`, for integers, also in hex: `0x123`, `123h` or `291`. */
export const integerOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  const [, prefixed, suffixed] = hexText.exec(typed) ?? [];
  const digits = prefixed ?? suffixed;
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return typed === '' || !integerText.test(typed) ? typed || undefined : Number(typed);
};

export const idOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  const read = readId(typed);
  return 'reason' in read ? typed : read.value;
};

export const idText = (id: number, digits = 3): string =>
  id.toString(16).toUpperCase().padStart(digits, '0');

/** Pads a typed identifier to a minimum number of digits; other text stays unchanged. */
export const shownId = (text: string, digits = 3): string => {
  const id = idOf(text);
  return typeof id === 'number' ? idText(id, digits) : text.trim();
};
