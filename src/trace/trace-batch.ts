import { maxFdLength } from '../frame/dlc.ts';
import {
  frm2Bus,
  frm2Checksum,
  frm2Dlc,
  frm2EventKind,
  frm2Flags,
  frm2Id,
  frm2PayloadLength,
  frm2Status,
  frm2TimestampUs,
} from '../frame/frm2-codec.ts';
import { deviceStatus, frm2 } from '../frame/frm2-layout.ts';
import type { TraceGap } from './trace-gap.ts';

const bytesPerEvent = 8 + 4 + 4 + 2 + 6 + maxFdLength;
const capacityStep = 8;

/** Properties of an event that FRM2 has no flags for. */
export const traceDetail = {
  /** The checksum or its model is unknown. */
  noChecksum: 1 << 0,
  noModel: 1 << 1,
  noId: 1 << 2,
  /** A sync field error; its data are the four edge times, 16 bits each. */
  syncError: 1 << 3,
  /** The device was lost or came back; not a bus error. */
  deviceLost: 1 << 4,
  deviceReturned: 1 << 5,
} as const;

export const detailOfStatus = (status: number): number => {
  if (status === deviceStatus.lost) return traceDetail.deviceLost;
  return status === deviceStatus.returned ? traceDetail.deviceReturned : 0;
};

/**
 * Events of a trace in columns, in order of time. Every format reads into batches and writes from
 * them. One buffer contains all columns, so a batch is transferred between threads without a copy.
 * Codes are those of FRM2: `kind` is 1 for received and 2 for sent, `bus` the frame kind, `flags`
 * the flag word, `dlc` the code on the wire. Data starts at `64 * row` and has `length` bytes; a
 * remote frame has none. An error frame has the flag `error`. Its id and data are those of
 * SocketCAN, or 0 and empty if the file has none; a count can follow them (`error-frames.ts`). A
 * LIN wake-up has at most one byte of data, and a receive error the received bytes.
 */
export class TraceBatch {
  readonly buffer: ArrayBuffer;
  readonly capacity: number;
  count = 0;
  readonly gaps: TraceGap[] = [];
  /** Nanoseconds since the start; exact up to 104 days, then to the microsecond. */
  readonly timeNs: Float64Array;
  readonly id: Uint32Array;
  readonly flags: Uint32Array;
  readonly channel: Uint16Array;
  readonly kind: Uint8Array;
  readonly bus: Uint8Array;
  readonly dlc: Uint8Array;
  readonly length: Uint8Array;
  readonly checksum: Uint8Array;
  readonly detail: Uint8Array;
  readonly payload: Uint8Array;

  constructor(capacityOrBuffer: number | ArrayBuffer) {
    const capacity =
      typeof capacityOrBuffer === 'number'
        ? Math.ceil(capacityOrBuffer / capacityStep) * capacityStep
        : capacityOrBuffer.byteLength / bytesPerEvent;
    const buffer =
      typeof capacityOrBuffer === 'number'
        ? new ArrayBuffer(capacity * bytesPerEvent)
        : capacityOrBuffer;
    let at = 0;
    const next = (bytes: number): number => {
      at += bytes * capacity;
      return at - bytes * capacity;
    };
    this.buffer = buffer;
    this.capacity = capacity;
    this.timeNs = new Float64Array(buffer, next(8), capacity);
    this.id = new Uint32Array(buffer, next(4), capacity);
    this.flags = new Uint32Array(buffer, next(4), capacity);
    this.channel = new Uint16Array(buffer, next(2), capacity);
    this.kind = new Uint8Array(buffer, next(1), capacity);
    this.bus = new Uint8Array(buffer, next(1), capacity);
    this.dlc = new Uint8Array(buffer, next(1), capacity);
    this.length = new Uint8Array(buffer, next(1), capacity);
    this.checksum = new Uint8Array(buffer, next(1), capacity);
    this.detail = new Uint8Array(buffer, next(1), capacity);
    this.payload = new Uint8Array(buffer, next(maxFdLength), capacity * maxFdLength);
  }

  /** In memory that threads share, of which `buffer` is a handle. */
  static shared(capacity: number): TraceBatch {
    const rows = Math.ceil(capacity / capacityStep) * capacityStep;
    const memory = new SharedArrayBuffer(rows * bytesPerEvent);
    return new TraceBatch(memory as unknown as ArrayBuffer);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  clear(): void {
    this.count = 0;
    if (this.gaps.length > 0) this.gaps.length = 0;
  }

  /** Marks events missing before the next row, merging repeats. */
  addGap(timeNs: number, missed: number | null, reason?: string): void {
    const last = this.gaps.at(-1);
    const row = this.count;
    if (last?.row !== row) this.gaps.push({ row, timeNs, missed, ...(reason && { reason }) });
    else last.missed = last.missed === null || missed === null ? null : last.missed + missed;
  }

  takeGaps(from: TraceBatch): void {
    for (const { timeNs, missed, reason } of from.gaps) this.addGap(timeNs, missed, reason);
    from.gaps.length = 0;
  }

  /** Fills the next row except its time and data, and does not count it. */
  putRow(
    bus: number,
    kind: number,
    channel: number,
    id: number,
    flags: number,
    dlc: number,
    length: number,
  ): void {
    const row = this.count;
    this.bus[row] = bus;
    this.kind[row] = kind;
    this.channel[row] = channel;
    this.id[row] = id;
    this.flags[row] = flags;
    this.dlc[row] = dlc;
    this.length[row] = length;
    this.checksum[row] = 0;
    this.detail[row] = 0;
  }

  appendRow(from: TraceBatch, row: number): void {
    const to = this.count++;
    const length = from.length[row] as number;
    this.timeNs[to] = from.timeNs[row] as number;
    this.id[to] = from.id[row] as number;
    this.flags[to] = from.flags[row] as number;
    this.channel[to] = from.channel[row] as number;
    this.kind[to] = from.kind[row] as number;
    this.bus[to] = from.bus[row] as number;
    this.dlc[to] = from.dlc[row] as number;
    this.length[to] = length;
    this.checksum[to] = from.checksum[row] as number;
    this.detail[to] = from.detail[row] as number;
    for (let i = 0, source = row * maxFdLength, at = to * maxFdLength; i < length; i++) {
      this.payload[at + i] = from.payload[source + i] as number;
    }
  }

  /** Appends the FRM2 record at an offset; the trace starts at `startUnixUs`. */
  appendFrm2(record: DataView, at: number, startUnixUs: number, channel: number): void {
    const row = this.count++;
    this.timeNs[row] = (frm2TimestampUs(record, at) - startUnixUs) * 1000;
    this.id[row] = frm2Id(record, at);
    this.flags[row] = frm2Flags(record, at);
    this.channel[row] = channel;
    this.kind[row] = frm2EventKind(record, at);
    this.bus[row] = frm2Bus(record, at);
    this.dlc[row] = frm2Dlc(record, at);
    this.checksum[row] = frm2Checksum(record, at);
    this.detail[row] = detailOfStatus(frm2Status(record, at));
    const length = frm2PayloadLength(record, at);
    this.length[row] = length;
    for (let i = 0, from = at + frm2.payload, to = row * maxFdLength; i < length; i++) {
      this.payload[to + i] = record.getUint8(from + i);
    }
  }
}
