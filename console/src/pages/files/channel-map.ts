import type { Problem } from '../../forms/schema-problems.ts';

/** One row of the editor: a channel of the file, and the selector that it is sent on. */
export interface MapRow {
  /** Tells rows apart that look alike. */
  readonly key: number;
  readonly from: string;
  readonly to: string;
}

export type ChannelMap = readonly MapRow[];

const nextKey = (map: ChannelMap): number => Math.max(0, ...map.map(({ key }) => key)) + 1;

/** The number that follows the highest channel number in use; traces count from 1. */
const nextNumber = (map: ChannelMap): string => {
  const numbers = map.map(({ from }) => Number(from)).filter(Number.isSafeInteger);
  return String(Math.max(0, ...numbers) + 1);
};

export const addRow = (map: ChannelMap, to = ''): ChannelMap => [
  ...map,
  { key: nextKey(map), from: nextNumber(map), to },
];

export const changeRow = (
  map: ChannelMap,
  key: number,
  part: Partial<Pick<MapRow, 'from' | 'to'>>,
): ChannelMap => map.map((row) => (row.key === key ? { ...row, ...part } : row));

export const removeRow = (map: ChannelMap, key: number): ChannelMap =>
  map.filter((row) => row.key !== key);

/** What is wrong with the rows themselves, by their keys. */
export const rowProblems = (map: ChannelMap): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  const seen = new Set<string>();
  for (const { key, from, to } of map) {
    const name = from.trim();
    if (name === '') found.set(key, 'Name a channel of the file');
    else if (seen.has(name)) found.set(key, `${name} is mapped twice`);
    else if (to === '') found.set(key, 'Choose where to send it');
    seen.add(name);
  }
  return found;
};

export const mapProblems = (map: ChannelMap): readonly Problem[] =>
  [...rowProblems(map).values()].map((message) => ({ field: 'channels', message }));

/** The map as the request has it. */
export const mapBody = (map: ChannelMap): Readonly<Record<string, string>> =>
  Object.fromEntries(map.map(({ from, to }) => [from.trim(), to]));
