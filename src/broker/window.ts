import type { Bounds } from '../base/subscription.ts';
import { type BrokerMemory, nextIdAt } from './broker-memory.ts';
import { readCounter } from './counter.ts';
import { takeWatermark } from './reader-steps.ts';
import type { RingView } from './ring-view.ts';

export interface OlderEvents {
  readonly channel: number;
  readonly oldestAvailable: number;
}

export interface PublicWindowOptions {
  readonly memory: BrokerMemory;
  /** Selected channels. Read on every query because the list may change. */
  readonly rings: readonly RingView[];
  readonly capacity: number;
  /** All channels are selected, so events of closed channels count as lost. */
  readonly everyChannel?: boolean;
}

/**
 * Events of one or more channels that clients can see: all events newer than the newest one that
 * any of the channels has overwritten. A quiet channel shows older events when queried alone.
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

  lost(): number {
    let newest = this.#everyChannel ? this.#memory.closedFloor : 0;
    for (const ring of this.#rings) newest = Math.max(newest, ring.lost(this.#capacity));
    return newest;
  }

  /**
   * Returns true if a cursor has missed events or belongs to an earlier run of the daemon. 0
   * requests all available events and never expires.
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

  /** Channels with events older than that id. Clients read these by querying each channel alone. */
  olderThan(eventId: number): OlderEvents[] {
    return this.#rings.flatMap((ring) => {
      const oldestAvailable = ring.firstBetween(ring.lost(this.#capacity), eventId);
      return oldestAvailable === undefined
        ? []
        : [{ channel: ring.handle.channel, oldestAvailable }];
    });
  }
}
