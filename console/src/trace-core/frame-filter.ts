import { maxFdLength } from '../../../src/frame/dlc.ts';
import { eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { type IdPattern, isOfPattern, readIdPattern } from '../../../src/frame/id-pattern.ts';
import { type SeenChannel, type SlotSpan, spanTest } from './channel-names.ts';
import { droppedKind, everyChannel, type FrameChunk, gapKind, twinRow } from './frame-chunk.ts';
import type { MessageNames } from './message-names.ts';

interface IdChoice extends IdPattern {
  readonly isExcluded: boolean;
}

type Parsed<T> = { readonly ok: T } | { readonly error: string };

const extendedDigits = 8;
const wild = /^(?:0x)?[0-9a-f?]{1,8}h?$/i;

/** An x after one of its numbers makes the whole pattern 29 bits wide, like eight digits do. */
const unmarked = (text: string): string =>
  /x(?:$|[-:])/i.test(text)
    ? text.replaceAll(/(?:0x)?([0-9a-f?]+)[xh]?/gi, (_, digits: string) =>
        digits.padStart(extendedDigits, '0'),
      )
    : text;

const openBits = (text: string): number => {
  const digits = text.replace(/^0x/i, '').replace(/h$/i, '');
  return Number.parseInt(digits.replaceAll(/[^?]/g, '0').replaceAll('?', 'F'), 16);
};

/**
 * A pattern as the service parses it, extended by `!` to exclude, `?` for any digit and a
 * trailing x for 29 bits.
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
  // Typed digits and their leading zeros must match.
  const mask = isWild ? read.mask & ~openBits(text) : read.mask;
  return { ok: { ...read, mask, isExcluded } };
};

export const parseIdChoices = (text: string): Parsed<readonly IdChoice[]> => {
  const choices: IdChoice[] = [];
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const parsed = choiceOf(word);
    if ('error' in parsed) return parsed;
    choices.push(parsed.ok);
  }
  return { ok: choices };
};

const isMeant = (choice: IdChoice, id: number, flags: number): boolean =>
  (flags & frameFlag.error) === 0 &&
  choice.extended === ((flags & frameFlag.extended) !== 0) &&
  isOfPattern(choice, id);

/** Returns whether no excluding choice matches, and at least one of the others, if any. */
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

interface BytePattern {
  readonly isAnywhere: boolean;
  readonly values: readonly number[];
  readonly masks: readonly number[];
}

const nibbles = /^[0-9a-f?]*$/i;

const digit = (text: string): number => (text === '?' ? 0 : Number.parseInt(text, 16));

const maskOf = (text: string): number => (text === '?' ? 0 : 0xf);

/** Parses `?? FF 1?`: hex digits and wildcards from byte 0; a leading `*` matches anywhere. */
const parseBytePattern = (text: string): Parsed<BytePattern | null> => {
  const isAnywhere = text.trimStart().startsWith('*');
  const digits = text.replace(/^\s*\*/, '').replaceAll(/[\s,.:-]+/g, '');
  if (digits === '') return { ok: null };
  if (!nibbles.test(digits)) {
    return { error: `“${text.trim()}” may only contain hex digits, ? and a leading *` };
  }
  if (digits.length % 2 !== 0) {
    return { error: `“${text.trim()}” has an odd number of hex digits` };
  }
  const pairs = digits.match(/../g) ?? [];
  return {
    ok: {
      isAnywhere,
      values: pairs.map(([high = '', low = '']) => (digit(high) << 4) | digit(low)),
      masks: pairs.map(([high = '', low = '']) => (maskOf(high) << 4) | maskOf(low)),
    },
  };
};

const fitsAt = (pattern: BytePattern, data: Uint8Array, from: number): boolean => {
  for (let i = 0; i < pattern.values.length; i++) {
    const byte = data[from + i] as number;
    if ((byte & (pattern.masks[i] as number)) !== pattern.values[i]) return false;
  }
  return true;
};

const matchesBytes = (
  pattern: BytePattern,
  data: Uint8Array,
  start: number,
  length: number,
): boolean => {
  const last = length - pattern.values.length;
  if (last < 0) return false;
  const tries = pattern.isAnywhere ? last : 0;
  for (let i = 0; i <= tries; i++) if (fitsAt(pattern, data, start + i)) return true;
  return false;
};

interface WordPattern {
  readonly isExcluded: boolean;
  readonly expression: RegExp;
}

const escaped = (text: string): string => text.replaceAll(/[$()+./[\\\]^{|}]/g, '\\$&');

const expressionOf = (word: string): RegExp => {
  const body = escaped(word).replaceAll('*', '.*').replaceAll('?', '.');
  // A word with wildcards matches the whole name; without, a part of it.
  return new RegExp(/[*?]/.test(word) ? `^${body}$` : body, 'i');
};

/** Parses names separated by commas or spaces; `!` excludes one. */
const parseWords = (text: string): readonly WordPattern[] =>
  text
    .split(/[\s,;]+/)
    .map((word) => ({ isExcluded: word.startsWith('!'), body: word.replace(/^!/, '') }))
    .filter(({ body }) => body !== '')
    .map(({ isExcluded, body }) => ({ isExcluded, expression: expressionOf(body) }));

const matchesWords = (patterns: readonly WordPattern[], name: string): boolean => {
  let isWanted = patterns.every(({ isExcluded }) => isExcluded);
  for (const { isExcluded, expression } of patterns) {
    if (!expression.test(name)) continue;
    if (isExcluded) return false;
    isWanted = true;
  }
  return isWanted;
};

export interface FilterText {
  readonly channel: string;
  readonly id: string;
  readonly name: string;
  readonly direction: '' | 'rx' | 'tx';
  readonly data: string;
}

export const emptyFilter: FilterText = { channel: '', id: '', name: '', direction: '', data: '' };

export interface FrameFilter {
  readonly channels: readonly SlotSpan[] | null;
  readonly ids: readonly IdChoice[];
  readonly names: readonly WordPattern[];
  readonly kind: number | null;
  readonly data: BytePattern | null;
  /** Whether a frame that was sent and received again is one row. */
  readonly isFolded: boolean;
}

export type FilterErrors = Partial<Record<keyof FilterText, string>>;

/** A slot number matches every channel that has had the slot. */
const atAnyTime = (slot: number): SlotSpan => ({
  slot,
  fromUs: Number.NEGATIVE_INFINITY,
  untilUs: Number.POSITIVE_INFINITY,
});

const wantedChannels = (
  text: string,
  seen: readonly SeenChannel[],
): Parsed<readonly SlotSpan[] | null> => {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return { ok: null };
  const spans: SlotSpan[] = [];
  for (const word of words) {
    const called = word.toLowerCase();
    const where = (isMeant: (name: string) => boolean): readonly SeenChannel[] =>
      seen.filter(({ labels }) => labels.some(isMeant));
    const exact = where((name) => name.toLowerCase() === called);
    const found = exact.length > 0 ? exact : where((name) => name.toLowerCase().includes(called));
    if (/^\d+$/.test(word)) spans.push(atAnyTime(Number(word)));
    else if (found.length === 0) return { error: `Unknown channel “${word}”` };
    else spans.push(...found);
  }
  return { ok: spans };
};

export const parseFilter = (
  text: FilterText,
  seen: readonly SeenChannel[],
  isFolded = false,
): { readonly filter: FrameFilter } | { readonly errors: FilterErrors } => {
  const channels = wantedChannels(text.channel, seen);
  const ids = parseIdChoices(text.id);
  const data = parseBytePattern(text.data);
  if ('error' in channels || 'error' in ids || 'error' in data) {
    return {
      errors: {
        ...('error' in channels ? { channel: channels.error } : {}),
        ...('error' in ids ? { id: ids.error } : {}),
        ...('error' in data ? { data: data.error } : {}),
      },
    };
  }
  return {
    filter: {
      channels: channels.ok,
      ids: ids.ok,
      names: parseWords(text.name),
      kind: { '': null, rx: eventKindCode.rx_frame, tx: eventKindCode.tx_complete }[text.direction],
      data: data.ok,
      isFolded,
    },
  };
};

export const isOpen = (filter: FrameFilter): boolean => {
  const { channels, ids, names, kind, data, isFolded } = filter;
  const isOfAll = channels === null && ids.length === 0 && names.length === 0;
  return isOfAll && kind === null && data === null && !isFolded;
};

/** Returns a test for rows. Gaps pass unless their channel does not. */
export const rowTest = (filter: FrameFilter, messages: MessageNames) => {
  const { ids, names, kind, data, isFolded } = filter;
  const isMeant = filter.channels && spanTest(filter.channels);
  return (chunk: FrameChunk, row: number): boolean => {
    const channel = chunk.channel[row] as number;
    const us = chunk.timestampUs[row] as number;
    if (chunk.kind[row] === gapKind) {
      return isMeant === null || channel === everyChannel || isMeant(channel, us);
    }
    const rowKind = chunk.kind[row] === droppedKind ? eventKindCode.tx_complete : chunk.kind[row];
    const twin = isFolded ? chunk.twin[row] : twinRow.none;
    if (twin === twinRow.further) return false;
    if (kind !== null && rowKind !== kind && twin !== twinRow.first) return false;
    if (isMeant !== null && !isMeant(channel, us)) return false;
    const id = chunk.id[row] as number;
    const flags = chunk.flags[row] as number;
    if (ids.length > 0 && !matchesId(ids, id, flags)) return false;
    if (data !== null) {
      const length = chunk.length[row] as number;
      if (!matchesBytes(data, chunk.payload, row * maxFdLength, length)) return false;
    }
    if (names.length === 0) return true;
    const name = messages.nameOf(channel, us, chunk.bus[row] as number, id, flags);
    return matchesWords(names, name ?? '');
  };
};
