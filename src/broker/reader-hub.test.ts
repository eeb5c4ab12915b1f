import { describe, expect, it } from 'vitest';
import { frm2EventId } from '../frame/frm2-codec.ts';
import { HubBench, range } from './testing/hub-bench.ts';
import { ListingSink } from './testing/listing-sink.ts';
import { openSamples } from './testing/sample-records.ts';

describe('ReaderHub', () => {
  it('streams all channels in the order of event ids, one flush for each turn', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    a.publish(2);
    const { sink } = bench.subscribe();
    b.publish(1);
    a.publish(2);
    b.publish(1);
    bench.settle();
    expect(sink.news()).toEqual([3, 4, 5, 6, 'flush']);
  });

  it('streams only the channels asked for', () => {
    const bench = new HubBench();
    const [a, b, c] = [bench.open(0), bench.open(1), bench.open(2)];
    const { sink } = bench.subscribe({ channels: [2, 0, 2] });
    for (const ring of [a, b, c, b, a]) ring.publish(1);
    bench.settle();
    expect(sink.news()).toEqual([1, 3, 5, 'flush']);
  });

  it('streams only the events asked for, and what was not is no gap', () => {
    const bench = new HubBench();
    const ring = bench.open(0);
    const { sink } = bench.subscribe({ accepts: (view, at) => frm2EventId(view, at) % 4 === 0 });
    for (let round = 0; round < 12; round++) {
      ring.publish(3);
      bench.settle();
    }
    const isEvent = (seen: number | string): boolean => seen !== 'flush';
    expect(sink.news().filter(isEvent)).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 36]);
  });

  it('says how far it has come where nothing was wanted for long', () => {
    const bench = new HubBench();
    const ring = bench.open(0, 4096);
    const wanted = 1500;
    const { sink } = bench.subscribe({
      capacity: 4096,
      accepts: (view, at) => frm2EventId(view, at) === wanted,
    });
    ring.publish(3000);
    bench.settle();
    const isNews = (seen: number | string): boolean => seen !== 'flush';
    const [first, second, third, ...rest] = sink.news().filter(isNews);
    expect(first).toMatch(/^passed over up to \d+$/);
    expect(second).toBe(wanted);
    expect(third).toMatch(/^passed over up to \d+$/);
    expect(rest).toEqual([]);
  });

  it('refuses a channel that is not open', () => {
    const bench = new HubBench();
    bench.open(0);
    expect(() => bench.subscribe({ channels: [0, 4] })).toThrow(
      expect.objectContaining({ code: 'channel_not_open', details: { channel: '4' } }),
    );
  });

  it('takes in channels opened later, from their first record on', () => {
    const bench = new HubBench();
    const a = bench.open(0);
    const all = bench.subscribe();
    const one = bench.subscribe({ channels: [0] });
    const b = bench.open(7);
    b.publish(1);
    a.publish(1);
    bench.settle();
    expect(all.sink.news()).toEqual([1, 2, 'flush']);
    expect(one.sink.news()).toEqual([2, 'flush']);
  });

  it('resumes behind an event id', () => {
    const bench = new HubBench();
    bench.open(0).publish(6);
    const { sink } = bench.subscribe({ after: 4 });
    expect(sink.news()).toEqual([5, 6, 'flush']);
  });

  it.each([3, 50])(
    'tells first that the cursor %i has expired, then starts from the oldest',
    (after) => {
      const bench = new HubBench();
      bench.open(0).publish(20);
      const { sink } = bench.subscribe({ after });
      expect(sink.news()).toEqual(['gap 11-20 missed null', ...range(11, 20), 'flush']);
    },
  );

  it('starts from the oldest without a gap when asked for everything', () => {
    const bench = new HubBench();
    bench.open(0).publish(20);
    expect(bench.subscribe({ after: 0 }).sink.news()).toEqual([...range(11, 20), 'flush']);
  });

  it('gives nothing to an sink that is not ready, and neither spins nor rings for it', () => {
    const bench = new HubBench();
    const a = bench.open(0);
    const { sink, resume } = bench.subscribe();
    sink.isReady = false;
    a.publish(3);
    bench.settle();
    bench.bell.log.splice(0);
    bench.clock.advanceUs(1_000_000);
    expect([sink.news(), bench.bell.log, bench.clock.pendingTimers]).toEqual([[], [], 0]);
    bench.open(1);
    expect(bench.bell.log).toEqual(['disarm', 'arm 0', 'sleep']);
    sink.isReady = true;
    resume();
    expect(sink.news()).toEqual([1, 2, 3, 'flush']);
  });

  it('tells a stalled client once what it missed on all channels, and goes on complete', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const { sink, resume } = bench.subscribe();
    sink.isReady = false;
    b.publish(4);
    a.publish(20);
    b.publish(2);
    sink.isReady = true;
    resume();
    // Channel b has lost nothing, but the records after the gap must be complete.
    expect(sink.news()).toEqual(['gap 15-26 missed 14', ...range(15, 26), 'flush']);
  });

  it('tells a gap that opens in the middle of a turn before anything else', () => {
    const bench = new HubBench();
    const a = bench.open(0, 2048);
    const sink = new ListingSink();
    a.publish(300);
    sink.onRecord = (id) => {
      if (id === 256) a.publish(100);
      return true;
    };
    bench.subscribe({ after: 0, capacity: 300 }, sink);
    bench.settle();
    // Records copied in time are valid, and the window still contained the rest.
    expect(sink.news()).toEqual([...range(1, 300), 'flush', ...range(301, 400), 'flush']);
    sink.onRecord = (id) => {
      if (id === 656) a.publish(400);
      return true;
    };
    a.publish(300);
    bench.settle();
    expect(sink.news()).toEqual([
      ...range(401, 656),
      'flush',
      'gap 801-1100 missed 144',
      ...range(801, 1100),
      'flush',
    ]);
  });

  it('ends a turn when the sink is full, and gives the rest in the next one', () => {
    const bench = new HubBench();
    const sink = new ListingSink();
    sink.onRecord = (id) => id % 4 !== 0;
    bench.open(0).publish(10);
    bench.subscribe({ after: 0 }, sink);
    expect(sink.news()).toEqual([1, 2, 3, 4, 'flush', 5, 6, 7, 8, 'flush', 9, 10, 'flush']);
  });

  it('serves a modest client between the turns of one at full speed', () => {
    const bench = new HubBench();
    const a = bench.open(0, 32_768);
    const b = bench.open(1);
    a.publish(20_000);
    const order: string[] = [];
    const [greedy, modest] = [new ListingSink(), new ListingSink()];
    greedy.flush = () => void order.push('greedy');
    modest.flush = () => void order.push('modest');
    greedy.isReady = false;
    const { resume } = bench.subscribe({ channels: [0], after: 0, capacity: 25_000 }, greedy);
    bench.subscribe({ channels: [1] }, modest);
    b.publish(1);
    greedy.isReady = true;
    resume();
    expect(order.indexOf('modest')).toBeLessThan(2);
    // One pass leaves records for the next, so that the thread can do other work.
    expect(greedy.seen.length).toBeLessThan(20_000);
    bench.settle();
    expect(greedy.seen.length).toBe(20_000);
  });

  it('waits for a record still being written, looking again until it is there', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const { sink } = bench.subscribe();
    openSamples(b.writer, 1);
    a.publish(1);
    bench.settle();
    expect([sink.news(), bench.clock.pendingTimers]).toEqual([[], 1]);
    b.writer.commit();
    bench.clock.advanceUs(1000);
    expect(sink.news()).toEqual([1, 2, 'flush']);
  });

  it('gives the rest of a closed channel to those that are ready, and ends who wanted only that', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const only = bench.subscribe({ channels: [1] });
    const both = bench.subscribe({ channels: [0, 1] });
    const all = bench.subscribe();
    b.publish(2);
    a.publish(1);
    bench.close(b);
    expect(only.sink.news()).toEqual([1, 2, 'flush', 'end channel_closed']);
    a.publish(1);
    bench.settle();
    for (const { sink } of [both, all]) {
      expect(sink.seen.filter((entry) => entry !== 'flush')).toEqual([1, 2, 3, 4]);
    }
    expect([bench.hub.consumersOf(1), bench.hub.consumersOf(0).length]).toEqual([[], 2]);
  });

  it('gives all of a closed channel to one that is ready, also more than fits into a turn', () => {
    const bench = new HubBench();
    const a = bench.open(0, 8192);
    const { sink } = bench.subscribe({ channels: [0], capacity: 5000 });
    a.publish(5000);
    bench.close(a);
    expect(sink.news().filter((entry) => entry !== 'flush')).toEqual([
      ...range(1, 5000),
      'end channel_closed',
    ]);
  });

  it.each([
    ['a channel is closed', 'channel_closed'],
    ['all streams end', 'shut_down'],
  ])('delivers what a pause of the sink holds up before %s', (_, reason) => {
    const bench = new HubBench();
    const a = bench.open(0);
    const { sink } = bench.subscribe({ channels: [0] });
    sink.isReady = false;
    sink.onHurry = () => {
      sink.isReady = true;
    };
    a.publish(3);
    if (reason === 'shut_down') bench.hub.close();
    else bench.close(a);
    expect(sink.news()).toEqual([1, 2, 3, 'flush', `end ${reason}`]);
  });

  it('gives all of a closed channel to a sink that pauses after each write, and leaves it paused', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0, 8192), bench.open(1)];
    const { sink } = bench.subscribe({ capacity: 5000 });
    sink.flush = () => {
      sink.isReady = false;
    };
    sink.onHurry = () => {
      sink.isReady = true;
    };
    a.publish(5000);
    bench.close(a);
    expect(sink.news()).toEqual(range(1, 5000));
    b.publish(1);
    bench.settle();
    expect(sink.news()).toEqual([]);
  });

  it('counts what a stalled client did not get of a closed channel as missed', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const only = bench.subscribe({ channels: [1] });
    const both = bench.subscribe({ channels: [0, 1] });
    const all = bench.subscribe();
    for (const { sink } of [only, both, all]) sink.isReady = false;
    a.publish(1);
    b.publish(3);
    a.publish(2);
    bench.close(b);
    expect(only.sink.news()).toEqual(['gap 5-4 missed 3', 'flush', 'end channel_closed']);
    for (const { sink, resume } of [both, all]) {
      sink.isReady = true;
      resume();
      bench.settle();
    }
    expect(both.sink.news()).toEqual(['gap 1-6 missed 3', 1, 5, 6, 'flush']);
    // Across all channels, nothing older than the newest event of a closed channel is guaranteed.
    expect(all.sink.news()).toEqual(['gap 5-6 missed 4', 5, 6, 'flush']);
  });

  it('counts also what a client had been overtaken by when its channel is closed', () => {
    const bench = new HubBench();
    const a = bench.open(0);
    const { sink } = bench.subscribe({ channels: [0] });
    sink.onRecord = () => {
      a.publish(30);
      sink.isReady = false;
      return true;
    };
    a.publish(1);
    bench.settle();
    expect(sink.news()).toEqual([1, 'flush']);
    bench.close(a);
    expect(sink.news()).toEqual(['gap 32-31 missed 30', 'flush', 'end channel_closed']);
  });

  it('keeps a stream over all channels open when the last of them is closed', () => {
    const bench = new HubBench();
    const { sink } = bench.subscribe();
    bench.close(bench.open(0));
    bench.open(1).publish(1);
    bench.settle();
    expect(sink.news()).toEqual([1, 'flush']);
  });

  it.each(['item', 'gap', 'flush', 'end'] as const)(
    'closes a sink whose %s throws, and goes on with the others',
    (method) => {
      const bench = new HubBench();
      const a = bench.open(0);
      a.publish(20);
      const broken = new ListingSink();
      broken[method] = () => {
        throw new Error('broken');
      };
      bench.subscribe({ channels: [0], after: 1 }, broken);
      const { sink } = bench.subscribe();
      a.publish(1);
      bench.settle();
      expect(sink.news()).toEqual([21, 'flush']);
      bench.close(a);
      expect([bench.defects.length, bench.hub.consumersOf(0)]).toEqual([1, []]);
    },
  );

  it('lets sinks subscribe and close whomever they like from within any call', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const sinks = [new ListingSink(), new ListingSink(), new ListingSink()] as const;
    const second = bench.subscribe({}, sinks[1]);
    sinks[0].onRecord = () => {
      second.close();
      bench.subscribe({ after: 0 }, sinks[2]);
      first.close();
      return true;
    };
    const first = bench.subscribe({ channels: [1] }, sinks[0]);
    sinks[1].end = () => void bench.subscribe({ channels: [0] });
    b.publish(2);
    a.publish(1);
    bench.settle();
    expect(sinks[0].news()).toEqual([1]);
    expect(sinks[2].news()).toEqual([1, 2, 3, 'flush']);
    expect(bench.defects).toEqual([]);
  });

  it('hears nothing more after it was closed', () => {
    const bench = new HubBench();
    const a = bench.open(0);
    const { sink, close } = bench.subscribe();
    close();
    a.publish(1);
    bench.settle();
    bench.hub.close();
    expect(sink.news()).toEqual([]);
  });

  it('tells how far the consumers of a channel are', () => {
    const bench = new HubBench();
    const [a, b] = [bench.open(0), bench.open(1)];
    const { sink } = bench.subscribe();
    bench.subscribe({ channels: [1] });
    a.publish(2);
    bench.settle();
    sink.isReady = false;
    a.publish(3);
    b.publish(1);
    bench.settle();
    expect(bench.hub.consumersOf(0)).toEqual([{ kind: 'recv', cursor: 2, lag: 3 }]);
    expect(bench.hub.consumersOf(1)).toEqual([
      { kind: 'recv', cursor: 2, lag: 1 },
      { kind: 'recv', cursor: 6, lag: 0 },
    ]);
  });

  it('ends all streams when it is closed, and stops looking', () => {
    const bench = new HubBench();
    const a = bench.open(0);
    const { sink } = bench.subscribe();
    bench.hub.close();
    a.publish(1);
    bench.settle();
    expect(sink.news()).toEqual(['end shut_down']);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  describe('drain', () => {
    it('delivers at once what was published, without a wake-up', () => {
      const bench = new HubBench();
      const ring = bench.open(0);
      const sink = new ListingSink();
      const handle = bench.hub.subscribe({ channels: null, after: null, capacity: 64, sink });
      ring.publish(3);
      expect(sink.news()).toEqual([]);
      expect(bench.hub.drain(handle)).toBe(true);
      expect(sink.news()).toEqual([1, 2, 3, 'flush']);
    });

    it('leaves other subscriptions to their turn', () => {
      const bench = new HubBench();
      const ring = bench.open(0);
      const [sink, other] = [new ListingSink(), new ListingSink()];
      const options = { channels: null, after: null, capacity: 64 };
      const handle = bench.hub.subscribe({ ...options, sink });
      bench.hub.subscribe({ ...options, sink: other });
      ring.publish(2);
      bench.hub.drain(handle);
      expect(other.news()).toEqual([]);
      bench.settle();
      expect(other.news()).toEqual([1, 2, 'flush']);
      expect(sink.news()).toEqual([1, 2, 'flush']);
    });

    it('delivers a gap before the events after it', () => {
      const bench = new HubBench();
      const ring = bench.open(0, 16);
      const sink = new ListingSink();
      const handle = bench.hub.subscribe({ channels: null, after: null, capacity: 16, sink });
      ring.publish(1);
      bench.hub.drain(handle);
      sink.news();
      for (let round = 0; round < 40; round++) ring.publish(1);
      expect(bench.hub.drain(handle)).toBe(true);
      const [gap, ...rest] = sink.news();
      expect(gap).toMatch(/^gap \d+-41 missed \d+$/);
      expect(rest.at(-2)).toBe(41);
      const ids = rest.filter((each) => typeof each === 'number');
      expect(Number(/missed (\d+)/.exec(String(gap))?.[1]) + ids.length).toBe(40);
    });

    it('says that it is not done after a very long backlog', () => {
      const bench = new HubBench();
      const ring = bench.open(0, 131_072);
      const sink = new ListingSink();
      const handle = bench.hub.subscribe({ channels: null, after: null, capacity: 131_072, sink });
      for (let record = 0; record < 70_000; record++) ring.publish(1);
      expect(bench.hub.drain(handle)).toBe(false);
      const first = sink.news().filter((each) => typeof each === 'number').length;
      expect(first).toBeLessThan(70_000);
      expect(bench.hub.drain(handle)).toBe(true);
      expect(first + sink.news().filter((each) => typeof each === 'number').length).toBe(70_000);
    });

    it('does nothing for a closed subscription', () => {
      const bench = new HubBench();
      const ring = bench.open(0);
      const sink = new ListingSink();
      const handle = bench.hub.subscribe({ channels: null, after: null, capacity: 64, sink });
      handle.close();
      ring.publish(2);
      expect(bench.hub.drain(handle)).toBe(true);
      expect(sink.news()).toEqual([]);
    });
  });
});
