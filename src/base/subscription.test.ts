import { describe, expect, it } from 'vitest';
import { type Cursor, RoundRobin, type Sink, type Visitor } from './subscription.ts';

/** A source of numbered items, starting at 1. */
class CountingCursor implements Cursor<number, string> {
  position = 0;
  isDone = false;
  left: number;
  lost = 0;

  constructor(left: number) {
    this.left = left;
  }

  get hasBacklog(): boolean {
    return this.left > 0;
  }

  get hasLost(): boolean {
    return this.lost > 0;
  }

  skipLost() {
    const missed = this.lost;
    this.lost = 0;
    return { bounds: { oldestAvailable: 1, newestAvailable: this.left }, missed };
  }

  pass(visitor: Visitor<number, string>, limit: number): number {
    let delivered = 0;
    while (this.left > 0 && delivered < limit && this.lost === 0) {
      this.left--;
      delivered++;
      if (!visitor.item(++this.position, 'key')) break;
    }
    return delivered;
  }
}

class ListingSink implements Sink<number, string> {
  readonly kind = 'recv';
  isReady = true;
  readonly seen: (string | number)[] = [];
  readonly #log: string[];
  readonly #name: string;

  constructor(name: string, log: string[]) {
    this.#name = name;
    this.#log = log;
  }

  item(item: number): boolean {
    this.seen.push(item);
    return true;
  }

  gap(_bounds: unknown, missed: number | null): void {
    this.seen.push(`gap ${missed}`);
  }

  skipped(position: number): void {
    this.seen.push(`skipped ${position}`);
  }

  flush(): void {
    this.#log.push(this.#name);
  }

  end(reason: string): void {
    this.seen.push(`end ${reason}`);
  }
}

const setUp = (amounts: number[], { slice = 10, perPass = 100 } = {}) => {
  const log: string[] = [];
  const defects: unknown[] = [];
  const removed: number[] = [];
  const robin = new RoundRobin<number, string, CountingCursor>({
    slice,
    perPass,
    onResume: (subscription) => robin.serve(subscription),
    onRemoved: ({ cursor }) => removed.push(cursor.position),
    onDefect: (thrown) => defects.push(thrown),
  });
  const follow = (left: number, options = {}) => {
    const sink = new ListingSink(String(robin.subscriptions.length), log);
    const subscription = robin.subscribe({ cursor: new CountingCursor(left), sink, ...options });
    return { sink, subscription, cursor: subscription.cursor };
  };
  const all = amounts.map((left) => follow(left));
  const [first, second] = all as [(typeof all)[0], (typeof all)[0]];
  return { robin, follow, first, second, log, defects, removed };
};

const broken = (): never => {
  throw new RangeError('broken');
};

describe('RoundRobin', () => {
  it('serves all in turn until none has anything left', () => {
    const { robin, log } = setUp([5, 2, 1], { slice: 2 });
    expect(robin.serveAll()).toBe(8);
    expect(log).toEqual(['0', '1', '2', '0', '0']);
  });

  it('stops when the pass is long enough, and continues with the next', () => {
    const { robin, log } = setUp([100, 100, 100], { perPass: 20 });
    expect(robin.serveAll()).toBe(20);
    expect(robin.serveAll()).toBe(20);
    expect(log).toEqual(['0', '1', '2', '0']);
  });

  it('has nothing to do without subscriptions', () => {
    expect(setUp([]).robin.serveAll()).toBe(0);
  });

  it('ends a sink that throws, and serves the others', () => {
    const { robin, first, second, defects } = setUp([1, 3]);
    first.sink.item = broken;
    robin.serveAll();
    expect(robin.subscriptions).toEqual([second.subscription]);
    expect([first.subscription.isOpen, first.sink.seen]).toEqual([false, ['end shut_down']]);
    expect(second.cursor.left).toBe(0);
    expect(defects).toEqual([new RangeError('broken')]);
  });

  it('survives a sink that throws while it is ended, and ends none twice', () => {
    const { robin, first, second, defects } = setUp([1, 1]);
    first.sink.end = broken;
    first.subscription.end('shut_down');
    expect(defects).toHaveLength(1);
    second.sink.item = broken;
    second.sink.end = broken;
    robin.serveAll();
    expect(defects).toHaveLength(3);
    expect(robin.subscriptions).toEqual([]);
  });

  it('lets a sink close another one from within its own call', () => {
    const { robin, first, second, removed } = setUp([1, 1]);
    first.sink.flush = () => {
      second.subscription.close();
      second.subscription.close();
    };
    expect(robin.serveAll()).toBe(1);
    expect(robin.subscriptions).toEqual([first.subscription]);
    expect(removed).toEqual([0]);
  });

  it('drains one alone, however small its writes are, as far as a pass goes', () => {
    const { robin, first, second } = setUp([9, 9], { slice: 2, perPass: 5 });
    robin.drain(first.subscription);
    expect(first.sink.seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(second.sink.seen).toEqual([]);
  });

  it('ends all with a reason', () => {
    const { robin, first, second } = setUp([1, 1]);
    robin.endAll('unloaded');
    expect([first.sink.seen, second.sink.seen]).toEqual([['end unloaded'], ['end unloaded']]);
  });
});

describe('Subscription', () => {
  it('waits for a sink that is not ready', () => {
    const { robin, first } = setUp([2]);
    first.sink.isReady = false;
    expect(robin.serveAll()).toBe(0);
    first.sink.isReady = true;
    first.subscription.resume();
    expect(first.sink.seen).toEqual([1, 2]);
  });

  it('delivers a gap before the items that follow it', () => {
    const { robin, first, log } = setUp([2]);
    first.cursor.lost = 7;
    expect(robin.serveAll()).toBe(3);
    expect(first.sink.seen).toEqual(['gap 7', 1, 2]);
    expect(log).toEqual(['0']);
  });

  it('does not count what a client missed that resumes from an expired position', () => {
    const { robin, follow } = setUp([]);
    const { sink } = follow(1, { startsAfterGap: true });
    robin.serveAll();
    expect(sink.seen).toEqual(['gap null', 1]);
  });

  it('reports a gap before its end even to a sink that is not ready', () => {
    const { first } = setUp([0]);
    first.cursor.lost = 3;
    first.sink.isReady = false;
    first.subscription.end('channel_closed');
    expect(first.sink.seen).toEqual(['gap 3', 'end channel_closed']);
  });

  it('reports no gap when everything that it followed is gone', () => {
    const { follow } = setUp([]);
    const { subscription, cursor, sink } = follow(0, { startsAfterGap: true });
    cursor.isDone = true;
    subscription.end('plans_removed');
    expect(sink.seen).toEqual(['end plans_removed']);
  });

  it('reports the position after many items that were filtered out', () => {
    const { robin, follow } = setUp([], { slice: 2000, perPass: 2000 });
    const { sink } = follow(1030, { accepts: (item: number) => item <= 2 });
    robin.serveAll();
    expect(sink.seen).toEqual([1, 2, 'skipped 1030']);
  });

  it('ignores a sink that resumes from within its own call, and stops once it is closed', () => {
    const { robin, first } = setUp([3]);
    const take = first.sink.item;
    first.sink.item = (item) => {
      first.subscription.resume();
      first.subscription.close();
      return take.call(first.sink, item);
    };
    robin.serveAll();
    expect(first.sink.seen).toEqual([1]);
  });
});
