import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError, cursorExpired } from '../base/errors/busbar-error.ts';
import {
  type Bounds,
  RoundRobin,
  type Sink,
  type SubscriptionHandle,
} from '../base/subscription.ts';
import type { EventFilter } from '../frame/event-filter.ts';
import { frm2EventId } from '../frame/frm2-codec.ts';
import type { BrokerMemory } from './broker-memory.ts';
import type { Bell } from './doorbell.ts';
import { MergedReader } from './merged-reader.ts';
import type { Consumer } from './retention-record.ts';
import type { RecordVisitor } from './ring-cursor.ts';
import type { RingHandle } from './ring-memory.ts';
import { type Staging, StagingPool } from './staging.ts';
import type { OlderEvents } from './window.ts';

/** How long records are collected between two passes under load. */
const holdMs = 1;

interface DeliveryLoopOptions {
  readonly clock: Clock;
  readonly bell: Bell;
  /** The writers whose records any sink is ready for, one bit each. */
  readonly writers: () => number;
  /** One pass over all cursors; whether it delivered something or left something behind. */
  readonly pass: () => boolean;
}

/**
 * When a reader thread looks for records: at once when it is woken, then every millisecond until a
 * pass finds nothing, then it sleeps. The first frame is delivered at once, and under load a writer
 * rings the bell once for a great many frames.
 */
export class DeliveryLoop {
  readonly #clock: Clock;
  readonly #bell: Bell;
  readonly #writers: () => number;
  readonly #pass: () => boolean;
  #hold: Timer | undefined;
  #isAsleep = false;
  #isRunning = false;

  constructor({ clock, bell, writers, pass }: DeliveryLoopOptions) {
    this.#clock = clock;
    this.#bell = bell;
    this.#writers = writers;
    this.#pass = pass;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#look();
  }

  stop(): void {
    this.#isRunning = false;
    this.#hold?.cancel();
    this.#hold = undefined;
    this.#schedule();
  }

  /** Looks now if it sleeps: a cursor was added, or a client takes records again. */
  wake(): void {
    if (!this.#isAsleep) return;
    this.#schedule();
    this.#look();
  }

  #look(): void {
    if (this.#pass()) this.#holdOn();
    else this.#sleep();
  }

  #holdOn(): void {
    if (!this.#isRunning) return;
    this.#hold = this.#clock.after(holdMs, () => {
      this.#hold = undefined;
      this.#look();
    });
  }

  #sleep(): void {
    if (!this.#isRunning) return;
    this.#bell.arm(this.#writers());
    // What came between the pass and arming would be slept through.
    const hasMore = this.#pass();
    if (hasMore || !this.#isRunning) {
      this.#bell.disarm();
      this.#holdOn();
      return;
    }
    this.#isAsleep = true;
    this.#bell.sleep(() => {
      this.#schedule();
      this.#look();
    });
  }

  #schedule(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#bell.disarm();
  }
}

/**
 * Takes one record of a page, valid during the call only. Answers whether it took it: false means
 * that there was no room, so the page ends before this record and the next one begins with it.
 */
type PageVisitor = (staging: Staging, offset: number) => boolean;

/** Where a page ended, and what there was to read. */
interface PageEnd {
  /**
   * Ask for the next page from here. The last event that was looked at, wanted or not; if there was
   * none, the id up to which there is nothing, so that a client that asks again never falls behind.
   */
  readonly position: number;
  readonly bounds: Bounds;
  /** Channels whose own history begins before the bounds. */
  readonly older: readonly OlderEvents[];
}

interface PageOptions {
  readonly after: number;
  /** The most events of the page. */
  readonly limit: number;
  /** Which events are wanted; left out, all of them. */
  readonly accepts?: EventFilter | undefined;
  readonly visitor: PageVisitor;
}

/** Events that one page looks at to find those that are wanted: a few milliseconds' worth. */
export const maxInspected = 32_768;

/** Gives the events behind an id in order, no more than `limit`. The reader must stop at gaps. */
const readPage = (reader: MergedReader, options: PageOptions): PageEnd => {
  const { after, limit, accepts } = options;
  const page = new Page(options);
  do {
    const { expired, position } = reader.seek(after);
    if (expired) throw cursorExpired('event', after, reader.window.bounds());
    page.position = position;
    reader.pass(page, accepts ? maxInspected : limit);
    // Overwritten before the first record could be copied: the cursor has expired just now, or,
    // where the oldest was asked for, that is another one now.
  } while (page.isEmpty && reader.hasLost);
  const position = page.isEmpty && !page.isFull ? reader.position : page.position;
  const bounds = reader.window.bounds();
  const older = reader.window.olderThan(bounds.oldestAvailable);
  return { position: Math.max(after, position), bounds, older };
};

class Page implements RecordVisitor {
  readonly #options: PageOptions;
  /** The last event that was looked at. */
  position = 0;
  isEmpty = true;
  isFull = false;
  #taken = 0;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  item(staging: Staging, offset: number): boolean {
    const { accepts, visitor, limit } = this.#options;
    const isWanted = accepts?.(staging.view, offset) ?? true;
    this.isFull = isWanted && !visitor(staging, offset);
    if (this.isFull) return false;
    this.isEmpty = false;
    this.position = frm2EventId(staging.view, offset);
    if (isWanted) this.#taken += 1;
    return this.#taken < limit;
  }
}

const sliceRecords = 1024;
const passRecords = 16_384;

/** A consumer of events; the key of a record is its offset in the staging area. */
export type EventSink = Sink<Staging, number>;

export interface ReaderHubOptions {
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly onDefect?: (thrown: unknown) => void;
}

/** Slots of the channels asked for; null for all, also those opened later. */
export type ChannelChoice = readonly number[] | null;

export interface SubscribeEventsOptions {
  readonly channels: ChannelChoice;
  /** The event id to go on behind, 0 for the oldest to be had; null: live. */
  readonly after: number | null;
  /** How many of each channel's newest records may be reached. */
  readonly capacity: number;
  /** Which events are wanted; left out, all of them. */
  readonly accepts?: EventFilter | undefined;
  readonly sink: EventSink;
}

export interface HistoryOptions {
  readonly channels: ChannelChoice;
  readonly after: number;
  readonly limit: number;
  readonly capacity: number;
  readonly accepts?: EventFilter | undefined;
  readonly visitor: PageVisitor;
}

/**
 * All subscriptions to the rings in a thread. A sink that is not ready costs nothing and does not keep
 * the thread awake. Rings are added and removed from outside only, never from within a sink.
 */
export class ReaderHub {
  readonly #memory: BrokerMemory;
  readonly #staging = new StagingPool();
  readonly #rings = new Map<number, RingHandle>();
  readonly #loop: DeliveryLoop;
  readonly #robin: RoundRobin<Staging, number, MergedReader>;

  constructor({ memory, bell, clock, onDefect = () => {} }: ReaderHubOptions) {
    this.#memory = memory;
    this.#robin = new RoundRobin({
      slice: sliceRecords,
      perPass: passRecords,
      onResume: () => this.#loop.wake(),
      onDefect,
    });
    this.#loop = new DeliveryLoop({
      bell,
      clock,
      writers: () => this.#awaitedWriters(),
      pass: () => this.#pass(),
    });
    this.#loop.start();
  }

  /** Follows a channel, from before its first record on. Does nothing if it is followed already. */
  addRing(ring: RingHandle): void {
    if (this.#rings.has(ring.channel)) return;
    this.#rings.set(ring.channel, ring);
    for (const { cursor } of this.#robin.subscriptions) {
      if (cursor.everyChannel) cursor.attach(ring);
    }
    this.#loop.wake();
  }

  /**
   * Leaves a channel whose writer has stopped. Sinks that are ready get the rest of it, and those
   * that follow no other channel are ended. Its memory is not read afterwards.
   */
  removeRing(channel: number): void {
    this.#rings.delete(channel);
    for (const subscription of this.#robin.subscriptions) {
      const { cursor } = subscription;
      if (!cursor.follows(channel)) continue;
      while (cursor.lagOf(channel) > 0 && this.#robin.serve(subscription) > 0);
      this.#robin.guard(subscription, () => cursor.drop(channel));
      if (!cursor.everyChannel && !cursor.hasChannels) subscription.end('channel_closed');
    }
    this.#loop.wake();
  }

  /** Starts a stream. Its first events may be given before this returns. */
  subscribe(options: SubscribeEventsOptions): SubscriptionHandle {
    const { channels, after, capacity, accepts, sink } = options;
    const cursor = this.#openReader(channels, capacity);
    const subscription = this.#robin.subscribe({
      cursor,
      sink,
      startsAfterGap: after !== null && cursor.seek(after).expired,
      accepts: accepts && (({ view }, offset) => accepts(view, offset)),
    });
    this.#loop.wake();
    return subscription;
  }

  /** Events of the past, in order; `cursor_expired` if those behind `after` are no longer kept. */
  readHistory({ channels, capacity, ...page }: HistoryOptions): PageEnd {
    return readPage(this.#openReader(channels, capacity), page);
  }

  /** What can be had of these channels. */
  bounds(channels: ChannelChoice, capacity: number): Bounds {
    return this.#openReader(channels, capacity).window.bounds();
  }

  consumersOf(channel: number): Consumer[] {
    return this.#robin.subscriptions
      .filter(({ cursor }) => cursor.follows(channel))
      .map(({ sink: { kind }, cursor }) => ({
        kind,
        cursor: cursor.position,
        lag: cursor.lagOf(channel),
      }));
  }

  /** Ends all streams. */
  close(): void {
    this.#loop.stop();
    this.#robin.endAll('shut_down');
    this.#rings.clear();
  }

  #openReader(channels: ChannelChoice, capacity: number): MergedReader {
    const rings = channels
      ? [...new Set(channels)].map((channel) => this.#ringOf(channel))
      : [...this.#rings.values()];
    return new MergedReader({
      memory: this.#memory,
      rings,
      capacity,
      everyChannel: channels === null,
      stopsAtGaps: true,
      staging: this.#staging,
    });
  }

  #ringOf(channel: number): RingHandle {
    const ring = this.#rings.get(channel);
    if (ring) return ring;
    throw new BusbarError('channel_not_open', { details: { channel: String(channel) } });
  }

  /** Whether anything was delivered, or is left for a sink that is ready. */
  #pass(): boolean {
    return this.#robin.serveAll() > 0 || this.#robin.subscriptions.some(({ isBehind }) => isBehind);
  }

  #awaitedWriters(): number {
    let writers = 0;
    for (const { isReady, cursor } of this.#robin.subscriptions) {
      if (isReady) writers |= cursor.writers;
    }
    return writers;
  }
}
