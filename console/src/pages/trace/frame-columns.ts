import { dlcToLength } from '../../../../src/frame/dlc.ts';
import { frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { formatHex, hexByte } from '../../../../src/frame/hex-bytes.ts';
import { formatMicroseconds } from '../../format/figures.ts';
import { twinRow } from '../../trace-core/frame-chunk.ts';
import { type FrameRow, isGap } from '../../trace-core/frame-row.ts';
import {
  directionText,
  idText,
  kindText,
  notationText,
  type TimeMode,
  timeText,
} from '../../trace-core/frame-text.ts';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { definitionOf, signalTexts } from './expansion.ts';
import { faultTexts, hasFaults } from './fault-marks.ts';
import { noteOf, notes } from './row-notes.ts';
import { channelName, gapText, isFolded, messageName } from './trace-state.ts';

const isChanged = ({ changedLow, changedHigh }: FrameRow, byte: number): boolean =>
  (((byte < 32 ? changedLow : changedHigh) >>> (byte & 31)) & 1) !== 0;

/** Adjacent bytes, grouped by whether they changed recently. */
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

interface MarkedCell {
  readonly shape: string;
  readonly texts: readonly Text[];
}

const painted = new WeakMap<HTMLElement, MarkedCell>();

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
 * Writes the data of a row and marks recently changed bytes. Marks change far less often than
 * data, so in most cases only the text of the nodes changes.
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

/** A column whose cells are written directly, many times a second. */
export interface FrameColumn extends Column<FrameRow> {
  readonly paint?: (cell: HTMLElement, row: FrameRow) => void;
}

const isFd = ({ flags }: FrameRow): boolean => (flags & frameFlag.fd) !== 0;

export const lengthText = (row: FrameRow): string =>
  row.dlc === row.length && dlcToLength(row.dlc, isFd(row)) === row.length
    ? String(row.dlc)
    : `${row.dlc} / ${row.length}`;

const bothText = (row: FrameRow): string =>
  isFolded.value && row.twin === twinRow.first ? 'Tx Rx' : directionText(row);

const nameText = (row: FrameRow): string => messageName(row) ?? '';

const dataText = (row: FrameRow): string =>
  (row.flags & frameFlag.remote) !== 0 ? 'remote request' : formatHex(row.data, ' ', row.length);

const signsText = (row: FrameRow): string =>
  definitionOf(row) === null ? '' : row.lines > 0 ? '▾' : '▸';

/** Opens the signals of a row. */
export const signalsColumn = 'signals';

const shared = {
  signals: { id: signalsColumn, title: '', width: 26, text: signsText },
  channel: { id: 'channel', title: 'Channel', width: 120, least: 84, text: channelName },
  direction: { id: 'direction', title: 'Dir', width: 54, text: bothText },
  id: { id: 'id', title: 'ID', width: 84, align: 'end', mono: true, text: idText },
  name: { id: 'name', title: 'Name', width: 124, least: 72, text: nameText },
  kind: { id: 'kind', title: 'Type', width: 92, text: kindText },
  length: { id: 'length', title: 'DLC', width: 68, align: 'end', text: lengthText },
  data: { id: 'data', title: 'Data', width: 184, grows: true, mono: true, text: dataText },
} as const satisfies Record<string, FrameColumn>;

const timeTitles: Readonly<Record<TimeMode, string>> = {
  absolute: 'Time',
  relative: 'Relative (s)',
  delta: 'Delta (s)',
};

const marksText = (row: FrameRow): string => {
  const note = noteOf(row);
  return [...(note === null ? [] : [`✎ ${note}`]), ...faultTexts(row)].join(', ');
};

const marksColumn = column('marks', 'Marks', 240, marksText, { least: 132 });

const isMarked = (): boolean => hasFaults.value || notes.value.length > 0;

/** Shown only if a frame has a mark. */
const marksColumns = (): readonly FrameColumn[] => (isMarked() ? [marksColumn] : []);

export const frameColumns = (mode: TimeMode, originUs: () => number): readonly FrameColumn[] => [
  shared.signals,
  column('time', timeTitles[mode], 140, (row) => timeText(row, mode, originUs()), {
    ...{ align: 'end', mono: true },
  }),
  column('since', 'Since same ID', 118, ({ cycleUs }) => sinceText(cycleUs), {
    ...{ align: 'end', mono: true, spare: 2 },
  }),
  shared.channel,
  shared.direction,
  shared.id,
  shared.name,
  ...marksColumns(),
  // Names and marks need the room, and the details show the type.
  isMarked() ? { ...shared.kind, spare: 1 } : shared.kind,
  shared.length,
  shared.data,
];

/** In a list by ID the difference to the previous row is meaningless. */
const lastMode = (mode: TimeMode): TimeMode => (mode === 'absolute' ? mode : 'relative');

const sinceText = (us: number): string => (Number.isNaN(us) ? '' : `${(us / 1000).toFixed(3)} ms`);

const spanText = (us: number): string => (us > 0 ? formatMicroseconds(us) : '');

export const byIdColumns = (mode: TimeMode, originUs: () => number): readonly FrameColumn[] => [
  shared.signals,
  shared.channel,
  shared.direction,
  shared.id,
  shared.name,
  ...marksColumns(),
  { ...shared.kind, spare: -2 },
  { ...shared.length, spare: -1 },
  // Data precedes the counters, because the details panel covers the last columns first.
  { ...shared.data, paint: paintBytes },
  numbers('count', 'Count', 88, ({ count }) => count),
  column('cycle', 'Cycle time', 90, ({ cycleUs }) => spanText(cycleUs), { align: 'end' }),
  column('average', 'Average', 76, ({ averageUs }) => spanText(averageUs), {
    ...{ spare: 0, align: 'end' },
  }),
  column(
    'last',
    timeTitles[lastMode(mode)],
    140,
    (row) => timeText(row, lastMode(mode), originUs()),
    { ...{ align: 'end', mono: true } },
  ),
];

const textOfRow = (columns: readonly FrameColumn[], row: FrameRow): string => {
  if (row.line > 0) return `\t${signalTexts(row).join('\t')}`;
  if (isGap(row)) return gapText(row);
  return columns.map(({ text }) => text(row)).join('\t');
};

/** Frames as `message send` accepts them. */
const notationColumn = column<FrameRow>('notation', 'Notation', 0, notationText);

/** Rows as they are copied, with a line of titles. */
export const textOfFrames = (all: readonly FrameColumn[], rows: readonly FrameRow[]): string => {
  const columns = [...all.filter(({ id }) => id !== signalsColumn), notationColumn];
  const head = columns.map(({ title }) => title).join('\t');
  return `${[head, ...rows.map((row) => textOfRow(columns, row))].join('\n')}\n`;
};
