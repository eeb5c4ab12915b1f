import type { Problem } from '../../forms/schema-problems.ts';
import { type FileChannel, isCalled } from './trace-channels.ts';

/** One row of the editor: a channel of the file, and the selector that it is sent on. */
export interface MapRow {
  /** Tells rows apart that look alike. */
  readonly key: number;
  readonly from: string;
  /** Empty where it is not sent. */
  readonly to: string;
  /** Whether the user made it what it is: then no file changes it. */
  readonly isTyped: boolean;
}

export type ChannelMap = readonly MapRow[];

/** What the editor begins with: traces count from 1. */
export const firstMap: ChannelMap = [{ key: 1, from: '1', to: '', isTyped: false }];

const nextKey = (map: ChannelMap): number => Math.max(0, ...map.map(({ key }) => key)) + 1;

/** The number that follows the highest channel number in use. */
const nextNumber = (map: ChannelMap): string => {
  const numbers = map.map(({ from }) => Number(from)).filter(Number.isSafeInteger);
  return String(Math.max(0, ...numbers) + 1);
};

export const addRow = (map: ChannelMap, to = ''): ChannelMap => [
  ...map,
  { key: nextKey(map), from: nextNumber(map), to, isTyped: true },
];

/** A row that is no longer to be sent anywhere is as good as untouched. */
export const changeRow = (
  map: ChannelMap,
  key: number,
  part: Partial<Pick<MapRow, 'from' | 'to'>>,
): ChannelMap =>
  map.map((row) => (row.key === key ? { ...row, ...part, isTyped: part.to !== '' } : row));

export const removeRow = (map: ChannelMap, key: number): ChannelMap =>
  map.filter((row) => row.key !== key);

/** A row for every channel of a file, in its order, and behind them what else was typed. */
export const fillMap = (map: ChannelMap, channels: readonly FileChannel[]): ChannelMap => {
  const typed = map.filter(({ isTyped }) => isTyped);
  const key = nextKey(map);
  const ofFile = channels.map(
    (channel, at) =>
      typed.find(({ from }) => isCalled(channel, from.trim())) ?? {
        key: key + at,
        from: channel.name,
        to: '',
        isTyped: false,
      },
  );
  return [...new Set([...ofFile, ...typed])];
};

/** What is wrong with the rows themselves, by their keys; what was not touched is not sent. */
export const rowProblems = (map: ChannelMap): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  const seen = new Set<string>();
  for (const { key, from, to, isTyped } of map) {
    const name = from.trim();
    if (name === '') found.set(key, 'Name a channel of the file');
    else if (seen.has(name)) found.set(key, `${name} is mapped twice`);
    else if (to === '' && isTyped) found.set(key, 'Choose where to send it');
    seen.add(name);
  }
  return found;
};

export const mapProblems = (map: ChannelMap): readonly Problem[] =>
  [...rowProblems(map).values()].map((message) => ({ field: 'channels', message }));

/** The rows that are sent somewhere. */
export const sentRows = (map: ChannelMap): ChannelMap => map.filter(({ to }) => to !== '');

/** The map as the request has it. */
export const mapBody = (map: ChannelMap): Readonly<Record<string, string>> =>
  Object.fromEntries(sentRows(map).map(({ from, to }) => [from.trim(), to]));
