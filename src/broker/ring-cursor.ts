import type { Visitor } from '../base/subscription.ts';
import { frm2EventId } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { copySlots, grown, intactAfterCopy } from './reader-steps.ts';
import type { RingView } from './ring-view.ts';
import { Staging, stagingSlots } from './staging.ts';
import type { PublicWindow } from './window.ts';

/**
 * Receives the records of a pass. The key of a record is its offset in the staging area: 128 bytes
 * from there on, of which header and payload count.
 */
export interface RecordVisitor extends Visitor<Staging, number> {
  /** A channel's records from one source sequence to another are lost. Its next record follows. */
  gap?(channel: number, first: number, last: number): void;
}

/** Sees every record that a ring still holds, not only those shown to clients. */
export const wholeRing = Number.POSITIVE_INFINITY;

/** The id of what is not there: above all ids. */
export const noId = Number.POSITIVE_INFINITY;

const nothing = new Staging();

/**
 * A place in one ring. `stage` copies the next records to private memory, `deliver` hands them out
 * one by one. What is staged and not delivered stays where it was and is staged again.
 */
export class RingCursor {
  readonly ring: RingView;
  readonly #capacity: number;
  /** The channel is closed: to be forgotten once all is delivered. */
  isClosing = false;
  /** Index of the next record to deliver. */
  next = 0;
  /** The id of the next staged record, or `noId`. */
  stagedId = noId;
  #gapFrom = -1;
  #staging = nothing;
  #offset = 0;
  #end = 0;

  constructor(ring: RingView, capacity: number) {
    this.ring = ring;
    this.#capacity = capacity;
  }

  /** Goes on at an index, without counting anything before it as lost. */
  moveTo(index: number): void {
    this.next = index;
    this.#gapFrom = -1;
  }

  /** Goes on at an index or behind it; what is left out between is a gap. */
  skipTo(index: number): void {
    if (index <= this.next) return;
    if (this.#gapFrom < 0) this.#gapFrom = this.next;
    this.next = index;
  }

  /**
   * Copies what is next. If nothing is staged afterwards, nothing is left of what was committed when
   * this was called: the rest is newer.
   */
  stage(staging = this.#staging): void {
    this.#staging = staging;
    this.stagedId = noId;
    const { ring } = this;
    const head = ring.head;
    while (this.next < head) {
      this.skipTo(Math.max(ring.low, head - this.#capacity));
      const count = Math.min(head - this.next, stagingSlots);
      if (count <= 0) return;
      const first = this.next;
      copySlots(ring.bytes, ring.slotOf(first), count, staging.bytes);
      const intactFrom = intactAfterCopy(ring.words, ring.size);
      if (intactFrom === grown) continue;
      this.skipTo(Math.min(intactFrom, first + count));
      this.#offset = (this.next - first) * frm2SlotBytes;
      this.#end = count * frm2SlotBytes;
      if (this.isExhausted) continue;
      this.stagedId = frm2EventId(staging.view, this.#offset);
      return;
    }
  }

  /** Whether something is left out that was neither given as a gap nor taken. */
  get hasGap(): boolean {
    return this.#gapFrom >= 0;
  }

  /** How many records the gap before the next one holds, which is not given any more. */
  takeGap(): number {
    if (!this.hasGap) return 0;
    const missed = this.next - this.#gapFrom;
    this.#gapFrom = -1;
    return missed;
  }

  /** Whether all that was staged has been delivered. */
  get isExhausted(): boolean {
    return this.#offset === this.#end;
  }

  /** Hands out the next staged record, after the gap before it. Moves first, so that it comes once. */
  deliver(visitor: RecordVisitor): boolean {
    if (this.hasGap) this.#giveGap(visitor);
    const offset = this.#offset;
    this.#offset += frm2SlotBytes;
    this.next++;
    this.stagedId = this.isExhausted ? noId : frm2EventId(this.#staging.view, this.#offset);
    return visitor.item(this.#staging, offset);
  }

  #giveGap(visitor: RecordVisitor): void {
    const first = this.#gapFrom + 1;
    this.#gapFrom = -1;
    visitor.gap?.(this.ring.handle.channel, first, this.next);
  }
}

/** Where a seek has ended. */
export interface SeekResult {
  /** The event id that the cursor now follows. */
  readonly position: number;
  /** The id asked for has expired: the cursor stands before the oldest event to be had instead. */
  readonly expired: boolean;
}

/** Places cursors behind an event id, or before the oldest event to be had if that is 0 or expired. */
export const seekAfter = (
  cursors: readonly RingCursor[],
  window: PublicWindow,
  after: number,
): SeekResult => {
  let expired = window.expired(after);
  let position = after === 0 || expired ? window.lost() : after;
  for (;;) {
    for (const cursor of cursors) cursor.moveTo(cursor.ring.indexAfter(position));
    const lost = window.lost();
    if (lost <= position) return { position, expired };
    // More was pushed out meanwhile, perhaps before a cursor had found its place.
    expired ||= after !== 0;
    position = lost;
  }
};
