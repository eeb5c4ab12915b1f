import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { frm2EventId, setFrm2EventId, setFrm2SourceSequence } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { readCounter } from './counter.ts';
import type { Publisher } from './publisher.ts';
import {
  checkSlots,
  extendBuffer,
  headAt,
  headroomOf,
  type RingFloor,
  type RingHandle,
  readFloor,
  reserveAt,
  sizeAt,
  slotBytesOf,
  slotViewOf,
  wordsOf,
  writeFloor,
} from './ring-memory.ts';
import { commitSlots, reserveSlots } from './writer-steps.ts';

/**
 * Grows a ring in place, between two records and in its writer's thread. Counters continue, and
 * readers need no notice. The new size is a multiple of the old one, so a record keeps its slot
 * or moves to a new slot. No slot that a reader may be copying is overwritten. The old slots
 * stay valid until the new size is stored; a reader that used the old size detects the change
 * and copies again. A writer killed before that store has changed nothing.
 */
const growRing = (buffer: SharedArrayBuffer, slots: number): void => {
  checkSlots(slots);
  const words = wordsOf(buffer);
  const size = Atomics.load(words, sizeAt);
  const intactFrom = readCounter(words, reserveAt) - size;
  const floor = readFloor(buffer, size);
  extendBuffer(buffer, slots);
  const oldest = Math.max(intactFrom, floor.index);
  relocate(slotBytesOf(buffer, slots), size, slots, oldest, readCounter(words, headAt));
  writeFloor(buffer, slots, floorAfter(buffer, size, intactFrom, floor));
  Atomics.store(words, sizeAt, slots);
};

const relocate = (
  bytes: Uint8Array,
  size: number,
  slots: number,
  from: number,
  to: number,
): void => {
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / size) + 1) * size);
    const source = (start % size) * frm2SlotBytes;
    const target = (start % slots) * frm2SlotBytes;
    if (target !== source) {
      bytes.copyWithin(target, source, source + (end - start) * frm2SlotBytes);
    }
    start = end;
  }
};

/**
 * The larger window includes overwritten records, and clients need the newest lost id. That
 * record is gone, so the ring drops its oldest remaining record and uses that record's id.
 */
const floorAfter = (
  buffer: SharedArrayBuffer,
  size: number,
  intactFrom: number,
  before: RingFloor,
): RingFloor => {
  if (intactFrom <= before.index) return before;
  const oldest = (intactFrom % size) * frm2SlotBytes;
  return { index: intactFrom + 1, eventId: frm2EventId(slotViewOf(buffer, size), oldest) };
};

/**
 * Publishes the records of one channel, in its writer's thread. `reserve` opens records, the
 * caller fills them in place at `offsetOf(i)` of `bytes` or `view`, and `commit` adds event ids
 * and sequences and publishes. A slot still contains its previous record, so the caller must
 * write every field.
 */
export class RingWriter {
  readonly channel: number;
  readonly #handle: RingHandle;
  readonly #publisher: Publisher;
  readonly #words: Int32Array;
  #bytes: Uint8Array;
  #view: DataView;
  #mask: number;
  #maxBatch: number;
  #head: number;
  #reserved: number;
  #firstId = 0;
  #open = 0;

  /** Continues where the previous writer stopped, even if it was killed inside a record. */
  constructor(publisher: Publisher, handle: RingHandle) {
    if (handle.writer !== publisher.writer) {
      throw new BusbarError('internal_error', { message: 'The ring has another writer' });
    }
    this.channel = handle.channel;
    this.#handle = handle;
    this.#publisher = publisher;
    this.#words = wordsOf(handle.buffer);
    this.#head = readCounter(this.#words, headAt);
    this.#reserved = readCounter(this.#words, reserveAt);
    const slots = Atomics.load(this.#words, sizeAt);
    this.#bytes = slotBytesOf(handle.buffer, slots);
    this.#view = slotViewOf(handle.buffer, slots);
    this.#mask = slots - 1;
    this.#maxBatch = maxBatchOf(slots);
  }

  get view(): DataView {
    return this.#view;
  }

  get maxBatch(): number {
    return this.#maxBatch;
  }

  get published(): number {
    return this.#head;
  }

  /** Opens records and returns the offset of the first. Merged readers wait until `commit`. */
  reserve(count = 1): number {
    if (!(count >= 1 && count <= this.#maxBatch)) throw batchOutOfRange(this.#maxBatch);
    this.#publisher.begin();
    // Fewer slots than `count` are missing only if a killed writer reserved slots that it never
    // committed.
    const missing = this.#head + count - this.#reserved;
    if (missing > 0) {
      reserveSlots(this.#words, missing);
      this.#reserved += missing;
    }
    this.#firstId = this.#publisher.takeIds(count);
    this.#open = count;
    return this.offsetOf(0);
  }

  /** Offset of an open record, counted from 0. Wraps at the end of the ring. */
  offsetOf(index: number): number {
    return this.slotOf(this.#head + index);
  }

  slotOf(record: number): number {
    return (record & this.#mask) * frm2SlotBytes;
  }

  commit(): void {
    const count = this.#open;
    if (count === 0) throw new BusbarError('internal_error', { message: 'No record is open' });
    for (let index = 0; index < count; index++) {
      const offset = this.offsetOf(index);
      setFrm2EventId(this.#view, offset, this.#firstId + index);
      setFrm2SourceSequence(this.#view, offset, this.#head + index + 1);
    }
    commitSlots(this.#words, count);
    this.#head += count;
    this.#open = 0;
    this.#publisher.end();
  }

  /** Drops the open records. Their event ids stay unused; their slots are reused. */
  abandon(): void {
    if (this.#open === 0) return;
    this.#open = 0;
    this.#publisher.end();
  }

  publish(records: Uint8Array, count = 1): void {
    const first = this.reserve(count);
    const length = count * frm2SlotBytes;
    const beforeEnd = Math.min(length, this.#bytes.length - first);
    if (length === records.length && beforeEnd === length) {
      this.#bytes.set(records, first);
    } else {
      this.#bytes.set(records.subarray(0, beforeEnd), first);
      this.#bytes.set(records.subarray(beforeEnd, length), 0);
    }
    this.commit();
  }

  /** Grows the ring and preserves its records. No effect if it already has that many slots. */
  grow(slots: number): void {
    if (this.#open > 0) throw new BusbarError('internal_error', { message: 'A record is open' });
    if (slots <= this.#mask + 1) return;
    growRing(this.#handle.buffer, slots);
    this.#bytes = slotBytesOf(this.#handle.buffer, slots);
    this.#view = slotViewOf(this.#handle.buffer, slots);
    this.#mask = slots - 1;
    this.#maxBatch = maxBatchOf(slots);
  }
}

/**
 * Smaller than the headroom, so that the newest record outside the public window stays readable.
 */
const maxBatchOf = (slots: number): number => headroomOf(slots) - 1;

const batchOutOfRange = (max: number): BusbarError =>
  invalidArgument('count', `A batch holds from 1 to ${max} records`);
