import type { GatewaySignal } from '../../api/client.ts';

/** Which signals are shown beside what was typed. */
const signalFilters = ['all', 'settable', 'not good'] as const;
export type SignalFilter = (typeof signalFilters)[number];

const passes: Readonly<Record<SignalFilter, (entry: GatewaySignal) => boolean>> = {
  all: () => true,
  settable: ({ producer }) => producer === 'software',
  'not good': ({ quality, bindings }) =>
    quality !== 'good' || bindings.some(({ error }) => error !== null),
};

/** Rows of the signals whose ids have all words in them, in the order that they are in. */
export const rowsFound = (
  entries: readonly GatewaySignal[],
  text: string,
  filter: SignalFilter,
): readonly number[] => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rows: number[] = [];
  for (const [row, entry] of entries.entries()) {
    if (!passes[filter](entry)) continue;
    const id = entry.id.toLowerCase();
    if (words.every((word) => id.includes(word))) rows.push(row);
  }
  return rows;
};
