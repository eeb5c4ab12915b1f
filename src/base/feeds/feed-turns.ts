/** Something that is given to a client bit by bit. */
export interface ServedFeed {
  readonly isOpen: boolean;
  readonly outlet: { end(reason: 'shut_down'): void };
  serve(limit: number): number;
  close(): void;
}

/**
 * Feeds that are served in turns, so that none has to wait for another. One that throws is closed,
 * and the others go on. Feeds may come and go from within any call that they get.
 */
export class FeedTurns<Feed extends ServedFeed> {
  readonly #onDefect: (thrown: unknown) => void;
  /** Replaced, never changed, so that it can be walked while feeds come and go. */
  #feeds: readonly Feed[] = [];
  #next = 0;

  constructor(onDefect: (thrown: unknown) => void) {
    this.#onDefect = onDefect;
  }

  get feeds(): readonly Feed[] {
    return this.#feeds;
  }

  add(feed: Feed): void {
    this.#feeds = [...this.#feeds, feed];
  }

  remove(feed: Feed): void {
    feed.close();
    this.#feeds = this.#feeds.filter((other) => other !== feed);
  }

  /** Goes round until no feed has anything to give, or about `most` messages are given; how many. */
  serveAll(turn: number, most: number): number {
    const feeds = this.#feeds;
    let left = most;
    let served = feeds.length;
    while (served > 0 && left > 0) {
      served = 0;
      for (let count = 0; count < feeds.length && left > served; count++) {
        const feed = feeds[this.#next++ % feeds.length];
        if (feed) served += this.serve(feed, turn);
      }
      left -= served;
    }
    return most - left;
  }

  serve(feed: Feed, turn: number): number {
    try {
      return feed.serve(turn);
    } catch (thrown) {
      this.#fail(feed, thrown);
      return 1;
    }
  }

  /** Does something with a feed that may throw. */
  guard(feed: Feed, act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#fail(feed, thrown);
    }
  }

  #fail(feed: Feed, thrown: unknown): void {
    const wasOpen = feed.isOpen;
    this.remove(feed);
    this.#onDefect(thrown);
    try {
      if (wasOpen) feed.outlet.end('shut_down');
    } catch (again) {
      this.#onDefect(again);
    }
  }
}
