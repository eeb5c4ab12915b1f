import { dlcToLength } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../../src/frame/hex-bytes.ts';
import { formatCount, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { type FrameRow, isGap } from '../../trace-core/frame-row.ts';
import { directionText, idText, kindText } from '../../trace-core/frame-text.ts';
import { gapSentence } from '../../trace-core/gap-text.ts';
import type { Column } from '../../ui/table-columns.ts';
import { paintBytes } from './changed-bytes.ts';
import { channelName, messageName, type TimeMode } from './trace-state.ts';

/** A column whose cells are filled by hand, many times a second. */
export interface FrameColumn extends Column<FrameRow> {
  /** Fills the cell where plain text does not do. */
  readonly paint?: (cell: HTMLElement, row: FrameRow) => void;
}

const seconds = (us: number): string => {
  const sign = us < 0 ? '−' : '';
  const whole = Math.floor(Math.abs(us) / 1e6);
  const micros = Math.round(Math.abs(us) - whole * 1e6);
  return `${sign}${whole}.${String(micros).padStart(6, '0')}`;
};

/** The time of a row, counted from that of the first one where it is relative. */
export const timeText = (row: FrameRow, mode: TimeMode, originUs: number): string => {
  if (mode === 'absolute') return formatInstant(row.timestampUs, 6);
  if (mode === 'relative') return seconds(row.timestampUs - originUs);
  const us = row.timestampUs - row.previousUs;
  // Channels have clocks of their own: the next event may be a little earlier.
  return Number.isNaN(us) ? '' : `${us < 0 ? '' : '+'}${seconds(us)}`;
};

const isFd = ({ flags }: FrameRow): boolean => (flags & frameFlag.fd) !== 0;

/** The length code, and the length where the code does not say it. */
export const lengthText = (row: FrameRow): string =>
  row.dlc === row.length && dlcToLength(row.dlc, isFd(row)) === row.length
    ? String(row.dlc)
    : `${row.dlc} / ${row.length}`;

const nameText = (row: FrameRow): string => messageName(row) ?? '';

const dataText = (row: FrameRow): string =>
  (row.flags & frameFlag.remote) !== 0 ? 'remote request' : formatHex(row.data, ' ', row.length);

const shared = {
  channel: { id: 'channel', title: 'Channel', width: 120, least: 84, text: channelName },
  direction: { id: 'direction', title: 'Dir', width: 40, text: directionText },
  id: { id: 'id', title: 'Id', width: 84, align: 'end', mono: true, text: idText },
  name: { id: 'name', title: 'Name', width: 124, least: 72, text: nameText },
  kind: { id: 'kind', title: 'Kind', width: 92, text: kindText },
  length: { id: 'length', title: 'DLC', width: 68, align: 'end', text: lengthText },
  data: { id: 'data', title: 'Data', width: 184, grows: true, mono: true, text: dataText },
} as const satisfies Record<string, FrameColumn>;

const timeTitles: Readonly<Record<TimeMode, string>> = {
  absolute: 'Time',
  relative: 'From first (s)',
  delta: 'From previous (s)',
};

export const frameColumns = (mode: TimeMode, originUs: () => number): readonly FrameColumn[] => [
  {
    id: 'time',
    title: timeTitles[mode],
    width: 140,
    align: 'end',
    mono: true,
    text: (row) => timeText(row, mode, originUs()),
  },
  shared.channel,
  shared.direction,
  shared.id,
  shared.name,
  shared.kind,
  shared.length,
  shared.data,
];

const spanText = (us: number): string => (us > 0 ? formatMicroseconds(us) : '');

export const byIdColumns = (mode: TimeMode, originUs: () => number): readonly FrameColumn[] => [
  shared.channel,
  shared.direction,
  shared.id,
  shared.name,
  { ...shared.kind, spare: -2 },
  { ...shared.length, spare: -1 },
  // Before the figures: what changes must not be the first thing that the details hide.
  { ...shared.data, paint: paintBytes },
  {
    id: 'count',
    title: 'Count',
    width: 88,
    align: 'end',
    text: (row) => formatCount(row.count),
  },
  {
    id: 'cycle',
    title: 'Cycle',
    width: 76,
    align: 'end',
    text: (row) => spanText(row.cycleUs),
  },
  {
    id: 'average',
    title: 'Average',
    width: 76,
    spare: 0,
    align: 'end',
    text: (row) => spanText(row.averageUs),
  },
  {
    id: 'last',
    title: mode === 'absolute' ? 'Last time' : 'Last (s)',
    width: 140,
    align: 'end',
    mono: true,
    text: (row) => timeText(row, mode === 'absolute' ? mode : 'relative', originUs()),
  },
];

export const textOfRow = (columns: readonly FrameColumn[], row: FrameRow): string =>
  isGap(row)
    ? gapSentence(row.sequence, row.eventId)
    : columns.map(({ text }) => text(row)).join('\t');
