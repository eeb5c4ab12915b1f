import { letteredChannel } from '../../../../src/trace/channel-key.ts';
import type { TraceSummary } from '../../api/client.ts';
import { channelOf, type SelectorSources } from '../../forms/channel-selectors.ts';
import type { Problem } from '../../forms/contract.ts';

export interface ReplaySettings {
  readonly map: ChannelMap;
  readonly file: TraceSummary | null;
  readonly offsetUs: number;
  /** Loops after the first ignore the start offset. */
  readonly isLooping: boolean;
}

const busName = (bus: string): string => (bus === 'lin' ? 'LIN' : 'CAN');

const namesOf = (channels: readonly FileChannel[]): string =>
  channels.map(({ name }) => name).join(', ');

/** Reason why a row sends nothing; null if it can send frames. */
const silenceOf = (
  { from, to }: MapRow,
  { file, offsetUs, isLooping }: ReplaySettings,
  channels: readonly FileChannel[],
  sources: SelectorSources,
): string | null => {
  const name = from.trim();
  const target = channelOf(to, sources);
  if (target?.mode === 'listen_only') return `${to} is listen-only`;
  // The unread part of a large file can contain any frames.
  if (!file?.complete) return null;
  const meant = channels.filter((channel) => isCalled(channel, name));
  if (meant.length === 0) return `${name} is not in the file (${namesOf(channels)})`;
  const fitting = meant.filter(({ bus }) => !target || busName(bus) === busName(target.bus));
  if (fitting.length === 0) return `${to} is not a ${busName(meant[0]?.bus ?? 'can')} channel`;
  if (target?.bus === 'can' && file.buses.can === 0) return `${to} cannot send CAN FD frames`;
  const isOver = !isLooping && fitting.every(({ endUs }) => endUs < offsetUs);
  return isOver ? `${name} ends before the start offset` : null;
};

/** Reason why a file has nothing to send on any channel; null if it can have frames. */
const silenceOfFile = ({ complete, channels, distinct_ids }: TraceSummary): string | null => {
  if (!complete || distinct_ids > 0) return null;
  return channels.length === 0 ? 'the file is empty' : 'the file contains only error frames';
};

/** Reason why a replay sends no frame; null if it can send some. */
export const silentReplay = (plan: ReplaySettings, sources: SelectorSources): string | null => {
  const { map, file } = plan;
  const rows = sentRows(map);
  const ofFile = file && silenceOfFile(file);
  if (!ofFile && rows.length === 0) return 'Nothing to replay: choose a bench channel';
  const channels = file ? fileChannels(file) : [];
  const reasons = ofFile ? [ofFile] : rows.map((row) => silenceOf(row, plan, channels, sources));
  if (reasons.includes(null)) return null;
  return `Nothing to replay: ${[...new Set(reasons)].join('; ')}`;
};

export interface FileChannel {
  readonly name: string;
  /** Other names; a CAN and a LIN channel can have the same number. */
  readonly aliases: readonly string[];
  readonly note: string | null;
  readonly bus: 'can' | 'lin';
  readonly events: number;
  readonly endUs: number;
}

export const isCalled = ({ name, aliases }: FileChannel, text: string): boolean =>
  name === text || aliases.includes(text);

/**
 * Channels of a file. A candump log names its interfaces. Other formats number CAN and LIN
 * channels separately, so a number that both use gets the letter of its bus: `C1`, `L1`.
 */
export const fileChannels = ({ format, channels }: TraceSummary): readonly FileChannel[] => {
  const startUs = Math.min(...channels.map(({ first_us }) => first_us));
  return channels.map(({ channel, bus, name, events, last_us }) => {
    const isAlone = channels.filter((other) => other.channel === channel).length === 1;
    const lettered = letteredChannel(channel, bus);
    const number = isAlone ? `${channel}` : lettered;
    const isNamed = format === 'candump' && name !== null;
    return {
      name: isNamed ? name : number,
      note: isNamed ? null : name,
      aliases: [`${channel}`, lettered],
      bus,
      events,
      endUs: last_us - startUs,
    };
  });
};

interface MapRow {
  readonly key: number;
  readonly from: string;
  readonly to: string;
  /** True if the user edited the row: loading a file then keeps it. */
  readonly isTyped: boolean;
}

export type ChannelMap = readonly MapRow[];

export const firstMap: ChannelMap = [{ key: 1, from: '1', to: '', isTyped: false }];

const nextKey = (map: ChannelMap): number => Math.max(0, ...map.map(({ key }) => key)) + 1;

const nextNumber = (map: ChannelMap): string => {
  const numbers = map.map(({ from }) => Number(from)).filter(Number.isSafeInteger);
  return String(Math.max(0, ...numbers) + 1);
};

export const addRow = (map: ChannelMap, to = ''): ChannelMap => [
  ...map,
  { key: nextKey(map), from: nextNumber(map), to, isTyped: true },
];

/** A row without a target counts as not edited. */
export const changeRow = (
  map: ChannelMap,
  key: number,
  part: Partial<Pick<MapRow, 'from' | 'to'>>,
): ChannelMap =>
  map.map((row) => (row.key === key ? { ...row, ...part, isTyped: part.to !== '' } : row));

export const removeRow = (map: ChannelMap, key: number): ChannelMap =>
  map.filter((row) => row.key !== key);

/** One row per channel of a file, in file order, followed by the other edited rows. */
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

export const rowProblems = (map: ChannelMap): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  const seen = new Set<string>();
  for (const { key, from, to, isTyped } of map) {
    const name = from.trim();
    if (name === '') found.set(key, 'Enter a file channel');
    else if (seen.has(name)) found.set(key, `${name} is mapped twice`);
    else if (to === '' && isTyped) found.set(key, 'Choose a bench channel');
    seen.add(name);
  }
  return found;
};

export const mapProblems = (map: ChannelMap): readonly Problem[] =>
  [...rowProblems(map).values()].map((message) => ({ field: 'channels', message }));

const sentRows = (map: ChannelMap): ChannelMap => map.filter(({ to }) => to !== '');

export const mapBody = (map: ChannelMap): Readonly<Record<string, string>> =>
  Object.fromEntries(sentRows(map).map(({ from, to }) => [from.trim(), to]));
