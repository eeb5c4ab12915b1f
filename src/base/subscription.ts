export const consumerKinds = [
  ...(['sse', 'websocket', 'recv', 'decode', 'forward'] as const),
  ...(['logging', 'check'] as const),
] as const;
export type ConsumerKind = (typeof consumerKinds)[number];

export type EndReason = 'channel_closed' | 'plans_removed' | 'unloaded' | 'shut_down';

/** Range of available items; `oldestAvailable` is above `newestAvailable` if there are none. */
export interface Bounds {
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

export interface Lost {
  readonly bounds: Bounds;
  readonly missed: number | null;
}

export interface Visitor<Item, Key> {
  /**
   * Delivers one item, valid during the call only. Returns whether there is room for another one.
   */
  item(item: Item, key: Key): boolean;
}

/**
 * The source side of a subscription: its position in the source. A source of states, where a
 * later item replaces an earlier one, loses nothing.
 */
export interface Cursor<Item, Key> {
  readonly hasBacklog: boolean;
  /** Delivers up to `limit` items in order and returns their number. Stops before a gap. */
  pass(visitor: Visitor<Item, Key>, limit: number): number;
  /** Everything up to here was delivered, filtered out or lost. */
  readonly position?: number;
  readonly hasLost?: boolean;
  skipLost?(): Lost;
  /** Everything it follows has been removed, so a gap would have no bounds. */
  readonly isDone?: boolean;
  last?(visitor: Visitor<Item, Key>): void;
}

/**
 * The consumer side of a subscription: a client, a decoder, a log or a peer. It has no queue.
 * While it is not ready it receives nothing, and its cursor waits in the memory of the source.
 */
export interface Sink<Item, Key> extends Visitor<Item, Key> {
  readonly kind: ConsumerKind;
  readonly isReady: boolean;
  /** Part of the daemon itself, and therefore not listed as a consumer. */
  readonly isInternal?: boolean;
  attach?(subscription: SubscriptionHandle): void;
  /** Items were lost before the next one; `missed` is null if their number is unknown. */
  gap?(bounds: Bounds, missed: number | null): void;
  skipped?(position: number): void;
  /** Items are about to become unavailable: ends the current pause between deliveries. */
  hurry?(): void;
  flush(): void;
  end(reason: EndReason): void;
}

export interface SubscriptionHandle {
  /** Items that wait to be delivered, or to be filtered. */
  readonly hasBacklog: boolean;
  resume(): void;
  last(): void;
  end(reason: EndReason): void;
  close(): void;
}

export interface SubscribeOptions<Item, Key, Source extends Cursor<Item, Key> = Cursor<Item, Key>> {
  readonly cursor: Source;
  readonly sink: Sink<Item, Key>;
  /** The client resumes from an expired position, so the number of missed items is unknown. */
  readonly startsAfterGap?: boolean;
  readonly accepts?: ((item: Item, key: Key) => boolean) | undefined;
}

/** Consecutive filtered items after which a client receives the position of its cursor. */
const skippedMark = 1024;

/** More than arrives while a sink pauses. */
const heldUp = 16_384;

/**
 * Delivers items from a cursor to a sink, in turn with the other subscriptions of a `RoundRobin`.
 */
export class Subscription<Item, Key, Source extends Cursor<Item, Key> = Cursor<Item, Key>>
  implements Visitor<Item, Key>, SubscriptionHandle
{
  readonly cursor: Source;
  readonly sink: Sink<Item, Key>;
  readonly #accepts: ((item: Item, key: Key) => boolean) | undefined;
  readonly #owner: RoundRobin<Item, Key, Source>;
  #hasUnknownGap: boolean;
  #isOpen = true;
  #isServing = false;
  #skipped = 0;

  constructor(owner: RoundRobin<Item, Key, Source>, options: SubscribeOptions<Item, Key, Source>) {
    this.#owner = owner;
    this.cursor = options.cursor;
    this.sink = options.sink;
    this.#accepts = options.accepts;
    this.#hasUnknownGap = options.startsAfterGap ?? false;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#isOpen && this.sink.isReady;
  }

  get hasBacklog(): boolean {
    return this.cursor.hasBacklog;
  }

  get isBehind(): boolean {
    return this.isReady && (this.cursor.hasBacklog || this.#hasGap);
  }

  resume(): void {
    if (this.#isOpen) this.#owner.onResume(this);
  }

  close(): void {
    this.#isOpen = false;
    this.#owner.remove(this);
  }

  last(): void {
    this.#owner.guard(this, () => this.cursor.last?.(this));
  }

  /** Delivers what a pause of the sink holds up. */
  hurry(): void {
    if (!this.sink.hurry) return;
    this.sink.hurry();
    this.serve(heldUp);
  }

  /** Ends the sink, after a gap for undelivered items, even if it is not ready. */
  end(reason: EndReason): void {
    if (!this.#isOpen) return;
    this.#owner.guard(this, () => {
      this.hurry();
      this.last();
      if (this.#isOpen && !this.cursor.isDone && this.#giveGap() > 0) this.sink.flush();
      if (!this.#isOpen) return;
      this.#isOpen = false;
      this.sink.end(reason);
    });
    this.close();
  }

  /** Delivers up to `limit` items as one write. Returns their number, including gaps. */
  serve(limit: number): number {
    if (this.#isServing || !this.isBehind) return 0;
    this.#isServing = true;
    try {
      let delivered = 0;
      do {
        delivered += this.#giveGap();
        if (this.#isOpen) delivered += this.cursor.pass(this, limit);
      } while (delivered === 0 && this.#hasGap);
      if (this.#isOpen && delivered > 0) {
        this.#reportSkipped();
        this.sink.flush();
      }
      return delivered;
    } finally {
      this.#isServing = false;
    }
  }

  item(item: Item, key: Key): boolean {
    if (this.#accepts?.(item, key) === false) {
      this.#skipped += 1;
      return this.#isOpen;
    }
    this.#skipped = 0;
    return this.sink.item(item, key) && this.#isOpen;
  }

  /**
   * Without this, a client that receives nothing for a long time could only resume from an
   * expired position.
   */
  #reportSkipped(): void {
    if (this.#skipped < skippedMark) return;
    this.#skipped = 0;
    this.sink.skipped?.(this.cursor.position ?? 0);
  }

  get #hasGap(): boolean {
    return this.#hasUnknownGap || this.cursor.hasLost === true;
  }

  #giveGap(): number {
    if (!this.#hasGap) return 0;
    const lost = this.cursor.skipLost?.();
    if (!lost) return 0;
    this.sink.gap?.(lost.bounds, this.#hasUnknownGap ? null : lost.missed);
    this.#hasUnknownGap = false;
    return 1;
  }
}

export interface RoundRobinOptions<Subscribed> {
  readonly slice: number;
  /** Approximate number of items in one pass over all subscriptions, which bounds its time. */
  readonly perPass: number;
  readonly onResume: (subscription: Subscribed) => void;
  readonly onRemoved?: (subscription: Subscribed) => void;
  readonly onDefect: (thrown: unknown, subscription: Subscribed) => void;
}

/**
 * Serves the subscriptions of a source in slices, so none waits for another. Sinks can
 * subscribe and close during any call.
 */
export class RoundRobin<Item, Key, Source extends Cursor<Item, Key> = Cursor<Item, Key>> {
  readonly #options: RoundRobinOptions<Subscription<Item, Key, Source>>;
  /** Replaced, never modified, so subscriptions can be added and removed during iteration. */
  #subscriptions: readonly Subscription<Item, Key, Source>[] = [];
  #next = 0;

  constructor(options: RoundRobinOptions<Subscription<Item, Key, Source>>) {
    this.#options = options;
  }

  get subscriptions(): readonly Subscription<Item, Key, Source>[] {
    return this.#subscriptions;
  }

  subscribe(options: SubscribeOptions<Item, Key, Source>): Subscription<Item, Key, Source> {
    const subscription = new Subscription(this, options);
    this.#subscriptions = [...this.#subscriptions, subscription];
    options.sink.attach?.(subscription);
    return subscription;
  }

  remove(subscription: Subscription<Item, Key, Source>): void {
    const { length } = this.#subscriptions;
    this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
    if (this.#subscriptions.length < length) this.#options.onRemoved?.(subscription);
  }

  onResume(subscription: Subscription<Item, Key, Source>): void {
    this.#options.onResume(subscription);
  }

  endAll(reason: EndReason): void {
    for (const subscription of this.#subscriptions) subscription.end(reason);
  }

  /**
   * Serves all in turn until they are up to date or the pass is long enough. Returns the number
   * of items.
   */
  serveAll(): number {
    const { perPass } = this.#options;
    const subscriptions = this.#subscriptions;
    let left = perPass;
    let served = subscriptions.length;
    while (served > 0 && left > 0) {
      served = 0;
      for (let count = 0; count < subscriptions.length && left > served; count++) {
        const subscription = subscriptions[this.#next++ % subscriptions.length];
        if (subscription) served += this.serve(subscription);
      }
      left -= served;
    }
    return perPass - left;
  }

  drain(subscription: Subscription<Item, Key, Source>): void {
    let left = this.#options.perPass;
    for (let served = left; served > 0 && left > 0; left -= served) {
      served = this.serve(subscription);
    }
  }

  /** Serves one slice, as one write. A sink without room for more items can still be ready. */
  serve(subscription: Subscription<Item, Key, Source>): number {
    try {
      return subscription.serve(this.#options.slice);
    } catch (thrown) {
      this.#fail(subscription, thrown);
      return 1;
    }
  }

  guard(subscription: Subscription<Item, Key, Source>, act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#fail(subscription, thrown);
    }
  }

  #fail(subscription: Subscription<Item, Key, Source>, thrown: unknown): void {
    const { isOpen, sink } = subscription;
    subscription.close();
    this.#options.onDefect(thrown, subscription);
    try {
      if (isOpen) sink.end('shut_down');
    } catch (again) {
      this.#options.onDefect(again, subscription);
    }
  }
}
