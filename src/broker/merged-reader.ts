import type { Bounds, Cursor, Lost } from '../base/subscription.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { takeWatermark } from './reader-steps.ts';
import {
  type RecordVisitor,
  RingCursor,
  type SeekResult,
  seekAfter,
  wholeRing,
} from './ring-cursor.ts';
import type { RingHandle } from './ring-memory.ts';
import { RingView } from './ring-view.ts';
import { type Staging, StagingPool } from './staging.ts';
import { PublicWindow } from './window.ts';

export interface MergedReaderOptions {
  readonly memory: BrokerMemory;
  readonly rings: readonly RingHandle[];
  /**
   * Number of newest records per channel that this cursor sees. Default: all records in the rings.
   */
  readonly capacity?: number;
  /** The rings are all rings, so events of closed channels count as lost. */
  readonly everyChannel?: boolean;
  /**
   * A pass stops before a gap and continues after `skipLost`. For clients that need either
   * every event or a gap report.
   */
  readonly stopsAtGaps?: boolean;
  readonly staging?: StagingPool;
}

/**
 * Reads several channels in strict event id order. Starts live. Channels may change only
 * between passes, never inside a visitor.
 */
export class MergedReader implements Cursor<Staging, number> {
  readonly window: PublicWindow;
  readonly everyChannel: boolean;
  readonly #memory: BrokerMemory;
  readonly #capacity: number;
  readonly #stopsAtGaps: boolean;
  readonly #pool: StagingPool;
  readonly #openRings: RingView[] = [];
  #cursors: readonly RingCursor[] = [];
  #position = 0;
  #dropped = 0;
  #runEnd = 0;

  constructor(options: MergedReaderOptions) {
    const { memory, rings, capacity = wholeRing, everyChannel = false } = options;
    this.#memory = memory;
    this.#capacity = capacity;
    this.everyChannel = everyChannel;
    this.#stopsAtGaps = options.stopsAtGaps ?? false;
    this.#pool = options.staging ?? new StagingPool();
    this.window = new PublicWindow({ memory, rings: this.#openRings, capacity, everyChannel });
    for (const ring of rings) this.#follow(ring);
    this.seekLive();
  }

  get position(): number {
    return this.#position;
  }

  get lag(): number {
    let lag = 0;
    for (const { ring, next } of this.#cursors) lag += ring.head - next;
    return lag;
  }

  /** Committed records of a channel not yet delivered; 0 if the channel is not followed. */
  lagOf(channel: number): number {
    const cursor = this.#cursorOf(channel);
    return cursor ? cursor.ring.head - cursor.next : 0;
  }

  get hasChannels(): boolean {
    return this.#cursors.length > 0;
  }

  follows(channel: number): boolean {
    return this.#cursorOf(channel) !== undefined;
  }

  get hasBacklog(): boolean {
    for (const { ring, next } of this.#cursors) if (ring.head !== next) return true;
    return false;
  }

  get writers(): number {
    return this.#openRings.reduce((writers, { handle }) => writers | (1 << handle.writer), 0);
  }

  seekLive(): void {
    this.#position = takeWatermark(this.#memory) - 1;
    for (const cursor of this.#cursors) cursor.moveTo(cursor.ring.indexAfter(this.#position));
  }

  /** Continues after an event id; 0 means the oldest available event. */
  seek(after: number): SeekResult {
    const result = seekAfter(this.#cursors, this.window, after);
    this.#position = result.position;
    return result;
  }

  /**
   * Follows a new channel from its first record. Records older than ids already delivered can
   * no longer be ordered and are reported as a gap.
   */
  attach(ring: RingHandle): void {
    const cursor = this.#follow(ring);
    cursor.skipTo(cursor.ring.indexAfter(this.#position));
  }

  /** Detaches a closed channel after its remaining records are delivered. */
  detach(channel: number): void {
    const cursor = this.#cursorOf(channel);
    if (cursor) cursor.isClosing = true;
    this.#closeRing(channel);
    this.#forgetDelivered();
  }

  /**
   * Drops a channel immediately because its memory is about to be reused. Its remaining records
   * count as lost.
   */
  drop(channel: number): void {
    const cursor = this.#cursorOf(channel);
    if (!cursor) return;
    this.#dropped += cursor.takeGap() + cursor.ring.head - cursor.next;
    this.#closeRing(channel);
    this.#cursors = this.#cursors.filter((other) => other !== cursor);
    if (this.#cursors.length > 0) return;
    this.#position = Math.max(this.#position, cursor.ring.newest());
  }

  get hasLost(): boolean {
    if (this.#dropped > 0) return true;
    for (const cursor of this.#cursors) if (cursor.hasGap) return true;
    return false;
  }

  /** What `skipLost` would report now. Records are lost before a reader that waits has noticed. */
  get lost(): number {
    const cursors = this.#cursors;
    const hasOverwritten = cursors.some(({ ring, next }) => ring.low > next);
    if (!hasOverwritten && !this.hasLost) return 0;
    const position = Math.max(this.#position, this.#bounds().oldestAvailable - 1);
    let missed = this.#dropped;
    for (const cursor of cursors) {
      missed += cursor.lostBefore(Math.max(cursor.ring.low, cursor.ring.indexAfter(position)));
    }
    return missed;
  }

  /** Records that were lost or not delivered, and that no gap has reported. */
  get unread(): number {
    let unread = this.#dropped;
    for (const cursor of this.#cursors) unread += cursor.lostBefore(cursor.ring.head);
    return unread;
  }

  /**
   * Continues on all channels after the newest record that any channel has lost. The bounds are
   * read first: more records may be lost meanwhile, but nothing older than the bounds is delivered.
   */
  skipLost(): Lost & { readonly missed: number } {
    const bounds = this.#bounds();
    this.#position = Math.max(this.#position, bounds.oldestAvailable - 1);
    let missed = this.#dropped;
    this.#dropped = 0;
    for (const cursor of this.#cursors) {
      cursor.skipTo(cursor.ring.indexAfter(this.#position));
      missed += cursor.takeGap();
    }
    return { bounds, missed };
  }

  pass(visitor: RecordVisitor, limit = Number.POSITIVE_INFINITY): number {
    const watermark = takeWatermark(this.#memory);
    const cursors = this.#cursors;
    for (const cursor of cursors) cursor.stage(this.#pool.borrow());
    try {
      if (this.#stopsAtGaps && this.hasLost) return 0;
      return this.#merge(visitor, watermark, limit);
    } finally {
      this.#pool.free(cursors.length);
      this.#forgetDelivered();
    }
  }

  #merge(visitor: RecordVisitor, watermark: number, limit: number): number {
    let delivered = 0;
    while (delivered < limit) {
      const cursor = this.#earliest(watermark);
      if (!cursor) {
        this.#position = Math.max(this.#position, watermark - 1);
        break;
      }
      do {
        delivered++;
        this.#position = cursor.stagedId;
        if (!cursor.deliver(visitor)) return delivered;
        if (cursor.isExhausted) cursor.stage();
        if (cursor.hasGap && this.#stopsAtGaps) return delivered;
      } while (cursor.stagedId < this.#runEnd && delivered < limit);
    }
    return delivered;
  }

  #earliest(watermark: number): RingCursor | undefined {
    let earliest: RingCursor | undefined;
    let smallest = watermark;
    let second = watermark;
    for (const cursor of this.#cursors) {
      const id = cursor.stagedId;
      if (id < smallest) {
        second = smallest;
        smallest = id;
        earliest = cursor;
      } else if (id < second) {
        second = id;
      }
    }
    this.#runEnd = second;
    return earliest;
  }

  #cursorOf(channel: number): RingCursor | undefined {
    return this.#cursors.find(({ ring }) => ring.handle.channel === channel);
  }

  #closeRing(channel: number): void {
    const index = this.#openRings.findIndex(({ handle }) => handle.channel === channel);
    if (index >= 0) this.#openRings.splice(index, 1);
  }

  #bounds(): Bounds {
    if (this.#openRings.length > 0 || this.everyChannel) return this.window.bounds();
    return { oldestAvailable: this.#position + 1, newestAvailable: this.#position };
  }

  #follow(handle: RingHandle): RingCursor {
    const ring = new RingView(handle);
    const cursor = new RingCursor(ring, this.#capacity);
    this.#openRings.push(ring);
    this.#cursors = [...this.#cursors, cursor];
    return cursor;
  }

  #forgetDelivered(): void {
    for (const done of this.#cursors) {
      if (!done.isClosing || done.ring.head !== done.next) continue;
      this.#cursors = this.#cursors.filter((cursor) => cursor !== done);
    }
  }
}
