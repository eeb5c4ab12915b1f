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

/** What `idAt` gives for a record that has been overwritten. */
const overwritten = 0;

/** A ring as its readers see it. Records have an index, from 0; the sequence is one more. */
export class RingView {
  readonly handle: RingHandle;
  readonly words: Int32Array;
  size = 0;
  bytes: Uint8Array = new Uint8Array();
  /** Nothing below this index is kept, however large the ring is now. */
  floor = 0;
  #floorId = 0;
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(handle: RingHandle) {
    this.handle = handle;
    this.words = wordsOf(handle.buffer);
    this.refresh();
  }

  /** Follows the ring if it has grown, and tells whether it has. */
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

  /** One past the newest committed record. */
  get head(): number {
    return readCounter(this.words, headAt);
  }

  /** The oldest record that is not being overwritten. Follows the ring if it has grown. */
  get low(): number {
    for (;;) {
      const reserved = readCounter(this.words, reserveAt);
      if (!this.refresh()) return Math.max(this.floor, reserved - this.size);
    }
  }

  slotOf(index: number): number {
    return index & (this.size - 1);
  }

  /** The newest id that the public window has pushed out; 0 as long as it holds everything. */
  lost(capacity: number): number {
    for (;;) {
      const head = this.head;
      if (this.refresh()) continue;
      const from = head - Math.min(capacity, publicLimitOf(this.size));
      if (from <= this.floor) return this.#floorId;
      // The headroom keeps this one readable, even while the largest batch is being written.
      const id = this.#idAt(from - 1);
      if (id !== overwritten) return id;
    }
  }

  /** The newest committed id; 0 if there is none. */
  newest(): number {
    for (;;) {
      const head = this.head;
      if (head === this.floor) return this.#floorId;
      const id = this.#idAt(head - 1);
      if (id !== overwritten) return id;
    }
  }

  /** The first kept index whose id is above the one given; the head if there is none. */
  indexAfter(eventId: number): number {
    const { head, low } = this;
    let from = Math.min(low, head);
    let to = head;
    while (from < to) {
      const middle = from + Math.floor((to - from) / 2);
      // Overwritten counts as too old: what is sought lies behind it, or is lost.
      if (this.#idAt(middle) <= eventId) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The id of the first kept record above one id and below another; undefined if there is none. */
  firstBetween(above: number, below: number): number | undefined {
    for (;;) {
      const index = this.indexAfter(above);
      if (index === this.head) return undefined;
      const id = this.#idAt(index);
      if (id !== overwritten) return id < below ? id : undefined;
    }
  }

  /** The id of the last kept record above one id and below another; undefined if there is none. */
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
