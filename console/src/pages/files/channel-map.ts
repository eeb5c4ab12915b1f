import { letteredChannel } from '../../../../src/trace/channel-key.ts';
import type { TraceSummary } from '../../api/client.ts';
import { channelOf, type SelectorSources } from '../../forms/channel-selectors.ts';
import type { Problem } from '../../forms/contract.ts';

export interface ReplayPlan {
  readonly map: ChannelMap;
  /** What is known of the file; null if nothing is. */
  readonly file: TraceSummary | null;
  readonly offsetUs: number;
  /** Later rounds begin at the beginning. */
  readonly isLooping: boolean;
}

const busName = (bus: string): string => (bus === 'lin' ? 'LIN' : 'CAN');

const namesOf = (channels: readonly FileChannel[]): string =>
  channels.map(({ name }) => name).join(', ');

/** Why nothing of a row would be sent; null if something may be. */
const silenceOf = (
  { from, to }: MapRow,
  { file, offsetUs, isLooping }: ReplayPlan,
  channels: readonly FileChannel[],
  sources: SelectorSources,
): string | null => {
  const name = from.trim();
  const target = channelOf(to, sources);
  if (target?.mode === 'listen_only') return `${to} only listens`;
  // What was not read of a large file may hold anything.
  if (!file?.complete) return null;
  const meant = channels.filter((channel) => isCalled(channel, name));
  if (meant.length === 0) return `${name} is not in the file (${namesOf(channels)})`;
  const fitting = meant.filter(({ bus }) => !target || busName(bus) === busName(target.bus));
  if (fitting.length === 0) return `${to} is no ${busName(meant[0]?.bus ?? 'can')} channel`;
  if (target?.bus === 'can' && file.buses.can === 0) return `${to} takes no CAN FD frames`;
  const isOver = !isLooping && fitting.every(({ endUs }) => endUs < offsetUs);
  return isOver ? `${name} ends before the start offset` : null;
};

/** Why nothing of a file would be sent, wherever its channels go; null if something may be. */
const silenceOfFile = ({ complete, channels, distinct_ids }: TraceSummary): string | null => {
  // Error frames have no identifier.
  if (!complete || distinct_ids > 0) return null;
  return channels.length === 0 ? 'the file is empty' : 'the file holds error frames only';
};

/** Why a replay would send nothing at all; null if it may send something. */
export const silentReplay = (plan: ReplayPlan, sources: SelectorSources): string | null => {
  const { map, file } = plan;
  const rows = sentRows(map);
  const ofFile = file && silenceOfFile(file);
  if (!ofFile && rows.length === 0) return 'Nothing would be sent: choose where a channel goes';
  const channels = file ? fileChannels(file) : [];
  const reasons = ofFile ? [ofFile] : rows.map((row) => silenceOf(row, plan, channels, sources));
  if (reasons.includes(null)) return null;
  return `Nothing would be sent: ${[...new Set(reasons)].join('; ')}`;
};

/** A channel of a trace, as a replay names it. */
export interface FileChannel {
  readonly name: string;
  /** What else it can be called; a number may be that of two channels. */
  readonly aliases: readonly string[];
  /** What the file says about it; null for nothing. */
  readonly note: string | null;
  readonly bus: 'can' | 'lin';
  readonly events: number;
  /** From the first event of the file to the last one of the channel. */
  readonly endUs: number;
}

export const isCalled = ({ name, aliases }: FileChannel, text: string): boolean =>
  name === text || aliases.includes(text);

/**
 * The channels of a file. A candump log has names for its interfaces; others have numbers, which CAN
 * and LIN count apart: `1` stands for both, so where there are both each gets its letter.
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

/** One row of the editor: a channel of the file, and the selector that it is sent on. */
interface MapRow {
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
const sentRows = (map: ChannelMap): ChannelMap => map.filter(({ to }) => to !== '');

/** The map as the request has it. */
export const mapBody = (map: ChannelMap): Readonly<Record<string, string>> =>
  Object.fromEntries(sentRows(map).map(({ from, to }) => [from.trim(), to]));
