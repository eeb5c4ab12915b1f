import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Broker } from '../broker/broker.ts';
import { Publisher } from '../broker/publisher.ts';
import {
  defaultRingSlots,
  maxRingSlots,
  publicLimitOf,
  type RingHandle,
  ringSlotsFor,
} from '../broker/ring-memory.ts';
import { RingWriter } from '../broker/ring-writer.ts';
import type { ChannelIdentity } from './channel-record.ts';
import { stableSelector } from './selector.ts';

/** What readers in other threads need to know of a channel. Plain data: post it as it is. */
export interface ChannelEntry {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
  /** What the port is called in files, from 1. */
  readonly number: number;
  readonly ring: RingHandle;
}

/** The readers of rings in other threads. A promise that rejects means that they are gone. */
export interface ChannelAudience {
  /** Resolves once they follow the ring, so that they miss nothing of it. */
  opening(entry: ChannelEntry): Promise<void>;
  /** Resolves once they have let go of the ring. */
  closed(slot: number): Promise<void>;
}

interface Ring {
  readonly entry: ChannelEntry;
  readonly writer: RingWriter;
}

export interface ChannelRingsOptions {
  readonly broker: Broker;
  readonly audience: ChannelAudience;
  readonly onDefect: (thrown: unknown) => void;
}

const noMemory = (capacity: number, cause?: unknown): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `There is no memory for a history of ${capacity} events`,
    details: { capacity, limit: publicLimitOf(maxRingSlots) },
    cause,
  });

/** The rings of all channels. One publisher writes them all, for all is written in one thread. */
export class ChannelRings {
  readonly #options: ChannelRingsOptions;
  readonly #publisher: Publisher;
  readonly #rings = new Map<number, Ring>();
  #slots = defaultRingSlots;

  constructor(options: ChannelRingsOptions) {
    const { broker } = options;
    this.#options = options;
    this.#publisher = new Publisher(broker.memory, broker.claimWriter());
  }

  get entries(): readonly ChannelEntry[] {
    return [...this.#rings.values()].map(({ entry }) => entry);
  }

  /** A ring for a channel, once its readers are there, or cannot be. */
  async open({ slot, sn, port, name, number }: ChannelIdentity): Promise<RingWriter> {
    const { broker, audience } = this.#options;
    const { writer } = this.#publisher;
    const handle = broker.openRing({ channel: slot, writer, slots: this.#slots });
    const ring = {
      entry: { slot, selector: stableSelector(sn, port), name, number, ring: handle },
      writer: new RingWriter(this.#publisher, handle),
    };
    this.#rings.set(slot, ring);
    await this.#reach(() => audience.opening(ring.entry));
    return ring.writer;
  }

  /** How many records a channel has published. */
  published(slot: number): number {
    return this.#rings.get(slot)?.writer.published ?? 0;
  }

  /** Takes a ring back, if there is one. Its channel must have stopped writing. */
  async close(slot: number): Promise<void> {
    const ring = this.#rings.get(slot);
    if (!ring) return;
    const { broker, audience } = this.#options;
    this.#rings.delete(slot);
    broker.closeRing(slot);
    const isFree = await this.#reach(() => audience.closed(slot));
    // Memory that a reader may still hold must not become another channel's.
    if (isFree) broker.recycleRing(ring.entry.ring);
  }

  /**
   * Makes all rings large enough to show that many events, and those opened later. Where memory
   * runs out, rings that have grown already stay so: nobody can tell.
   */
  grow(capacity: number): void {
    if (!(capacity <= publicLimitOf(maxRingSlots))) throw noMemory(capacity);
    const slots = Math.max(this.#slots, ringSlotsFor(capacity));
    try {
      for (const { writer } of this.#rings.values()) writer.grow(slots);
    } catch (cause) {
      throw noMemory(capacity, cause);
    }
    this.#slots = slots;
  }

  async #reach(call: () => Promise<void>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (thrown) {
      this.#options.onDefect(thrown);
      return false;
    }
  }
}
