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
  /** How many of each channel's newest records this cursor sees; all that rings hold if left out. */
  readonly capacity?: number;
  /** The rings are all there are, so that a channel closed since counts as lost. */
  readonly everyChannel?: boolean;
  /**
   * A pass ends before a gap instead of giving it, and goes on once `skipLost` was called: for clients
   * that are shown the complete run of events or are told that it was broken.
   */
  readonly stopsAtGaps?: boolean;
  /** Shared by all cursors of a thread. */
  readonly staging?: StagingPool;
}

/**
 * Reads several channels in the order of their event ids, strictly. Starts live. Channels come, go
 * and are sought between passes, never from within a visitor.
 */
export class MergedReader implements Cursor<Staging, number> {
  readonly window: PublicWindow;
  readonly everyChannel: boolean;
  readonly #memory: BrokerMemory;
  readonly #capacity: number;
  readonly #stopsAtGaps: boolean;
  readonly #pool: StagingPool;
  /** The rings of the channels that are open; the window looks at the same list. */
  readonly #openRings: RingView[] = [];
  #cursors: readonly RingCursor[] = [];
  #position = 0;
  /** Records that went with the rings dropped. */
  #dropped = 0;
  /** Up to here the earliest cursor may be read without a look at the others. */
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

  /** How many committed records of one channel were not delivered yet; 0 if it is not followed. */
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

  /** Goes on with what is published from now on. */
  seekLive(): void {
    this.#position = takeWatermark(this.#memory) - 1;
    for (const cursor of this.#cursors) cursor.moveTo(cursor.ring.indexAfter(this.#position));
  }

  /** Goes on behind an event id; 0 for the oldest event to be had. */
  seek(after: number): SeekResult {
    const result = seekAfter(this.#cursors, this.window, after);
    this.#position = result.position;
    return result;
  }

  /**
   * Follows a channel opened just now, from its first record on. Those that came before ids already
   * delivered can no longer be put in order: they are given as a gap.
   */
  attach(ring: RingHandle): void {
    const cursor = this.#follow(ring);
    cursor.skipTo(cursor.ring.indexAfter(this.#position));
  }

  /** Leaves a channel that was closed: what it still holds is delivered, then it is forgotten. */
  detach(channel: number): void {
    const cursor = this.#cursorOf(channel);
    if (cursor) cursor.isClosing = true;
    this.#closeRing(channel);
    this.#forgetDelivered();
  }

  /**
   * Forgets a channel at once, since its memory is about to be used for another one. What it still
   * held counts as lost.
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

  /** Whether records are lost that `skipLost` has yet to leave out. */
  get hasLost(): boolean {
    if (this.#dropped > 0) return true;
    for (const cursor of this.#cursors) if (cursor.hasGap) return true;
    return false;
  }

  /**
   * Goes on behind the newest record that any channel has lost, on all channels together, so that what
   * follows is complete. The bounds are taken first: more may be lost meanwhile, but nothing older
   * than what they tell is delivered afterwards.
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

  /** Without a channel there is nothing to be had, but what has been delivered stays delivered. */
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
