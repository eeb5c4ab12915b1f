import { maxFdLength } from '../../../src/frame/dlc.ts';
import { frm2DataLength, frm2ErrorCount } from '../../../src/frame/error-count.ts';
import {
  frm2EventId,
  frm2SourceSequence,
  frm2Status,
  frm2TimestampUs,
} from '../../../src/frame/frm2-codec.ts';
import { busCode, eventKindCode, frm2, frm2HeaderLength } from '../../../src/frame/frm2-layout.ts';
import type { MessageEvent as FrameEvent } from '../api/client.ts';

/** Kind of a row that represents missing frames. */
export const gapKind = 0;
/** Kind of a row for a frame that a gateway fault rule kept off the bus. */
export const droppedKind = 0xff;
/** Channel of a gap that affects all channels. */
export const everyChannel = 0xffff;

/** A frame that was sent and received again: the first report of it, and further ones. */
export const twinRow = { none: 0, first: 1, further: 2 } as const;

/** What the end-to-end check of a gateway finds in a received frame. */
export const checkMark = { none: 0, wrong: 1, repeated: 2, outOfSequence: 3 } as const;

/** Stored as the number of missing frames at the start of the history of some channels. */
export const someChannels = Number.POSITIVE_INFINITY;

export interface Gap {
  readonly eventId: number;
  /** Number of missing frames; NaN if unknown, or `someChannels`. */
  readonly missing: number;
  readonly channel: number;
  readonly timestampUs: number;
}

/** Consecutive frames, one column per field. */
export class FrameChunk {
  readonly capacity: number;
  count = 0;
  /** Unique number of each row, ascending. */
  readonly serial: Float64Array;
  readonly eventId: Float64Array;
  /** For a gap: the number of missing frames. */
  readonly sequence: Float64Array;
  readonly timestampUs: Float64Array;
  /** Time since the frame before of the same identifier, channel and direction; NaN without one. */
  readonly sinceUs: Float64Array;
  readonly id: Uint32Array;
  readonly flags: Uint32Array;
  readonly status: Uint32Array;
  readonly channel: Uint16Array;
  readonly kind: Uint8Array;
  readonly bus: Uint8Array;
  readonly dlc: Uint8Array;
  readonly length: Uint8Array;
  readonly checksum: Uint8Array;
  /** Whether the frame is also reported in the other direction (`twinRow`). */
  readonly twin: Uint8Array;
  /** Result of its end-to-end check (`checkMark`). */
  readonly check: Uint8Array;
  readonly payload: Uint8Array;
  /** Error frames that the event summarizes; 0 for other events. */
  readonly errors: Uint32Array;
  readonly matches: Uint16Array;
  matchCount = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.serial = new Float64Array(capacity);
    this.eventId = new Float64Array(capacity);
    this.sequence = new Float64Array(capacity);
    this.timestampUs = new Float64Array(capacity);
    this.sinceUs = new Float64Array(capacity);
    this.id = new Uint32Array(capacity);
    this.flags = new Uint32Array(capacity);
    this.status = new Uint32Array(capacity);
    this.channel = new Uint16Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.bus = new Uint8Array(capacity);
    this.dlc = new Uint8Array(capacity);
    this.length = new Uint8Array(capacity);
    this.checksum = new Uint8Array(capacity);
    this.twin = new Uint8Array(capacity);
    this.check = new Uint8Array(capacity);
    this.payload = new Uint8Array(capacity * maxFdLength);
    this.errors = new Uint32Array(capacity);
    this.matches = new Uint16Array(capacity);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  reset(): void {
    this.count = 0;
    this.matchCount = 0;
  }

  /** Adds a record that passed `isFrm2`. */
  addRecord(record: DataView): void {
    const row = this.count++;
    this.eventId[row] = frm2EventId(record, 0);
    this.sequence[row] = frm2SourceSequence(record, 0);
    this.timestampUs[row] = frm2TimestampUs(record, 0);
    this.sinceUs[row] = Number.NaN;
    this.twin[row] = twinRow.none;
    this.check[row] = checkMark.none;
    this.id[row] = record.getUint32(frm2.id);
    this.flags[row] = record.getUint32(frm2.flags);
    this.status[row] = record.getUint32(frm2.status);
    this.channel[row] = record.getUint16(frm2.channel);
    this.kind[row] = record.getUint8(frm2.eventKind);
    this.bus[row] = record.getUint8(frm2.bus);
    this.dlc[row] = record.getUint8(frm2.dlc);
    this.checksum[row] = record.getUint8(frm2.checksum);
    const length = frm2DataLength(record, 0);
    this.length[row] = length;
    this.errors[row] = frm2Status(record, 0) === 0 ? 0 : frm2ErrorCount(record, 0);
    const to = row * maxFdLength;
    for (let i = 0; i < length; i++) this.payload[to + i] = record.getUint8(frm2HeaderLength + i);
  }

  addEvent(event: FrameEvent, row = this.count++): void {
    this.eventId[row] = event.event_id;
    this.sequence[row] = event.source_sequence;
    this.timestampUs[row] = event.timestamp_us;
    this.sinceUs[row] = Number.NaN;
    this.twin[row] = twinRow.none;
    this.check[row] = checkMark.none;
    this.id[row] = event.id;
    this.flags[row] = event.flags;
    this.status[row] = event.status;
    this.channel[row] = event.channel;
    this.kind[row] = eventKindCode[event.kind];
    this.bus[row] = busCode[event.bus];
    this.dlc[row] = event.dlc;
    this.checksum[row] = event.checksum;
    const length = event.data.length / 2;
    this.length[row] = length;
    this.errors[row] = event.count ?? 0;
    const to = row * maxFdLength;
    for (let i = 0; i < length; i++) {
      this.payload[to + i] = Number.parseInt(event.data.slice(2 * i, 2 * i + 2), 16);
    }
  }

  insert(row: number): void {
    for (const column of this.#columns) column.copyWithin(row + 1, row, this.count);
    const [from, end] = [row * maxFdLength, this.count * maxFdLength];
    this.payload.copyWithin(from + maxFdLength, from, end);
    this.count++;
  }

  /** Moves the last row to `row`, and the rows from there on by one. */
  moveLast(row: number): void {
    const last = this.count - 1;
    for (const column of this.#columns) {
      const value = column[last] as number;
      column.copyWithin(row + 1, row, last);
      column[row] = value;
    }
    const payload = this.payload.slice(last * maxFdLength, this.count * maxFdLength);
    this.payload.copyWithin((row + 1) * maxFdLength, row * maxFdLength, last * maxFdLength);
    this.payload.set(payload, row * maxFdLength);
  }

  /** Takes the last rows of another chunk away. */
  takeLast(from: FrameChunk, rows: number): void {
    const [first, end] = [from.count - rows, from.count];
    const theirs = from.#columns;
    for (const [index, column] of this.#columns.entries()) {
      column.set(theirs[index]?.subarray(first, end) ?? [], this.count);
    }
    const payload = from.payload.subarray(first * maxFdLength, end * maxFdLength);
    this.payload.set(payload, this.count * maxFdLength);
    this.count += rows;
    from.count = first;
  }

  addGap({ eventId, missing, channel, timestampUs }: Gap): void {
    const row = this.count++;
    for (const column of this.#columns) column[row] = 0;
    this.eventId[row] = eventId;
    this.sequence[row] = missing;
    this.timestampUs[row] = timestampUs;
    this.channel[row] = channel;
    this.kind[row] = gapKind;
  }

  get #columns(): readonly (Float64Array | Uint32Array | Uint16Array | Uint8Array)[] {
    return [
      ...[this.serial, this.eventId, this.sequence, this.timestampUs, this.sinceUs],
      ...[this.id, this.flags, this.status, this.errors, this.channel],
      ...[this.kind, this.bus, this.dlc, this.length, this.checksum, this.twin, this.check],
    ];
  }

  copyRow(row: number, from: FrameChunk, fromRow: number): void {
    this.eventId[row] = from.eventId[fromRow] as number;
    this.sequence[row] = from.sequence[fromRow] as number;
    this.timestampUs[row] = from.timestampUs[fromRow] as number;
    this.sinceUs[row] = from.sinceUs[fromRow] as number;
    this.id[row] = from.id[fromRow] as number;
    this.flags[row] = from.flags[fromRow] as number;
    this.status[row] = from.status[fromRow] as number;
    this.channel[row] = from.channel[fromRow] as number;
    this.kind[row] = from.kind[fromRow] as number;
    this.bus[row] = from.bus[fromRow] as number;
    this.dlc[row] = from.dlc[fromRow] as number;
    this.length[row] = from.length[fromRow] as number;
    this.checksum[row] = from.checksum[fromRow] as number;
    this.errors[row] = from.errors[fromRow] as number;
    this.twin[row] = from.twin[fromRow] as number;
    this.check[row] = from.check[fromRow] as number;
  }

  copyFrom(from: FrameChunk): void {
    for (let row = 0; row < from.count; row++) this.copyRow(row, from, row);
    this.payload.set(from.payload);
    this.count = from.count;
  }

  dataOf(row: number): Uint8Array {
    const from = row * maxFdLength;
    return this.payload.subarray(from, from + (this.length[row] ?? 0));
  }
}
