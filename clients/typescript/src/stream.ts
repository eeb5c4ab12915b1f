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
  /** How long to try again where the connection ends; a minute if left out. */
  readonly reconnectMs?: number;
}

const after = (ms: number): { readonly passed: Promise<void>; cancel(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { passed, cancel: () => clearTimeout(timer) };
};

/**
 * Items as they come, and a `Gap` in the place of what is missing. Where the connection ends, it is made
 * again, and the stream goes on behind the last item. What the service refuses is thrown.
 */
export class Stream<Item> implements AsyncIterableIterator<Item | Gap> {
  readonly #connect: () => Promise<Source<Item | Gap>>;
  /** Finds where to go on, and what is lost where others count now than before. */
  readonly #findPlace: (isAgain: boolean) => Promise<Gap | null>;
  readonly #options: StreamOptions;
  readonly #items: (Item | Gap)[] = [];
  #source: Source<Item | Gap> | null = null;
  #reading: Promise<readonly (Item | Gap)[] | null> | null = null;
  #due: Gap | null = null;
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

  /** Hangs up; nothing more comes. */
  close(): void {
    this.#isOver = true;
    this.#items.length = 0;
    this.#hangUp();
  }

  async #wait(source: Source<Item | Gap>, deadline: number): Promise<void> {
    // What is being read stays so behind a time-out: nothing of it is lost.
    this.#reading ??= source.read();
    const limit = after(Math.min(silenceMs, Math.max(deadline - Date.now(), 0)));
    const items = await Promise.race([this.#reading, limit.passed]);
    limit.cancel();
    if (items === undefined) {
      if (Date.now() >= deadline) throw new StreamTimeout('Nothing came in time');
      this.#hangUp();
      return;
    }
    this.#reading = null;
    this.#items.push(...(items ?? []));
    if (source.isOver) this.#isOver = true;
    if (items === null || this.#isOver) this.#hangUp();
  }

  #hangUp(): void {
    this.#source?.close();
    this.#source = null;
    this.#reading = null;
  }

  async #dialAgain(deadline: number): Promise<void> {
    const giveUpAt = Date.now() + (this.#options.reconnectMs ?? 60_000);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.#dial(true);
      } catch (error) {
        if (!isPassing(error) || Date.now() >= giveUpAt) throw error;
        if (Date.now() >= deadline) throw new StreamTimeout(`Nothing came in time; ${error}`);
      }
      await after(Math.max(Math.min(pauseMs, giveUpAt - Date.now(), deadline - Date.now()), 0))
        .passed;
    }
  }

  async #dial(isAgain: boolean): Promise<void> {
    // Where the connection fails now, the gap is told by the next one that is made.
    this.#due = (await this.#findPlace(isAgain)) ?? this.#due;
    const source = await this.#connect();
    if (this.#isOver) return source.close();
    this.#source = source;
    if (this.#due !== null) this.#items.push(this.#due);
    this.#due = null;
  }
}
