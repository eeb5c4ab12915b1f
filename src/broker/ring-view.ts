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

/** Result of `idAt` for an overwritten record. */
const overwritten = 0;

/** A ring as readers see it. Records have an index from 0; the sequence is one more. */
export class RingView {
  readonly handle: RingHandle;
  readonly words: Int32Array;
  size = 0;
  bytes: Uint8Array = new Uint8Array();
  /** No record below this index is kept, regardless of the ring's size. */
  floor = 0;
  #floorId = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(handle: RingHandle) {
    this.handle = handle;
    this.words = wordsOf(handle.buffer);
    this.refresh();
  }

  /** Adopts a new size of the ring; true if it has grown. */
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

  /** The oldest record that is not being overwritten. Adopts a new size of the ring. */
  get low(): number {
    for (;;) {
      const reserved = readCounter(this.words, reserveAt);
      if (!this.refresh()) return Math.max(this.floor, reserved - this.size);
    }
  }

  slotOf(index: number): number {
    return index & (this.size - 1);
  }

  /** Newest id that has left the public window; 0 while it holds everything. */
  lost(capacity: number): number {
    for (;;) {
      const head = this.head;
      if (this.refresh()) continue;
      const from = head - Math.min(capacity, publicLimitOf(this.size));
      if (from <= this.floor) return this.#floorId;
      // The headroom keeps this record readable even while the largest batch is written.
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

  /** First kept index with an id above the given one; the head if there is none. */
  indexAfter(eventId: number): number {
    const { head, low } = this;
    let from = Math.min(low, head);
    let to = head;
    while (from < to) {
      const middle = from + Math.floor((to - from) / 2);
      // Overwritten records are too old: the target follows them, or is lost.
      if (this.#idAt(middle) <= eventId) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Id of the first kept record between two ids; undefined if there is none. */
  firstBetween(above: number, below: number): number | undefined {
    for (;;) {
      const index = this.indexAfter(above);
      if (index === this.head) return undefined;
      const id = this.#idAt(index);
      if (id !== overwritten) return id < below ? id : undefined;
    }
  }

  /** Id of the last kept record between two ids; undefined if there is none. */
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
