import type { Bounds } from '../base/subscription.ts';
import { type BrokerMemory, nextIdAt } from './broker-memory.ts';
import { readCounter } from './counter.ts';
import { takeWatermark } from './reader-steps.ts';
import type { RingView } from './ring-view.ts';

/** A channel that holds more than the window of all the channels asked for. */
export interface OlderEvents {
  readonly channel: number;
  readonly oldestAvailable: number;
}

export interface PublicWindowOptions {
  readonly memory: BrokerMemory;
  /** The channels asked for. Read at every question, so that it may change in between. */
  readonly rings: readonly RingView[];
  /** How many records of each channel clients may see. */
  readonly capacity: number;
  /** All channels are asked for, so that those closed since count as lost. */
  readonly everyChannel?: boolean;
}

/**
 * What clients may see of one channel or several: the complete run of events since the newest one
 * that any of the channels has pushed out. A quiet channel shows its older ones when asked for alone.
 */
export class PublicWindow {
  readonly #memory: BrokerMemory;
  readonly #rings: readonly RingView[];
  readonly #capacity: number;
  readonly #everyChannel: boolean;

  constructor({ memory, rings, capacity, everyChannel = false }: PublicWindowOptions) {
    this.#memory = memory;
    this.#rings = rings;
    this.#capacity = capacity;
    this.#everyChannel = everyChannel;
  }

  /** The newest event id that is no longer to be had; 0 if nothing ever went. */
  lost(): number {
    let newest = this.#everyChannel ? this.#memory.closedFloor : 0;
    for (const ring of this.#rings) newest = Math.max(newest, ring.lost(this.#capacity));
    return newest;
  }

  /**
   * Whether a cursor has missed something, or stems from another life of the daemon. 0 asks for
   * what is there and never expires.
   */
  expired(after: number): boolean {
    if (after === 0) return false;
    return after >= readCounter(this.#memory.words, nextIdAt) || after < this.lost();
  }

  bounds(): Bounds {
    const watermark = takeWatermark(this.#memory);
    const lost = this.lost();
    let oldest = Number.POSITIVE_INFINITY;
    let newest = lost;
    for (const ring of this.#rings) {
      oldest = Math.min(oldest, ring.firstBetween(lost, watermark) ?? oldest);
      newest = Math.max(newest, ring.lastBetween(lost, watermark) ?? newest);
    }
    return { oldestAvailable: Math.min(oldest, newest + 1), newestAvailable: newest };
  }

  /** Channels that hold events older than that id, which clients reach by asking for each alone. */
  olderThan(eventId: number): OlderEvents[] {
    return this.#rings.flatMap((ring) => {
      const oldestAvailable = ring.firstBetween(ring.lost(this.#capacity), eventId);
      return oldestAvailable === undefined
        ? []
        : [{ channel: ring.handle.channel, oldestAvailable }];
    });
  }
}
