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

/** Time between two passes under load, so that frames are delivered in batches. */
const holdMs = 1;

interface DeliveryLoopOptions {
  readonly clock: Clock;
  readonly bell: Bell;
  readonly writers: () => number;
  /** Runs one pass over all cursors. Returns true if it delivered records or left some. */
  readonly pass: () => boolean;
}

/**
 * Schedules the passes of a reader thread: immediately after a wake-up, then every millisecond
 * until a pass finds nothing. The first frame is delivered immediately; under load a writer
 * rings once for many frames.
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
    // Records published between the pass and arming would be missed.
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
 * Accepts one record, valid only during the call. Returns false if the page is full; the next
 * page then starts with this record.
 */
type PageVisitor = (staging: Staging, offset: number) => boolean;

interface PageEnd {
  /**
   * Id of the last event checked, matching or not. The next page continues after it. If no
   * event exists, it still advances so that a polling client does not expire.
   */
  readonly position: number;
  readonly bounds: Bounds;
  readonly older: readonly OlderEvents[];
}

interface PageOptions {
  readonly after: number;
  readonly limit: number;
  readonly accepts?: EventFilter | undefined;
  readonly visitor: PageVisitor;
}

/** Maximum number of events that one page checks, which takes a few milliseconds. */
export const maxInspected = 32_768;

/** Reads events after an id in order, up to `limit`. The reader must stop at gaps. */
const readPage = (reader: MergedReader, options: PageOptions): PageEnd => {
  const { after, limit, accepts } = options;
  const page = new Page(options);
  do {
    const { expired, position } = reader.seek(after);
    if (expired) throw cursorExpired('event', after, reader.window.bounds());
    page.position = position;
    reader.pass(page, accepts ? maxInspected : limit);
    // The first record was overwritten before it was copied. Either the cursor has just
    // expired, or a different event is now the oldest.
  } while (page.isEmpty && reader.hasLost);
  const position = page.isEmpty && !page.isFull ? reader.position : page.position;
  const bounds = reader.window.bounds();
  const older = reader.window.olderThan(bounds.oldestAvailable);
  return { position: Math.max(after, position), bounds, older };
};

class Page implements RecordVisitor {
  readonly #options: PageOptions;
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
/** Passes of one call, which take a few milliseconds each. */
const drainPasses = 4;

/** Consumer of events. A record's key is its offset in the staging area. */
export type EventSink = Sink<Staging, number>;

export interface ReaderHubOptions {
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly onDefect?: (thrown: unknown) => void;
}

export type ChannelChoice = readonly number[] | null;

export interface SubscribeEventsOptions {
  readonly channels: ChannelChoice;
  /** Event id to continue after: 0 for the oldest available event, null for live. */
  readonly after: number | null;
  readonly capacity: number;
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
 * All subscriptions of a thread. A sink that is not ready costs nothing and does not keep the
 * thread awake. Rings are never added or removed from inside a sink.
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

  addRing(ring: RingHandle): void {
    if (this.#rings.has(ring.channel)) return;
    this.#rings.set(ring.channel, ring);
    for (const { cursor } of this.#robin.subscriptions) {
      if (cursor.everyChannel) cursor.attach(ring);
    }
    this.#loop.wake();
  }

  /**
   * Removes a channel whose writer has stopped. Ready sinks get the remaining records;
   * subscriptions without other channels end. The ring's memory is not read afterwards.
   */
  removeRing(channel: number): void {
    this.#rings.delete(channel);
    for (const subscription of this.#robin.subscriptions) {
      const { cursor } = subscription;
      if (!cursor.follows(channel)) continue;
      while (cursor.lagOf(channel) > 0) {
        subscription.sink.hurry?.();
        if (this.#robin.serve(subscription) === 0) break;
      }
      this.#robin.guard(subscription, () => cursor.drop(channel));
      if (!cursor.everyChannel && !cursor.hasChannels) subscription.end('channel_closed');
    }
    this.#loop.wake();
  }

  /** Starts a stream. May deliver the first events before it returns. */
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

  /** Delivers what was published until now. Returns whether that was everything. */
  drain(handle: SubscriptionHandle): boolean {
    const subscription = this.#robin.subscriptions.find((each) => each === handle);
    for (let pass = 0; subscription?.isBehind && pass < drainPasses; pass++) {
      this.#robin.drain(subscription);
    }
    return !subscription?.isBehind;
  }

  /** Number of events that a subscription has lost, and that no gap has reported. */
  lostBy(handle: SubscriptionHandle): number {
    return this.#cursorOf(handle)?.lost ?? 0;
  }

  /** Number of events that a subscription would lose if it ended now. */
  unreadBy(handle: SubscriptionHandle): number {
    return this.#cursorOf(handle)?.unread ?? 0;
  }

  /** Returns past events in order. Throws `cursor_expired` if events after `after` are lost. */
  readHistory({ channels, capacity, ...page }: HistoryOptions): PageEnd {
    return readPage(this.#openReader(channels, capacity), page);
  }

  bounds(channels: ChannelChoice, capacity: number): Bounds {
    return this.#openReader(channels, capacity).window.bounds();
  }

  consumersOf(channel: number): Consumer[] {
    return this.#robin.subscriptions
      .filter(({ sink, cursor }) => !sink.isInternal && cursor.follows(channel))
      .map(({ sink: { kind }, cursor }) => ({
        kind,
        cursor: cursor.position,
        lag: cursor.lagOf(channel),
      }));
  }

  close(): void {
    this.#loop.stop();
    this.#robin.endAll('shut_down');
    this.#rings.clear();
  }

  #cursorOf(handle: SubscriptionHandle): MergedReader | undefined {
    return this.#robin.subscriptions.find((each) => each === handle)?.cursor;
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
