import type { ByIdTable } from './by-id-table.ts';
import type { RowPlace } from './chunk-view.ts';
import { gapKind } from './frame-chunk.ts';
import { longestPayload } from './frm2.ts';

/** A row as it is shown. */
export interface FrameRow {
  readonly serial: number;
  readonly eventId: number;
  readonly timestampUs: number;
  /** Time of the row before it among those shown; NaN for the first. */
  readonly previousUs: number;
  /** Sequence on its channel; of a gap, how many frames are missing or NaN. */
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
  readonly data: Uint8Array;
  /** By id only: how many there were, their times apart, and the bytes that changed lately. */
  readonly count: number;
  readonly cycleUs: number;
  readonly averageUs: number;
  readonly changedLow: number;
  readonly changedHigh: number;
}

export const isGap = ({ kind }: Pick<FrameRow, 'kind'>): boolean => kind === gapKind;

/** Bytes of a row on its way from the worker to the page. */
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
  data: 96,
} as const;

/** Writes a row of a chunk; what only the table by id knows stays zero. */
export const writeRow = (
  view: DataView,
  index: number,
  { chunk, row }: RowPlace,
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
  view.setUint32(to + at.id, chunk.id[row] as number);
  view.setUint32(to + at.flags, chunk.flags[row] as number);
  view.setUint32(to + at.status, chunk.status[row] as number);
  view.setUint32(to + at.changedLow, 0);
  view.setUint32(to + at.changedHigh, 0);
  view.setUint16(to + at.channel, chunk.channel[row] as number);
  view.setUint8(to + at.kind, chunk.kind[row] as number);
  view.setUint8(to + at.bus, chunk.bus[row] as number);
  view.setUint8(to + at.dlc, chunk.dlc[row] as number);
  view.setUint8(to + at.length, chunk.length[row] as number);
  view.setUint8(to + at.checksum, chunk.checksum[row] as number);
  new Uint8Array(view.buffer, view.byteOffset + to + at.data, longestPayload).set(
    chunk.dataOf(row),
  );
};

/** Writes a row of the table by id; its serial is its place in that table. */
export const writeByIdRow = (
  view: DataView,
  index: number,
  table: ByIdTable,
  row: number,
): void => {
  writeRow(view, index, { chunk: table.last, row }, row, Number.NaN);
  const to = index * rowBytes;
  const [low, high] = table.changedBytes(row);
  view.setFloat64(to + at.count, table.counts[row] as number);
  view.setFloat64(to + at.cycleUs, table.cycleUs[row] as number);
  view.setFloat64(to + at.averageUs, table.averageUs[row] as number);
  view.setUint32(to + at.changedLow, low);
  view.setUint32(to + at.changedHigh, high);
};

/** The row at an index, with data of its own. */
export const readRow = (view: DataView, index: number): FrameRow => {
  const from = index * rowBytes;
  const length = view.getUint8(from + at.length);
  return {
    serial: view.getFloat64(from + at.serial),
    eventId: view.getFloat64(from + at.eventId),
    timestampUs: view.getFloat64(from + at.timestampUs),
    previousUs: view.getFloat64(from + at.previousUs),
    sequence: view.getFloat64(from + at.sequence),
    count: view.getFloat64(from + at.count),
    cycleUs: view.getFloat64(from + at.cycleUs),
    averageUs: view.getFloat64(from + at.averageUs),
    id: view.getUint32(from + at.id),
    flags: view.getUint32(from + at.flags),
    status: view.getUint32(from + at.status),
    changedLow: view.getUint32(from + at.changedLow),
    changedHigh: view.getUint32(from + at.changedHigh),
    channel: view.getUint16(from + at.channel),
    kind: view.getUint8(from + at.kind),
    bus: view.getUint8(from + at.bus),
    dlc: view.getUint8(from + at.dlc),
    length,
    checksum: view.getUint8(from + at.checksum),
    data: new Uint8Array(view.buffer, view.byteOffset + from + at.data, length).slice(),
  };
};
