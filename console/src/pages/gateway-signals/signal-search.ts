import type { GatewaySignal } from '../../api/client.ts';
import { hasWords, wordsOf } from '../../ui/search-words.ts';

export const signalFilters = ['all', 'settable', 'not good'] as const;
export type SignalFilter = (typeof signalFilters)[number];

const passes: Readonly<Record<SignalFilter, (entry: GatewaySignal) => boolean>> = {
  all: () => true,
  settable: ({ producer }) => producer === 'software',
  'not good': ({ quality, bindings }) =>
    quality !== 'good' || bindings.some(({ error }) => error !== null),
};

export const rowsFound = (
  entries: readonly GatewaySignal[],
  text: string,
  filter: SignalFilter,
): readonly number[] => {
  const words = wordsOf(text);
  const rows: number[] = [];
  for (const [row, entry] of entries.entries()) {
    if (passes[filter](entry) && hasWords(entry.id, words)) rows.push(row);
  }
  return rows;
};
