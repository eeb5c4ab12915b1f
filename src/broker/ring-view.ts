import { frm2EventId } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { readCounter } from './counter.ts';
import { grown, intactAfterCopy } from './reader-steps.ts';
import {
  headAt,
  publicLimitOf,
  type RingHandle,
  readFloor,
  reserveAt,
  sizeAt,
  slotBytesOf,
  slotViewOf,
  wordsOf,
} from './ring-memory.ts';

const overwritten = 0;

/**
 * A ring as readers see it. Records have an index from 0; the source sequence is the index plus
 * 1.
 */
export class RingView {
  readonly handle: RingHandle;
  readonly words: Int32Array;
  size = 0;
  bytes: Uint8Array = new Uint8Array();
  /** No record below this index is available, regardless of the ring's size. */
  floor = 0;
  #floorId = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(handle: RingHandle) {
    this.handle = handle;
    this.words = wordsOf(handle.buffer);
    this.refresh();
  }

  /** Adopts a new ring size. Returns true if the ring has grown. */
  refresh(): boolean {
    const size = Atomics.load(this.words, sizeAt);
    if (size === this.size) return false;
    const { buffer } = this.handle;
    const floor = readFloor(buffer, size);
    this.size = size;
    this.floor = floor.index;
    this.#floorId = floor.eventId;
    this.bytes = slotBytesOf(buffer, size);
    this.#view = slotViewOf(buffer, size);
    return true;
  }

  get head(): number {
    return readCounter(this.words, headAt);
  }

  /** Index of the oldest record not being overwritten. Also adopts a new ring size. */
  get low(): number {
    for (;;) {
      const reserved = readCounter(this.words, reserveAt);
      if (!this.refresh()) return Math.max(this.floor, reserved - this.size);
    }
  }

  slotOf(index: number): number {
    return index & (this.size - 1);
  }

  /** Newest id that has left the public window; 0 if none has. */
  lost(capacity: number): number {
    for (;;) {
      const head = this.head;
      if (this.refresh()) continue;
      const from = head - Math.min(capacity, publicLimitOf(this.size));
      if (from <= this.floor) return this.#floorId;
      // The headroom keeps this record readable while the largest batch is written.
      const id = this.#idAt(from - 1);
      if (id !== overwritten) return id;
    }
  }

  newest(): number {
    for (;;) {
      const head = this.head;
      if (head === this.floor) return this.#floorId;
      const id = this.#idAt(head - 1);
      if (id !== overwritten) return id;
    }
  }

  /** Returns the first available index with an id above `eventId`, or the head if none. */
  indexAfter(eventId: number): number {
    const { head, low } = this;
    let from = Math.min(low, head);
    let to = head;
    while (from < to) {
      const middle = from + Math.floor((to - from) / 2);
      // An overwritten record is too old: the target is after it, or lost.
      if (this.#idAt(middle) <= eventId) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  firstBetween(above: number, below: number): number | undefined {
    for (;;) {
      const index = this.indexAfter(above);
      if (index === this.head) return undefined;
      const id = this.#idAt(index);
      if (id !== overwritten) return id < below ? id : undefined;
    }
  }

  lastBetween(above: number, below: number): number | undefined {
    for (;;) {
      const index = this.indexAfter(below - 1) - 1;
      if (index < this.low) return undefined;
      const id = this.#idAt(index);
      if (id !== overwritten) return id > above ? id : undefined;
    }
  }

  #idAt(index: number): number {
    for (;;) {
      const id = frm2EventId(this.#view, this.slotOf(index) * frm2SlotBytes);
      const intactFrom = intactAfterCopy(this.words, this.size);
      if (intactFrom !== grown) return index < intactFrom ? overwritten : id;
      this.refresh();
    }
  }
}
