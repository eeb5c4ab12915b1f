import { maxFdLength } from '../../frame/dlc.ts';
import { eventKindCode } from '../../frame/frm2-layout.ts';
import type { TraceBatch } from '../trace-batch.ts';
import { getUint64 } from '../uint64.ts';
import { direction, objectHeader, timeUnit } from './blf-layout.ts';

const wordBytes = 4;
const nsPerTenMicroseconds = 10_000;

export interface BlfObject {
  readonly window: { readonly bytes: Uint8Array; readonly view: DataView };
  readonly at: number;
  readonly headerSize: number;
  readonly size: number;
  readonly type: number;
}

export const outcome = { event: 0, passed: 1, request: 2, tooShort: 3, badLength: 4 } as const;
export type Outcome = (typeof outcome)[keyof typeof outcome];

/** Objects without a time have another unit and contain 0. */
export const timeNsOf = ({ window: { view }, at }: BlfObject): number => {
  const ticks = getUint64(view, at + objectHeader.time);
  const unit = view.getUint32(at + objectHeader.timeUnit, true);
  return unit === timeUnit.tenMicroseconds ? ticks * nsPerTenMicroseconds : ticks;
};

export const kindOf = (code: number): number =>
  code === direction.tx ? eventKindCode.tx_complete : eventKindCode.rx_frame;

export class EventRows {
  readonly batch: TraceBatch;
  readonly data: DataView;

  constructor(batch: TraceBatch) {
    const { buffer, byteOffset, byteLength } = batch.payload;
    this.batch = batch;
    this.data = new DataView(buffer, byteOffset, byteLength);
  }
}

export const appendEvent = (
  { batch }: EventRows,
  object: BlfObject,
  bus: number,
  kind: number,
  channel: number,
  id: number,
  flags: number,
  dlc: number,
  length: number,
  checksum: number,
): Outcome => {
  const row = batch.count++;
  batch.timeNs[row] = timeNsOf(object);
  batch.id[row] = id;
  batch.flags[row] = flags;
  batch.channel[row] = channel;
  batch.kind[row] = kind;
  batch.bus[row] = bus;
  batch.dlc[row] = dlc;
  batch.length[row] = length;
  batch.checksum[row] = checksum;
  batch.detail[row] = 0;
  return outcome.event;
};

/** Copies available data into the next row and zeros the rest. */
export const copyData = (
  { batch, data }: EventRows,
  { window: { view } }: BlfObject,
  from: number,
  present: number,
  length: number,
): void => {
  const to = batch.count * maxFdLength;
  for (let i = 0; i < present; i += wordBytes) {
    data.setUint32(to + i, view.getUint32(from + i, true), true);
  }
  for (let i = present; i < length; i++) batch.payload[to + i] = 0;
};
