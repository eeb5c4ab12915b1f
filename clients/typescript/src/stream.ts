import { isPassing, StreamTimeout } from './errors.ts';
import { type Gap, gapOf } from './items.ts';

/** Something comes every 30 seconds at least, so that a connection this silent is dead. */
const silenceMs = 50_000;
const firstPauseMs = 50;
const longestPauseMs = 2000;

/** A connection of a stream. */
export interface Source<Item> {
  /** What comes next, perhaps nothing that is told; null where the stream has ended or was cut. */
  read(): Promise<readonly Item[] | null>;
  close(): void;
  /** Whether the stream is over for good. */
  readonly isOver: boolean;
}

export interface StreamOptions {
  /** How long to wait for an item before `StreamTimeout` is thrown; for ever if left out. */
  readonly timeoutMs?: number;
  /** For how long to begin attempts to connect again where the connection ends; a minute if left out. */
  readonly reconnectMs?: number;
}

/** Why an attempt to connect again has failed. */
interface Failure {
  readonly error: unknown;
  /** Whether the error is thrown rather than followed by another attempt. */
  readonly isLast: boolean;
}

/** A time that passes, or is over before. */
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
 * Items as they come, and a `Gap` in the place of what is missing. Where the connection ends, it is made
 * again, and the stream goes on behind the last item. Attempts begin for `reconnectMs`, over as many calls as it
 * takes; then the error of the last one is thrown, and the next call starts over. What the service refuses is thrown
 * at once.
 */
export class Stream<Item> implements AsyncIterableIterator<Item | Gap> {
  readonly #connect: () => Promise<Source<Item | Gap>>;
  /** Finds where to go on, and what is lost where others count now than before. */
  readonly #findPlace: (isAgain: boolean) => Promise<Gap | null>;
  readonly #options: StreamOptions;
  readonly #items: (Item | Gap)[] = [];
  #source: Source<Item | Gap> | null = null;
  #reading: Promise<readonly (Item | Gap)[] | null> | null = null;
  /** When what is being read is no longer waited for. */
  #silentAt = 0;
  /** An attempt to connect, whose failure stays there for the next call where none waits for it any more. */
  #dialing: Promise<Failure | null> | null = null;
  #giveUpAt: number | null = null;
  readonly #limits = new Set<Limit>();
  #due: Gap | null = null;
  /** How long the next connection waits: longer from one to the next, until one of them has served. */
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

  /** Connects, so that what is refused is refused here. */
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

  /** The next item, within the time that was said when the stream was made, or here. */
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

  /** Hangs up; nothing more comes. */
  async return(): Promise<IteratorResult<Item | Gap>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Hangs up; nothing more comes, and a call that waits ends. */
  close(): void {
    this.#isOver = true;
    this.#items.length = 0;
    this.#hangUp();
    for (const limit of this.#limits) limit.end();
  }

  async #wait(source: Source<Item | Gap>, deadline: number): Promise<void> {
    // What is being read stays so behind a time-out: nothing of it is lost.
    if (this.#reading === null) {
      this.#reading = source.read();
      this.#silentAt = Date.now() + silenceMs;
    }
    const reading = this.#reading;
    const until = Math.min(this.#silentAt, deadline);
    const items = await this.#within(reading, until).catch((error: unknown) => {
      // What cannot be read is asked for again, should the caller go on behind the error.
      if (this.#reading === reading) this.#hangUp();
      throw error;
    });
    // Another call has waited for the same and taken it, or the stream was closed.
    if (this.#reading !== reading) return;
    if (items === undefined) {
      if (Date.now() >= this.#silentAt) this.#hangUp();
      else if (Date.now() >= deadline) throw new StreamTimeout('Nothing came in time');
      return;
    }
    this.#reading = null;
    if (items?.length || Date.now() - this.#dialedAt > longestPauseMs) this.#pauseMs = 0;
    this.#items.push(...(items ?? []));
    if (source.isOver) this.#isOver = true;
    if (items === null || this.#isOver) this.#hangUp();
  }

  /** What comes of it until then; undefined where the time is over first, or the stream is closed. */
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
      // Calls that wait at the same time share one connection, and a time-out leaves it to the next call.
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
    this.#pauseMs = Math.min(Math.max(2 * pauseMs, firstPauseMs), longestPauseMs);
    this.#giveUpAt ??= Date.now() + (this.#options.reconnectMs ?? 60_000);
    const giveUpAt = this.#giveUpAt;
    if (pauseMs > 0) {
      const never = new Promise<never>(() => {});
      await this.#within(never, Math.min(Date.now() + pauseMs, giveUpAt));
    }
    try {
      if (!this.#isOver) await this.#dial(true);
      this.#dialing = null;
      this.#giveUpAt = null;
      return null;
    } catch (error) {
      const isLast = !isPassing(error) || Date.now() >= giveUpAt;
      if (isLast) this.#giveUpAt = null;
      return { error, isLast };
    }
  }

  async #dial(isAgain: boolean): Promise<void> {
    // Where the connection fails now, the gap is told by the next one that is made.
    this.#due = (await this.#findPlace(isAgain)) ?? this.#due;
    const source = await this.#connect();
    if (this.#isOver) return source.close();
    this.#source = source;
    this.#dialedAt = Date.now();
    if (this.#due !== null) this.#items.push(this.#due);
    this.#due = null;
  }
}
