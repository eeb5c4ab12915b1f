import { readId } from '../../../src/frame/id-pattern.ts';

const integerText = /^-?\d+$/;
const numberText = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexText = /^(?:0[xX]([0-9a-fA-F]+)|([0-9a-fA-F]+)[hH])$/;

/**
 * The number that was typed; undefined for an empty field, which is left out of a request. What is
 * no number stays the text it is: then the contract refuses it, at the field.
 */
export const numberOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  return numberText.test(typed) ? Number(typed) : typed;
};

/** Microseconds of a time that was typed in milliseconds. What is no number stays the text it is. */
export const microsecondsOf = (text: string): number | string | undefined => {
  const ms = numberOf(text);
  return typeof ms === 'number' ? Number((ms * 1000).toFixed(6)) : ms;
};

/** Microseconds as fields in milliseconds show them; empty where there are none. */
export const millisecondsText = (us: number | undefined): string =>
  us === undefined ? '' : String(us / 1000);

/** Like `numberOf`, for integers that may be written in hex as well: `0x123`, `123h` or `291`. */
export const integerOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  const [, prefixed, suffixed] = hexText.exec(typed) ?? [];
  const digits = prefixed ?? suffixed;
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return typed === '' || !integerText.test(typed) ? typed || undefined : Number(typed);
};

/** The identifier that was typed, in hex as it is printed; other text stays as it is, as in `numberOf`. */
export const idOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  const read = readId(typed);
  return 'reason' in read ? typed : read.value;
};

/** An identifier as the fields show it. */
export const idText = (id: number, digits = 3): string =>
  id.toString(16).toUpperCase().padStart(digits, '0');

/** What was typed as an identifier, in so many digits at least; anything else as it is. */
export const shownId = (text: string, digits = 3): string => {
  const id = idOf(text);
  return typeof id === 'number' ? idText(id, digits) : text.trim();
};
