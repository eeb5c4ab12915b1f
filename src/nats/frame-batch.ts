import { copyWords } from '../frame/copy-words.ts';
import { frm2EventId, frm2Length, isFrm2, setFrm2StreamEpoch } from '../frame/frm2-codec.ts';
import { frm2HeaderLength, frm2SlotBytes } from '../frame/frm2-layout.ts';
import type { BenchMessage } from './messages.ts';

export const maxBatchRecords = 1000;
export const maxBatchBytes = 256 * 1024;
export const maxBatchMs = 100;

/** Room for the headers and the reply subject of a message, which count as its payload. */
const headerRoom = 1024;
/** A server with less has no room for one record. */
export const minPayload = headerRoom + frm2SlotBytes;

const firstBytes = 16 * 1024;

/** Bytes of records in a message, for the `max_payload` of a server. */
export const batchBytes = (maxPayload: number): number =>
  Math.max(frm2SlotBytes, Math.min(maxBatchBytes, maxPayload - headerRoom));

export interface FrameBatchOptions {
  readonly subject: string;
  readonly boot: string;
  readonly epoch: number;
}

/** Records of one channel that become a message. Allocates only when it grows and when it is taken. */
export class FrameBatch {
  readonly #options: FrameBatchOptions;
  #memory = new Uint8Array(firstBytes);
  #view = new DataView(this.#memory.buffer);
  #length = 0;
  #first = 0;
  #last = 0;
  #count = 0;

  constructor(options: FrameBatchOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether a record of any length might be refused. */
  isFull(limit: number): boolean {
    return this.#count >= maxBatchRecords || this.#length + frm2SlotBytes > limit;
  }

  /** Copies a record. There must be room for it. */
  add(view: DataView, offset: number): void {
    if (this.#length + frm2SlotBytes > this.#memory.length) this.#grow();
    const length = frm2Length(view, offset);
    copyWords(this.#view, this.#length, view, offset, length);
    setFrm2StreamEpoch(this.#view, this.#length, this.#options.epoch);
    this.#length += length;
    this.#last = frm2EventId(view, offset);
    if (this.#count === 0) this.#first = this.#last;
    this.#count += 1;
  }

  /** The message of all records since the last one; null if there are none. */
  take(): BenchMessage | null {
    if (this.#count === 0) return null;
    const { subject, boot } = this.#options;
    const message: BenchMessage = {
      kind: 'frames',
      subject,
      boot,
      first: this.#first,
      last: this.#last,
      count: this.#count,
      missed: 0,
      body: this.#memory.slice(0, this.#length),
    };
    this.#length = 0;
    this.#count = 0;
    return message;
  }

  #grow(): void {
    const memory = new Uint8Array(2 * this.#memory.length);
    memory.set(this.#memory);
    this.#memory = memory;
    this.#view = new DataView(memory.buffer);
  }
}

/** Offsets of the records of a message, and its end; null if it is not made of whole records. */
export const recordOffsets = (body: Uint8Array): number[] | null => {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const offsets: number[] = [];
  let at = 0;
  while (at < body.length) {
    if (body.length - at < frm2HeaderLength) return null;
    const length = frm2Length(view, at);
    if (at + length > body.length) return null;
    if (!isFrm2(new DataView(body.buffer, body.byteOffset + at, length))) return null;
    offsets.push(at);
    at += length;
  }
  return [...offsets, at];
};

/**
 * A batch as several of at most `limit` bytes each. Only for a batch that the server has not stored
 * and cannot store: the parts have other ids.
 */
export const splitBatch = (message: BenchMessage, limit: number): BenchMessage[] => {
  const { body } = message;
  const offsets = recordOffsets(body);
  if (offsets === null || body.length <= limit) return [message];
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const parts: BenchMessage[] = [];
  const end = offsets.length - 1;
  for (let from = 0, to = 0; from < end; from = to) {
    const start = offsets[from] as number;
    for (to = from + 1; to < end && (offsets[to + 1] as number) - start <= limit; ) to += 1;
    parts.push({
      ...message,
      first: frm2EventId(view, start),
      last: frm2EventId(view, offsets[to - 1] as number),
      count: to - from,
      body: body.slice(start, offsets[to]),
    });
  }
  return parts;
};
