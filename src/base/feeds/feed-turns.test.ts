import { describe, expect, it } from 'vitest';
import { FeedTurns, type ServedFeed } from './feed-turns.ts';

/** Gives as many messages as it has, and keeps a log of its turns. */
class CountingFeed implements ServedFeed {
  isOpen = true;
  readonly ends: string[] = [];
  readonly outlet = { end: (reason: string) => void this.ends.push(reason) };
  readonly #name: string;
  readonly #log: string[];
  left: number;

  constructor(name: string, left: number, log: string[]) {
    this.#name = name;
    this.left = left;
    this.#log = log;
  }

  serve(limit: number): number {
    const given = Math.min(limit, this.left);
    this.left -= given;
    if (given > 0) this.#log.push(this.#name);
    return given;
  }

  close(): void {
    this.isOpen = false;
  }
}

const setUp = (...amounts: number[]) => {
  const log: string[] = [];
  const defects: unknown[] = [];
  const turns = new FeedTurns<CountingFeed>((thrown) => defects.push(thrown));
  const feeds = amounts.map((left, index) => new CountingFeed(String(index), left, log));
  for (const feed of feeds) turns.add(feed);
  const [first, second] = feeds as [CountingFeed, CountingFeed];
  return { turns, feeds, first, second, log, defects };
};

describe('FeedTurns', () => {
  it('goes round until nobody has anything left', () => {
    const { turns, log } = setUp(5, 2, 1);
    expect(turns.serveAll(2, 100)).toBe(8);
    expect(log).toEqual(['0', '1', '2', '0', '0']);
  });

  it('stops when enough is given, and goes on with the feed that is next', () => {
    const { turns, log } = setUp(100, 100, 100);
    expect(turns.serveAll(10, 20)).toBe(20);
    expect(turns.serveAll(10, 10)).toBe(10);
    expect(log).toEqual(['0', '1', '2']);
  });

  it('has nothing to do without feeds', () => {
    expect(setUp().turns.serveAll(1, 1)).toBe(0);
  });

  it('closes a feed that throws, tells it so, and serves the others', () => {
    const { turns, first, second, defects } = setUp(1, 3);
    first.serve = () => {
      if (!first.isOpen) return 0;
      throw new RangeError('broken');
    };
    turns.serveAll(10, 100);
    expect(turns.feeds).toEqual([second]);
    expect([first.isOpen, first.ends, second.left]).toEqual([false, ['shut_down'], 0]);
    expect(defects).toEqual([new RangeError('broken')]);
  });

  it('survives a feed that throws while it is ended as well, and ends none twice', () => {
    const { turns, first, defects } = setUp(1, 1);
    turns.guard(first, () => {
      first.close();
      throw new RangeError('while ending');
    });
    expect(first.ends).toEqual([]);
    const other = turns.feeds[0] as CountingFeed;
    other.outlet.end = () => {
      throw new RangeError('end');
    };
    turns.guard(other, () => {
      throw new RangeError('act');
    });
    expect(defects).toHaveLength(3);
    expect(turns.feeds).toEqual([]);
  });

  it('lets a feed leave from within its own turn', () => {
    const { turns, first, second } = setUp(1, 1);
    first.serve = () => {
      turns.remove(second);
      return 0;
    };
    expect(turns.serveAll(1, 10)).toBe(1);
    expect(turns.feeds).toEqual([first]);
  });
});
