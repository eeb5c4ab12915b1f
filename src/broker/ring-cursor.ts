import type { Visitor } from '../base/subscription.ts';
import { frm2EventId } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { copySlots, grown, intactAfterCopy } from './reader-steps.ts';
import type { RingView } from './ring-view.ts';
import { Staging, stagingSlots } from './staging.ts';
import type { PublicWindow } from './window.ts';

/**
 * Receives the records of a pass. A record's key is its offset in the staging area, where 128
 * bytes contain header and payload.
 */
export interface RecordVisitor extends Visitor<Staging, number> {
  /** Source sequences of lost records. The channel's next record follows. */
  gap?(channel: number, first: number, last: number): void;
}

/** Shows every record in a ring, including those outside the public window. */
export const wholeRing = Number.POSITIVE_INFINITY;

export const noId = Number.POSITIVE_INFINITY;

const nothing = new Staging();

/**
 * A position in one ring. `stage` copies the next records to private memory, and `deliver`
 * passes them to a visitor one by one. Staged records that were not delivered are staged again.
 */
export class RingCursor {
  readonly ring: RingView;
  readonly #capacity: number;
  isClosing = false;
  next = 0;
  stagedId = noId;
  #gapFrom = -1;
  #staging = nothing;
  #offset = 0;
  #end = 0;

  constructor(ring: RingView, capacity: number) {
    this.ring = ring;
    this.#capacity = capacity;
  }

  /** Moves to an index without counting earlier records as lost. */
  moveTo(index: number): void {
    this.next = index;
    this.#gapFrom = -1;
  }

  skipTo(index: number): void {
    if (index <= this.next) return;
    if (this.#gapFrom < 0) this.#gapFrom = this.next;
    this.next = index;
  }

  /**
   * Copies the next records. If nothing is staged afterwards, every record committed before the
   * call has been delivered.
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

  get hasGap(): boolean {
    return this.#gapFrom >= 0;
  }

  /** Records that a gap would report if the cursor skipped to an index. */
  lostBefore(index: number): number {
    return Math.max(this.next, index) - (this.hasGap ? this.#gapFrom : this.next);
  }

  takeGap(): number {
    if (!this.hasGap) return 0;
    const missed = this.next - this.#gapFrom;
    this.#gapFrom = -1;
    return missed;
  }

  get isExhausted(): boolean {
    return this.#offset === this.#end;
  }

  /**
   * Delivers the next staged record after its gap. Advances first so that each record is
   * delivered only once.
   */
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

export interface SeekResult {
  readonly position: number;
  /** The requested id has expired, so the cursor is at the oldest available event. */
  readonly expired: boolean;
}

/** Places cursors after an event id, or at the oldest available event if the id is 0 or expired. */
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
    // Records were overwritten, possibly before a cursor found its position.
    expired ||= after !== 0;
    position = lost;
  }
};
