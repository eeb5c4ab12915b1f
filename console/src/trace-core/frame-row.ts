import { maxFdLength } from '../../../src/frame/dlc.ts';
import type { ByIdTable } from './by-id-table.ts';
import type { RowPosition } from './chunk-view.ts';
import { droppedKind, gapKind } from './frame-chunk.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface FrameRow {
  readonly serial: number;
  readonly eventId: number;
  readonly timestampUs: number;
  readonly previousUs: number;
  /** Sequence number on the channel; for a gap, the number of missing frames or NaN. */
  readonly sequence: number;
  readonly id: number;
  readonly flags: number;
  readonly status: number;
  readonly channel: number;
  readonly kind: number;
  readonly bus: number;
  readonly dlc: number;
  readonly length: number;
  readonly checksum: number;
  readonly errors: number;
  readonly twin: number;
  /** Result of its end-to-end check (`checkMark`). */
  readonly check: number;
  /** Bytes after `length` are undefined. */
  readonly data: Uint8Array;
  /** Number of a signal below its frame; 0 for the frame itself. */
  readonly line: number;
  /** Signals that are shown below the frame. */
  readonly lines: number;
  /** Time since the frame before of the same identifier; NaN without one. */
  readonly cycleUs: number;
  /** The following fields are used in the view by ID only. */
  readonly count: number;
  readonly averageUs: number;
  readonly changedLow: number;
  readonly changedHigh: number;
}

export const isDropped = ({ kind }: Pick<FrameRow, 'kind'>): boolean => kind === droppedKind;

export const isGap = ({ kind }: Pick<FrameRow, 'kind'>): boolean => kind === gapKind;

export const rowBytes = 168;

const at = {
  serial: 0,
  eventId: 8,
  timestampUs: 16,
  previousUs: 24,
  sequence: 32,
  count: 40,
  cycleUs: 48,
  averageUs: 56,
  id: 64,
  flags: 68,
  status: 72,
  changedLow: 76,
  changedHigh: 80,
  channel: 84,
  kind: 86,
  bus: 87,
  dlc: 88,
  length: 89,
  checksum: 90,
  twin: 91,
  errors: 92,
  data: 96,
  line: 160,
  lines: 162,
  check: 164,
} as const;

export const writeRow = (
  view: DataView,
  index: number,
  { chunk, row }: RowPosition,
  serial: number,
  previousUs: number,
): void => {
  const to = index * rowBytes;
  view.setFloat64(to + at.serial, serial);
  view.setFloat64(to + at.eventId, chunk.eventId[row] as number);
  view.setFloat64(to + at.timestampUs, chunk.timestampUs[row] as number);
  view.setFloat64(to + at.previousUs, previousUs);
  view.setFloat64(to + at.sequence, chunk.sequence[row] as number);
  view.setFloat64(to + at.count, 0);
  view.setFloat64(to + at.cycleUs, chunk.sinceUs[row] as number);
  view.setUint32(to + at.id, chunk.id[row] as number);
  view.setUint32(to + at.flags, chunk.flags[row] as number);
  view.setUint32(to + at.status, chunk.status[row] as number);
  view.setUint32(to + at.changedLow, 0);
  view.setUint32(to + at.changedHigh, 0);
  view.setUint16(to + at.channel, chunk.channel[row] as number);
  view.setUint8(to + at.kind, chunk.kind[row] as number);
  view.setUint8(to + at.bus, chunk.bus[row] as number);
  view.setUint8(to + at.dlc, chunk.dlc[row] as number);
  view.setUint8(to + at.checksum, chunk.checksum[row] as number);
  view.setUint8(to + at.twin, chunk.twin[row] as number);
  view.setUint8(to + at.check, chunk.check[row] as number);
  view.setUint32(to + at.errors, chunk.errors[row] as number);
  const length = chunk.length[row] as number;
  view.setUint8(to + at.length, length);
  const from = row * maxFdLength;
  for (let i = 0; i < length; i++) {
    view.setUint8(to + at.data + i, chunk.payload[from + i] as number);
  }
  writeLine(view, index, 0, 0);
};

export const writeLine = (view: DataView, index: number, line: number, lines: number): void => {
  const to = index * rowBytes;
  view.setUint16(to + at.line, line);
  view.setUint16(to + at.lines, lines);
};

export const writeByIdRow = (
  view: DataView,
  index: number,
  table: ByIdTable,
  row: number,
): void => {
  const serial = table.firstSerial + row;
  writeRow(view, index, { chunk: table.last, row }, serial, Number.NaN);
  const to = index * rowBytes;
  const [low, high] = table.changedBytes(row);
  view.setFloat64(to + at.count, table.counts[row] as number);
  view.setFloat64(to + at.cycleUs, table.cycleUs[row] as number);
  view.setFloat64(to + at.averageUs, table.averageUs[row] as number);
  view.setUint32(to + at.changedLow, low);
  view.setUint32(to + at.changedHigh, high);
};

const read = (row: Mutable<FrameRow>, view: DataView, index: number): void => {
  const from = index * rowBytes;
  row.serial = view.getFloat64(from + at.serial);
  row.eventId = view.getFloat64(from + at.eventId);
  row.timestampUs = view.getFloat64(from + at.timestampUs);
  row.previousUs = view.getFloat64(from + at.previousUs);
  row.sequence = view.getFloat64(from + at.sequence);
  row.count = view.getFloat64(from + at.count);
  row.cycleUs = view.getFloat64(from + at.cycleUs);
  row.averageUs = view.getFloat64(from + at.averageUs);
  row.id = view.getUint32(from + at.id);
  row.flags = view.getUint32(from + at.flags);
  row.status = view.getUint32(from + at.status);
  row.changedLow = view.getUint32(from + at.changedLow);
  row.changedHigh = view.getUint32(from + at.changedHigh);
  row.channel = view.getUint16(from + at.channel);
  row.kind = view.getUint8(from + at.kind);
  row.bus = view.getUint8(from + at.bus);
  row.dlc = view.getUint8(from + at.dlc);
  row.length = view.getUint8(from + at.length);
  row.checksum = view.getUint8(from + at.checksum);
  row.twin = view.getUint8(from + at.twin);
  row.check = view.getUint8(from + at.check);
  row.errors = view.getUint32(from + at.errors);
  row.line = view.getUint16(from + at.line);
  row.lines = view.getUint16(from + at.lines);
  for (let i = 0; i < row.length; i++) row.data[i] = view.getUint8(from + at.data + i);
};

const kept = (row: FrameRow): FrameRow => ({ ...row, data: row.data.slice(0, row.length) });

/** Shared by all windows: no caller reads two rows at a time. */
const glanced = { data: new Uint8Array(maxFdLength) } as Mutable<FrameRow>;

export class RowWindow {
  readonly count: number;
  readonly #view: DataView;

  constructor(buffer: ArrayBuffer, count: number) {
    this.count = count;
    this.#view = new DataView(buffer);
  }

  /** Reads a row into a shared object that the next call overwrites. */
  glance(index: number): FrameRow {
    read(glanced, this.#view, index);
    return glanced;
  }

  at(index: number): FrameRow | null {
    return index >= 0 && index < this.count ? kept(this.glance(index)) : null;
  }

  all(): FrameRow[] {
    return Array.from({ length: this.count }, (_, i) => kept(this.glance(i)));
  }

  serialAt(index: number): number | null {
    return index < this.count ? this.#view.getFloat64(index * rowBytes + at.serial) : null;
  }

  /** 0 for a frame. */
  lineAt(index: number): number {
    return index < this.count ? this.#view.getUint16(index * rowBytes + at.line) : 0;
  }

  indexOf(serial: number | null): number {
    for (let i = 0; i < this.count; i++) if (this.serialAt(i) === serial) return i;
    return -1;
  }
}
