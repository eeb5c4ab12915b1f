import { frameFlag } from '../../../src/frame/frm2-layout.ts';

/** Identifiers that a pattern means: a range, and of that those that agree with the mask. */
export interface IdPattern {
  readonly isExcluded: boolean;
  readonly isExtendedOnly: boolean;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly mask: number;
}

/** What was typed, or what is wrong with it, in words for the user. */
export type Parsed<T> = { readonly ok: T } | { readonly error: string };

const highestId = 0x1fffffff;
const wholeId = /^(?:0x)?([0-9a-f]+)(x?)$/i;
const wildId = /^(?:0x)?([0-9a-f?]+)(x?)$/i;
const extendedDigits = 8;

const everything = { from: 0, to: highestId, value: 0, mask: 0 };

/** A hex number that can be an identifier; null if it is none. */
const idOf = (text: string): { id: number; isExtended: boolean } | null => {
  const match = wholeId.exec(text);
  const digits = match?.[1] ?? '';
  const id = Number.parseInt(digits, 16);
  if (!match || !(id <= highestId)) return null;
  return { id, isExtended: match[2] !== '' || digits.length === extendedDigits };
};

const rangeOf = (text: string, at: number): Omit<IdPattern, 'isExcluded'> | string => {
  const from = idOf(text.slice(0, at));
  const to = idOf(text.slice(at + 1));
  if (!from || !to) return `“${text}” is no range of hex identifiers such as 100-1FF`;
  if (from.id > to.id) return `“${text}” ends before it starts`;
  const isExtendedOnly = from.isExtended || to.isExtended;
  return { ...everything, isExtendedOnly, from: from.id, to: to.id };
};

const maskedOf = (text: string, at: number): Omit<IdPattern, 'isExcluded'> | string => {
  const value = idOf(text.slice(0, at));
  const mask = idOf(text.slice(at + 1));
  if (!value || !mask) return `“${text}” is no identifier and mask such as 7E0:7F0`;
  const isExtendedOnly = value.isExtended;
  return { ...everything, isExtendedOnly, value: value.id & mask.id, mask: mask.id };
};

const wildOf = (text: string): Omit<IdPattern, 'isExcluded'> | string => {
  const match = wildId.exec(text);
  const digits = match?.[1] ?? '';
  if (!match || digits.length > extendedDigits) {
    return `“${text}” is no hex identifier such as 7E0, 18FF50E5, 7E?, 100-1FF or 7E0:7F0`;
  }
  const value = Number.parseInt(digits.replaceAll('?', '0'), 16);
  const mask = Number.parseInt(digits.replaceAll(/[^?]/g, 'F').replaceAll('?', '0'), 16);
  if (value > highestId) return `“${text}” is above ${highestId.toString(16).toUpperCase()}`;
  const isExtendedOnly = match[2] !== '' || digits.length === extendedDigits;
  // Digits that are not typed are zeros.
  const to = Number.parseInt(digits.replaceAll('?', 'F'), 16);
  return { from: 0, to: Math.min(to, highestId), value, mask: mask & highestId, isExtendedOnly };
};

const patternOf = (text: string): Parsed<IdPattern> => {
  const isExcluded = text.startsWith('!');
  const body = isExcluded ? text.slice(1) : text;
  const dash = body.indexOf('-');
  const colon = body.indexOf(':');
  const found = dash >= 0 ? rangeOf(body, dash) : colon >= 0 ? maskedOf(body, colon) : wildOf(body);
  return typeof found === 'string' ? { error: found } : { ok: { isExcluded, ...found } };
};

/** Reads identifiers, ranges and masks in hex, with commas or blanks between them. */
export const parseIdPatterns = (text: string): Parsed<readonly IdPattern[]> => {
  const patterns: IdPattern[] = [];
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const parsed = patternOf(word);
    if ('error' in parsed) return parsed;
    patterns.push(parsed.ok);
  }
  return { ok: patterns };
};

const isMeant = (pattern: IdPattern, id: number, flags: number): boolean =>
  id >= pattern.from &&
  id <= pattern.to &&
  (id & pattern.mask) === pattern.value &&
  (!pattern.isExtendedOnly || (flags & frameFlag.extended) !== 0);

/** Whether none of the patterns excludes the identifier, and one means it if any does not exclude. */
export const matchesId = (patterns: readonly IdPattern[], id: number, flags: number): boolean => {
  let isWanted = true;
  for (const pattern of patterns) if (!pattern.isExcluded) isWanted = false;
  for (const pattern of patterns) {
    if (!isMeant(pattern, id, flags)) continue;
    if (pattern.isExcluded) return false;
    isWanted = true;
  }
  return isWanted;
};
