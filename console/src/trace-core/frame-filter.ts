import { type BytePattern, matchesBytes, parseBytePattern } from './byte-pattern.ts';
import { everyChannel, type FrameChunk, gapKind } from './frame-chunk.ts';
import { kindCode, longestPayload } from './frm2.ts';
import { type IdPattern, matchesId, type Parsed, parseIdPatterns } from './id-pattern.ts';
import type { MessageNames } from './message-names.ts';
import { matchesWords, parseWords, type WordPattern } from './word-pattern.ts';

/** What the filter bar holds, as it was typed. */
export interface FilterText {
  readonly channel: string;
  readonly id: string;
  readonly name: string;
  readonly direction: '' | 'rx' | 'tx';
  readonly data: string;
}

export const emptyFilter: FilterText = { channel: '', id: '', name: '', direction: '', data: '' };

/** What was typed, understood; a plain object, so that it can go to a worker. */
export interface FrameFilter {
  /** Slots; null for all channels. */
  readonly channels: readonly number[] | null;
  readonly ids: readonly IdPattern[];
  readonly names: readonly WordPattern[];
  readonly kind: number | null;
  readonly data: BytePattern | null;
}

/** How channels can be called, by slot. */
export type ChannelLabels = ReadonlyMap<number, readonly string[]>;

export type FilterErrors = Partial<Record<keyof FilterText, string>>;

const wantedSlots = (text: string, labels: ChannelLabels): Parsed<readonly number[] | null> => {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return { ok: null };
  const slots = new Set<number>();
  for (const word of words) {
    const called = word.toLowerCase();
    const where = (isMeant: (name: string) => boolean): number[] =>
      [...labels].filter(([, names]) => names.some(isMeant)).map(([slot]) => slot);
    const exact = where((name) => name.toLowerCase() === called);
    const found = exact.length > 0 ? exact : where((name) => name.toLowerCase().includes(called));
    if (/^\d+$/.test(word)) slots.add(Number(word));
    else if (found.length === 0) return { error: `No channel is called “${word}”` };
    else for (const slot of found) slots.add(slot);
  }
  return { ok: [...slots] };
};

/** Reads the filter bar. Answers the filter, or what is wrong in each field. */
export const parseFilter = (
  text: FilterText,
  labels: ChannelLabels,
): { readonly filter: FrameFilter } | { readonly errors: FilterErrors } => {
  const channels = wantedSlots(text.channel, labels);
  const ids = parseIdPatterns(text.id);
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
      kind: { '': null, rx: kindCode.rx_frame, tx: kindCode.tx_complete }[text.direction],
      data: data.ok,
    },
  };
};

/** Whether it lets everything through. */
export const isOpen = ({ channels, ids, names, kind, data }: FrameFilter): boolean =>
  channels === null && ids.length === 0 && names.length === 0 && kind === null && data === null;

/** A test for rows; gaps pass too, unless they are of a channel that does not. */
export const rowTest = (filter: FrameFilter, messages: MessageNames) => {
  const { ids, names, kind, data } = filter;
  const slots = filter.channels === null ? null : new Set(filter.channels);
  return (chunk: FrameChunk, row: number): boolean => {
    const channel = chunk.channel[row] as number;
    if (chunk.kind[row] === gapKind) {
      return slots === null || channel === everyChannel || slots.has(channel);
    }
    if (kind !== null && chunk.kind[row] !== kind) return false;
    if (slots !== null && !slots.has(channel)) return false;
    const id = chunk.id[row] as number;
    const flags = chunk.flags[row] as number;
    if (ids.length > 0 && !matchesId(ids, id, flags)) return false;
    if (data !== null) {
      const length = chunk.length[row] as number;
      if (!matchesBytes(data, chunk.payload, row * longestPayload, length)) return false;
    }
    if (names.length === 0) return true;
    return matchesWords(names, messages.nameOf(channel, chunk.bus[row] as number, id, flags) ?? '');
  };
};
