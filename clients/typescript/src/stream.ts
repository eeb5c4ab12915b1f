import { isPassing, StreamTimeout } from './errors.ts';
import { type Gap, gapOf } from './items.ts';

/**
 * The service sends something every 30 seconds, so a connection that is silent for longer is
 * dead.
 */
const silenceMs = 50_000;
const firstPauseMs = 50;
const maxPauseMs = 2000;

export interface Source<Item> {
  /** Next items, possibly none; null when the connection has ended. */
  read(): Promise<readonly Item[] | null>;
  close(): void;
  /** Whether the stream has ended permanently. */
  readonly isOver: boolean;
}

export interface StreamOptions {
  /** Time limit for an item, after which `StreamTimeout` is thrown; none by default. */
  readonly timeoutMs?: number;
  /** How long to retry a lost connection; one minute by default. */
  readonly reconnectMs?: number;
}

interface Failure {
  readonly error: unknown;
  /** Whether the error is thrown instead of retried. */
  readonly isLast: boolean;
}

/** A timer that can be cancelled. */
interface Limit {
  readonly passed: Promise<void>;
  end(): void;
}

const after = (ms: number): Limit => {
  let end = (): void => {};
  const passed = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { passed, end };
};

/**
 * Items in order, and a `Gap` in place of missing ones. A lost connection is opened again and
 * the stream resumes after the last item. Attempts continue for `reconnectMs`, over as many
 * calls as needed; then the last error is thrown, and the next call starts over. Errors of the
 * service are thrown immediately.
 */
export class Stream<Item> implements AsyncIterableIterator<Item | Gap> {
  readonly #connect: () => Promise<Source<Item | Gap>>;
  /** Finds the position to resume from, and the gap if another daemon counts now. */
  readonly #findPlace: (isAgain: boolean) => Promise<Gap | null>;
  readonly #options: StreamOptions;
  readonly #items: (Item | Gap)[] = [];
  #source: Source<Item | Gap> | null = null;
  #reading: Promise<readonly (Item | Gap)[] | null> | null = null;
  /** Time at which a silent connection is given up. */
  #silentAt = 0;
  /** An attempt to connect. Its failure stays for the next call if no call waits for it. */
  #dialing: Promise<Failure | null> | null = null;
  #abandonAt: number | null = null;
  readonly #limits = new Set<Limit>();
  #due: Gap | null = null;
  /** Delay before the next connection; it grows until a connection has delivered something. */
  #pauseMs = 0;
  #dialedAt = 0;
  #isOver = false;

  private constructor(
    connect: () => Promise<Source<Item | Gap>>,
    findPlace: ((isAgain: boolean) => Promise<Gap | null>) | null,
    options: StreamOptions,
  ) {
    this.#connect = connect;
    this.#findPlace = findPlace ?? (async (isAgain) => (isAgain ? gapOf('reconnected') : null));
    this.#options = options;
  }

  /** Connects, so that a refused request fails here. */
  static async open<Item>(
    connect: () => Promise<Source<Item | Gap>>,
    findPlace: ((isAgain: boolean) => Promise<Gap | null>) | null,
    options: StreamOptions,
  ): Promise<Stream<Item>> {
    const stream = new Stream<Item>(connect, findPlace, options);
    await stream.#dial(false);
    return stream;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next item, within this time limit or the one of the stream. */
  async next(timeoutMs = this.#options.timeoutMs): Promise<IteratorResult<Item | Gap>> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) return { done: false, value: item };
      if (this.#isOver) return { done: true, value: undefined };
      if (this.#source === null) await this.#dialAgain(deadline);
      else await this.#wait(this.#source, deadline);
    }
  }

  /** Closes the connection and ends the iteration. */
  async return(): Promise<IteratorResult<Item | Gap>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Closes the connection; a waiting call ends. */
  close(): void {
    this.#isOver = true;
    this.#items.length = 0;
    this.#hangUp();
    for (const limit of this.#limits) limit.end();
  }

  async #wait(source: Source<Item | Gap>, deadline: number): Promise<void> {
    // A pending read survives a time-out, so that nothing is lost.
    if (this.#reading === null) {
      this.#reading = source.read();
      this.#silentAt = Date.now() + silenceMs;
    }
    const reading = this.#reading;
    const until = Math.min(this.#silentAt, deadline);
    const items = await this.#within(reading, until).catch((error: unknown) => {
      // An unreadable item is requested again if the caller continues after the error.
      if (this.#reading === reading) this.#hangUp();
      throw error;
    });
    // Another call took the item, or the stream was closed.
    if (this.#reading !== reading) return;
    if (items === undefined) {
      if (Date.now() >= this.#silentAt) this.#hangUp();
      else if (Date.now() >= deadline) throw new StreamTimeout('Nothing came in time');
      return;
    }
    this.#reading = null;
    if (items?.length || Date.now() - this.#dialedAt > maxPauseMs) this.#pauseMs = 0;
    this.#items.push(...(items ?? []));
    if (source.isOver) this.#isOver = true;
    if (items === null || this.#isOver) this.#hangUp();
  }

  /** The result, or undefined if the time is over first or the stream is closed. */
  async #within<Result>(coming: Promise<Result>, until: number): Promise<Result | undefined> {
    const limit = after(Math.min(silenceMs, Math.max(until - Date.now(), 0)));
    this.#limits.add(limit);
    try {
      return (await Promise.race([coming, limit.passed])) as Result | undefined;
    } finally {
      limit.end();
      this.#limits.delete(limit);
    }
  }

  #hangUp(): void {
    this.#source?.close();
    this.#source = null;
    this.#reading = null;
  }

  async #dialAgain(deadline: number): Promise<void> {
    while (!this.#isOver) {
      // Concurrent calls share one connection attempt, and a time-out leaves it to the next
      // call.
      this.#dialing ??= this.#dialLater();
      const dialing = this.#dialing;
      const failure = await this.#within(dialing, deadline);
      if (this.#source !== null || this.#isOver) return;
      if (failure !== undefined && this.#dialing === dialing) this.#dialing = null;
      if (failure?.isLast) throw failure.error;
      if (Date.now() >= deadline)
        throw new StreamTimeout(`Nothing came in time; ${failure?.error ?? 'no connection yet'}`);
    }
  }

  async #dialLater(): Promise<Failure | null> {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(Math.max(2 * pauseMs, firstPauseMs), maxPauseMs);
    this.#abandonAt ??= Date.now() + (this.#options.reconnectMs ?? 60_000);
    const abandonAt = this.#abandonAt;
    if (pauseMs > 0) {
      const never = new Promise<never>(() => {});
      await this.#within(never, Math.min(Date.now() + pauseMs, abandonAt));
    }
    try {
      if (!this.#isOver) await this.#dial(true);
      this.#dialing = null;
      this.#abandonAt = null;
      return null;
    } catch (error) {
      const isLast = !isPassing(error) || Date.now() >= abandonAt;
      if (isLast) this.#abandonAt = null;
      return { error, isLast };
    }
  }

  async #dial(isAgain: boolean): Promise<void> {
    // If the connection fails now, the next one reports the gap.
    this.#due = (await this.#findPlace(isAgain)) ?? this.#due;
    const source = await this.#connect();
    if (this.#isOver) return source.close();
    this.#source = source;
    this.#dialedAt = Date.now();
    if (this.#due !== null) this.#items.push(this.#due);
    this.#due = null;
  }
}
