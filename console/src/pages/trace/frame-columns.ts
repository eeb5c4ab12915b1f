import { dlcToLength } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { formatHex, hexByte } from '../../../../src/frame/hex-bytes.ts';
import { formatCount, formatMicroseconds } from '../../format/figures.ts';
import { type FrameRow, isGap } from '../../trace-core/frame-row.ts';
import {
  directionText,
  gapSentence,
  idText,
  kindText,
  type TimeMode,
  timeText,
} from '../../trace-core/frame-text.ts';
import type { Column } from '../../ui/table-columns.ts';
import { faultText, hasMarks } from './fault-marks.ts';
import { channelName, messageName } from './trace-state.ts';

const isChanged = ({ changedLow, changedHigh }: FrameRow, byte: number): boolean =>
  (((byte < 32 ? changedLow : changedHigh) >>> (byte & 31)) & 1) !== 0;

/** Neighbouring bytes that have all changed lately, or none of them. */
const runsOf = (row: FrameRow): { text: string; isMarked: boolean }[] => {
  const runs: { text: string; isMarked: boolean }[] = [];
  for (let i = 0; i < row.length; i++) {
    const isMarked = isChanged(row, i);
    const text = hexByte(row.data[i] as number);
    const last = runs.at(-1);
    if (last?.isMarked === isMarked) last.text += ` ${text}`;
    else runs.push({ text, isMarked });
  }
  return runs;
};

/** A cell with data in it: which bytes are marked, and the text of each run of them. */
interface Painted {
  readonly shape: string;
  readonly texts: readonly Text[];
}

const painted = new WeakMap<HTMLElement, Painted>();

/** Puts a text for each run into the cell, blanks between them. */
const layOut = (cell: HTMLElement, marks: readonly boolean[]): readonly Text[] => {
  const texts = marks.map(() => document.createTextNode(''));
  const nodes = texts.flatMap((text, i) => {
    const mark = marks[i] ? document.createElement('mark') : null;
    mark?.append(text);
    return i === 0 ? [mark ?? text] : [document.createTextNode(' '), mark ?? text];
  });
  cell.replaceChildren(...nodes);
  return texts;
};

const write = (text: Text | undefined, wanted: string): void => {
  if (text && text.data !== wanted) text.data = wanted;
};

/**
 * Fills a cell with the data of a row, the bytes marked that changed lately. Marks come and go far
 * less often than data does, so what is in the cell mostly stays and gets another text.
 */
const paintBytes = (cell: HTMLElement, row: FrameRow): void => {
  const { changedLow, changedHigh, length } = row;
  const isPlain = changedLow === 0 && changedHigh === 0;
  const runs = isPlain
    ? [{ text: formatHex(row.data, ' ', length), isMarked: false }]
    : runsOf(row);
  const shape = isPlain ? '' : `${changedLow} ${changedHigh} ${length}`;
  let known = painted.get(cell);
  if (known?.shape !== shape) {
    const texts = layOut(
      cell,
      runs.map(({ isMarked }) => isMarked),
    );
    known = { shape, texts };
    painted.set(cell, known);
  }
  for (const [i, { text }] of runs.entries()) write(known.texts[i], text);
};

/** A column whose cells are filled by hand, many times a second. */
export interface FrameColumn extends Column<FrameRow> {
  /** Fills the cell where plain text does not do. */
  readonly paint?: (cell: HTMLElement, row: FrameRow) => void;
}

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

const faultColumn: FrameColumn = {
  id: 'fault',
  title: 'Fault',
  width: 240,
  least: 132,
  text: faultText,
};

/** There is none where no fault rule did anything. */
const faultColumns = (): readonly FrameColumn[] => (hasMarks.value ? [faultColumn] : []);

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
  ...faultColumns(),
  // The details show it, and next to them names and faults need its room.
  hasMarks.value ? { ...shared.kind, spare: 1 } : shared.kind,
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
  { id: 'count', title: 'Count', width: 88, align: 'end', text: (row) => formatCount(row.count) },
  { id: 'cycle', title: 'Cycle', width: 76, align: 'end', text: (row) => spanText(row.cycleUs) },
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
