/** Kinds of consumers, as statistics name them. */
export const consumerKinds = ['sse', 'websocket', 'recv', 'decode', 'forward', 'logging'] as const;
export type ConsumerKind = (typeof consumerKinds)[number];

/** Why a subscription ended although its client did not close it. */
export type EndReason = 'channel_closed' | 'plans_removed' | 'unloaded' | 'shut_down';

/** The items that a client can still get; `oldestAvailable` is above `newestAvailable` if there are none. */
export interface Bounds {
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

/** Items that a cursor had to skip. */
export interface Lost {
  /** Nothing older is delivered from here on. */
  readonly bounds: Bounds;
  /** null if they cannot be counted. */
  readonly missed: number | null;
}

export interface Visitor<Item, Key> {
  /** One item, valid during the call only. Returns whether there is room for another one. */
  item(item: Item, key: Key): boolean;
}

/**
 * The source side of a subscription: its position in what is streamed. Sources of states, where a later
 * item replaces an earlier one, lose nothing.
 */
export interface Cursor<Item, Key> {
  /** Whether there is anything to deliver. */
  readonly hasBacklog: boolean;
  /** Delivers up to `limit` items in order and returns how many. Stops before a gap. */
  pass(visitor: Visitor<Item, Key>, limit: number): number;
  /** Everything up to here was delivered, filtered out or lost. */
  readonly position?: number;
  /** Whether items are lost that `skipLost` has yet to skip. */
  readonly hasLost?: boolean;
  skipLost?(): Lost;
  /** Everything that it follows is gone, so that a gap would have no bounds. */
  readonly isDone?: boolean;
  /** Delivers what a client gets when its subscription ends, even if it is not ready. */
  last?(visitor: Visitor<Item, Key>): void;
}

/**
 * The face side of a subscription: one client, a decoder, a log or a peer. It has no queue: while it is
 * not ready it is given nothing, and its cursor waits in the memory of the source.
 */
export interface Sink<Item, Key> extends Visitor<Item, Key> {
  readonly kind: ConsumerKind;
  /** Call `resume` of the subscription when it turns true again. */
  readonly isReady: boolean;
  /** Called once, before anything else. */
  attach?(subscription: SubscriptionHandle): void;
  /** Items were lost before the next one; `missed` is null if their number is unknown. */
  gap?(bounds: Bounds, missed: number | null): void;
  /** Many items up to this position were filtered out. */
  skipped?(position: number): void;
  /** Sends the items since the last flush as one write. */
  flush(): void;
  /** Nothing follows. Everything was flushed before. */
  end(reason: EndReason): void;
}

/** The client's side of a subscription. */
export interface SubscriptionHandle {
  /** The sink is ready again. */
  resume(): void;
  /** Delivers what a client gets when its subscription ends. */
  last(): void;
  /** Ends the subscription and its sink. */
  end(reason: EndReason): void;
  /** Ends the subscription without another call to its sink. */
  close(): void;
}

export interface SubscribeOptions<Item, Key, Source extends Cursor<Item, Key> = Cursor<Item, Key>> {
  readonly cursor: Source;
  readonly sink: Sink<Item, Key>;
  /** The client resumes from a position that has expired, so how much it missed is unknown. */
  readonly startsAfterGap?: boolean;
  readonly accepts?: ((item: Item, key: Key) => boolean) | undefined;
}

/** Items filtered out in a row after which a client learns the position of its cursor. */
const skippedMark = 1024;

/** Delivers what a cursor finds to a sink, in turn with the other subscriptions of a `RoundRobin`. */
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

  /** Whether there is something to deliver and the sink is ready for it. */
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

  /** Ends the sink after a gap for what could not be delivered, even if it is not ready. */
  end(reason: EndReason): void {
    if (!this.#isOpen) return;
    this.#owner.guard(this, () => {
      this.last();
      if (this.#isOpen && !this.cursor.isDone && this.#giveGap() > 0) this.sink.flush();
      if (!this.#isOpen) return;
      this.#isOpen = false;
      this.sink.end(reason);
    });
    this.close();
  }

  /** Delivers up to `limit` items as one write; returns how many, gaps included. */
  serve(limit: number): number {
    // A sink may turn ready from within the calls that it gets.
    if (this.#isServing || !this.isBehind) return 0;
    this.#isServing = true;
    try {
      let delivered = 0;
      // A pass that finds a gap first is repeated after it.
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

  /** Without this, a client that gets nothing for long could resume from an expired position only. */
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
  /** Items that a subscription gets before the next one is served. */
  readonly slice: number;
  /** About the number of items of one pass over all subscriptions, so that the thread gets to other work. */
  readonly perPass: number;
  /** A sink is ready again. */
  readonly onResume: (subscription: Subscribed) => void;
  /** A subscription was closed. */
  readonly onRemoved?: (subscription: Subscribed) => void;
  /** Receives what a sink or cursor throws. Its subscription is ended. */
  readonly onDefect: (thrown: unknown, subscription: Subscribed) => void;
}

/**
 * Serves the subscriptions of a source in slices, so that none waits for another. Sinks may subscribe
 * and close from within any call that they get.
 */
export class RoundRobin<Item, Key, Source extends Cursor<Item, Key> = Cursor<Item, Key>> {
  readonly #options: RoundRobinOptions<Subscription<Item, Key, Source>>;
  /** Replaced, never changed, so that it can be walked while subscriptions come and go. */
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

  /** For the subscription alone. */
  remove(subscription: Subscription<Item, Key, Source>): void {
    const { length } = this.#subscriptions;
    this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
    if (this.#subscriptions.length < length) this.#options.onRemoved?.(subscription);
  }

  /** For the subscription alone. */
  onResume(subscription: Subscription<Item, Key, Source>): void {
    this.#options.onResume(subscription);
  }

  endAll(reason: EndReason): void {
    for (const subscription of this.#subscriptions) subscription.end(reason);
  }

  /** Serves all in turn until none has anything to deliver, or the pass is long enough; returns how many items. */
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

  /** Serves one alone until it has nothing to deliver, or the pass is long enough. */
  drain(subscription: Subscription<Item, Key, Source>): void {
    let left = this.#options.perPass;
    for (let served = left; served > 0 && left > 0; left -= served) {
      served = this.serve(subscription);
    }
  }

  /** Serves one slice, as one write: a sink that has no more room for items may still be ready. */
  serve(subscription: Subscription<Item, Key, Source>): number {
    try {
      return subscription.serve(this.#options.slice);
    } catch (thrown) {
      this.#fail(subscription, thrown);
      return 1;
    }
  }

  /** Calls something that may throw because of the sink or the cursor. */
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
