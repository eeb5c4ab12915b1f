import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { type IdPattern, isOfPattern, readIdPattern } from '../../../src/frame/id-pattern.ts';

/** Identifiers that are wanted, or that are not. */
export interface IdChoice extends IdPattern {
  readonly isExcluded: boolean;
}

/** What was typed, or what is wrong with it, in words for the user. */
export type Parsed<T> = { readonly ok: T } | { readonly error: string };

const extendedDigits = 8;
const wild = /^(?:0x)?[0-9a-f?]{1,8}h?$/i;

/** With an x behind one of its numbers all of a pattern has 29 bits, as with eight digits. */
const unmarked = (text: string): string =>
  /x(?:$|[-:])/i.test(text)
    ? text.replaceAll(/(?:0x)?([0-9a-f?]+)[xh]?/gi, (_, digits: string) =>
        digits.padStart(extendedDigits, '0'),
      )
    : text;

/** Bits of an identifier that its wildcards leave open. */
const openBits = (text: string): number => {
  const digits = text.replace(/^0x/i, '').replace(/h$/i, '');
  return Number.parseInt(digits.replaceAll(/[^?]/g, '0').replaceAll('?', 'F'), 16);
};

/**
 * One pattern as the service reads it, and beyond that: `!` before it excludes, `?` is any digit of
 * one identifier, and an x behind it means 29 bits.
 */
const choiceOf = (word: string): Parsed<IdChoice> => {
  const isExcluded = word.startsWith('!');
  const text = unmarked(isExcluded ? word.slice(1) : word);
  const isWild = wild.test(text) && text.includes('?');
  const read = readIdPattern(isWild ? text.replaceAll('?', '0') : text);
  if ('reason' in read) {
    const words = read.reason === 'pattern' ? `${read.words}, or 7E? for any digit` : read.words;
    return { error: `“${word}” ${words}` };
  }
  // The digits that are typed count, and those before them, which are zeros.
  const mask = isWild ? read.mask & ~openBits(text) : read.mask;
  return { ok: { ...read, mask, isExcluded } };
};

/** Reads identifiers, ranges and masks in hex, with commas or blanks between them. */
export const parseIdChoices = (text: string): Parsed<readonly IdChoice[]> => {
  const choices: IdChoice[] = [];
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const parsed = choiceOf(word);
    if ('error' in parsed) return parsed;
    choices.push(parsed.ok);
  }
  return { ok: choices };
};

/** Whether it is the pattern's; what an error frame has for an identifier is none. */
const isMeant = (choice: IdChoice, id: number, flags: number): boolean =>
  (flags & frameFlag.error) === 0 &&
  choice.extended === ((flags & frameFlag.extended) !== 0) &&
  isOfPattern(choice, id);

/** Whether none of the choices excludes the identifier, and one means it if any does not exclude. */
export const matchesId = (choices: readonly IdChoice[], id: number, flags: number): boolean => {
  let isWanted = true;
  for (const choice of choices) if (!choice.isExcluded) isWanted = false;
  for (const choice of choices) {
    if (!isMeant(choice, id, flags)) continue;
    if (choice.isExcluded) return false;
    isWanted = true;
  }
  return isWanted;
};
