import type { BrokerMemory } from './broker-memory.ts';
import {
  noId,
  type RecordVisitor,
  RingCursor,
  type SeekResult,
  seekAfter,
  wholeRing,
} from './ring-cursor.ts';
import type { RingHandle } from './ring-memory.ts';
import { RingView } from './ring-view.ts';
import { StagingPool } from './staging.ts';
import { PublicWindow } from './window.ts';

export interface RingReaderOptions {
  readonly memory: BrokerMemory;
  readonly ring: RingHandle;
  /** Number of newest records that this cursor sees. Default: all records in the ring. */
  readonly capacity?: number;
  readonly staging?: StagingPool;
}

/**
 * Reads one channel without waiting for other writers. An event may therefore be delivered
 * before one with a smaller id on another channel. Starts live.
 */
export class RingReader {
  readonly window: PublicWindow;
  readonly writers: number;
  readonly #cursor: RingCursor;
  readonly #staging: StagingPool;
  #position = 0;

  constructor({ memory, ring, capacity = wholeRing, staging }: RingReaderOptions) {
    const view = new RingView(ring);
    this.window = new PublicWindow({ memory, rings: [view], capacity });
    this.writers = 1 << ring.writer;
    this.#cursor = new RingCursor(view, capacity);
    this.#staging = staging ?? new StagingPool();
    this.seekLive();
  }

  get position(): number {
    return this.#position;
  }

  get lag(): number {
    return this.#cursor.ring.head - this.#cursor.next;
  }

  get hasBacklog(): boolean {
    return this.lag > 0;
  }

  seekLive(): void {
    const { ring } = this.#cursor;
    this.#position = ring.newest();
    this.#cursor.moveTo(ring.indexAfter(this.#position));
  }

  seek(after: number): SeekResult {
    const result = seekAfter([this.#cursor], this.window, after);
    this.#position = result.position;
    return result;
  }

  pass(visitor: RecordVisitor, limit = Number.POSITIVE_INFINITY): number {
    const cursor = this.#cursor;
    const staging = this.#staging.borrow();
    try {
      let delivered = 0;
      cursor.stage(staging);
      while (cursor.stagedId !== noId && delivered < limit) {
        delivered++;
        this.#position = cursor.stagedId;
        if (!cursor.deliver(visitor)) break;
        if (cursor.isExhausted) cursor.stage();
      }
      return delivered;
    } finally {
      this.#staging.free(1);
    }
  }
}
