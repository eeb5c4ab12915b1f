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
import { RingView } from '../broker/ring-view.ts';
import { RingWriter } from '../broker/ring-writer.ts';
import type { WriterThread } from '../drivers/driver.ts';
import type { SinkRing } from './bench-sink.ts';
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
  /** Where its records are written, if that is on the bench thread. */
  readonly writer: RingWriter | undefined;
  readonly grow: (slots: number) => Promise<void>;
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

/** The rings of all channels: written by the bench thread, or by a thread of the channel's driver. */
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
  async open(identity: ChannelIdentity, thread?: WriterThread): Promise<SinkRing> {
    const { slot, sn, port, name, number } = identity;
    const { broker, audience } = this.#options;
    const { writer: ownWriter } = this.#publisher;
    const handle = broker.openRing({
      channel: slot,
      writer: thread?.writer ?? ownWriter,
      slots: this.#slots,
    });
    const writer = thread ? undefined : new RingWriter(this.#publisher, handle);
    const entry = { slot, selector: stableSelector(sn, port), name, number, ring: handle };
    const grow = async (slots: number): Promise<void> =>
      thread ? thread.growRing(slot, slots) : writer?.grow(slots);
    this.#rings.set(slot, { entry, writer, grow });
    await this.#reach(() => audience.opening(entry));
    return { handle, writer };
  }

  /** How many records a channel has published. */
  published(slot: number): number {
    const ring = this.#rings.get(slot);
    return ring ? new RingView(ring.entry.ring).head : 0;
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
   * runs out, rings that have grown already stay so: clients see no difference.
   */
  async grow(capacity: number): Promise<void> {
    if (!(capacity <= publicLimitOf(maxRingSlots))) throw noMemory(capacity);
    const slots = Math.max(this.#slots, ringSlotsFor(capacity));
    try {
      for (const ring of this.#rings.values()) await ring.grow(slots);
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
