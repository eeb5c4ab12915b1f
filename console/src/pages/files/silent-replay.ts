import type { TraceSummary } from '../../api/client.ts';
import { channelOf, type SelectorSources } from '../../forms/channel-selectors.ts';
import { type ChannelMap, type MapRow, sentRows } from './channel-map.ts';
import { type FileChannel, fileChannels, isCalled } from './trace-channels.ts';

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
