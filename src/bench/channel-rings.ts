import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Broker } from '../broker/broker.ts';
import type { Bell } from '../broker/doorbell.ts';
import { Publisher } from '../broker/publisher.ts';
import type { RecordVisitor } from '../broker/ring-cursor.ts';
import {
  defaultRingSlots,
  maxRingSlots,
  publicLimitOf,
  type RingHandle,
  ringSlotsFor,
} from '../broker/ring-memory.ts';
import { RingReader, type RingReaderOptions } from '../broker/ring-reader.ts';
import { RingView } from '../broker/ring-view.ts';
import { RingWriter } from '../broker/ring-writer.ts';
import type { Staging } from '../broker/staging.ts';
import type { WriterThread } from '../drivers/driver.ts';
import type { BenchSink, SinkRing } from './bench-sink.ts';
import type { ChannelIdentity } from './channel-record.ts';
import { stableSelector } from './selector.ts';

class RingFollower implements RecordVisitor {
  readonly #reader: RingReader;
  readonly #sink: BenchSink;
  #isDraining = false;

  constructor(options: RingReaderOptions, sink: BenchSink) {
    this.#reader = new RingReader(options);
    this.#reader.seek(0);
    this.#sink = sink;
  }

  get writers(): number {
    return this.#reader.writers;
  }

  /** Listeners can request another drain; the current pass continues. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#reader.pass(this);
    this.#isDraining = false;
  }

  item({ view }: Staging, offset: number): boolean {
    this.#sink.published(view, offset);
    return true;
  }

  gap(_channel: number, first: number, last: number): void {
    this.#sink.missed(last - first + 1);
  }
}

/**
 * Rings of other threads that the bench thread follows. They wake the thread when they publish,
 * or are polled if a driver requires it.
 */
export class RingFollowers {
  readonly #memory: RingReaderOptions['memory'];
  readonly #bell: Bell;
  readonly #followers = new Set<RingFollower>();

  constructor(memory: RingReaderOptions['memory'], bell: Bell) {
    this.#memory = memory;
    this.#bell = bell;
  }

  follow(sink: BenchSink): () => void {
    const follower = new RingFollower({ memory: this.#memory, ring: sink.ring }, sink);
    sink.onDrain = () => follower.drain();
    this.#followers.add(follower);
    this.#rest();
    return () => {
      follower.drain();
      sink.onDrain = () => undefined;
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#bell.disarm();
    };
  }

  #look(): void {
    this.#bell.disarm();
    for (const follower of this.#followers) follower.drain();
    if (this.#followers.size > 0) this.#rest();
  }

  #rest(): void {
    let writers = 0;
    for (const follower of this.#followers) writers |= follower.writers;
    this.#bell.arm(writers);
    // Records published between the check and arming would be missed.
    for (const follower of this.#followers) follower.drain();
    this.#bell.sleep(() => this.#look());
  }
}

export interface ChannelEntry {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
  readonly number: number;
  readonly ring: RingHandle;
}

/** Readers in other threads. A rejected promise means that they have stopped. */
export interface ChannelAudience {
  /** Resolves once the readers follow the ring and cannot miss a record. */
  opening(entry: ChannelEntry): Promise<void>;
  closed(slot: number): Promise<void>;
}

interface Ring {
  readonly entry: ChannelEntry;
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
    message: `Not enough memory for a history of ${capacity} events`,
    details: { capacity, limit: publicLimitOf(maxRingSlots) },
    cause,
  });

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

  published(slot: number): number {
    const ring = this.#rings.get(slot);
    return ring ? new RingView(ring.entry.ring).head : 0;
  }

  async close(slot: number): Promise<void> {
    const ring = this.#rings.get(slot);
    if (!ring) return;
    const { broker, audience } = this.#options;
    this.#rings.delete(slot);
    broker.closeRing(slot);
    const isFree = await this.#reach(() => audience.closed(slot));
    // Otherwise a reader can still hold the memory.
    if (isFree) broker.recycleRing(ring.entry.ring);
  }

  /**
   * Grows all rings, including later ones. If memory runs out, the rings that already grew keep
   * their size.
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
