import { describe, expect, it } from 'vitest';
import { aMessage, aSignal } from '../testing/models.ts';
import { SampleCursor } from './sample-cursor.ts';
import { ListingSink } from './testing/listing-sink.ts';
import { LiveBench } from './testing/live-bench.ts';

const message = aMessage([aSignal(), aSignal({ name: 'Load', startBit: 8 })]);

const benchOf = (...histories: number[]) => {
  const bench = new LiveBench();
  histories.forEach((history, channel) => {
    bench.plan(message, { planId: `p${channel}`, channel, history });
  });
  const choices = bench.set.list().map((plan) => ({ plan, signals: ['Speed'] }));
  return { bench, choices, sink: new ListingSink() };
};

describe('SampleCursor', () => {
  it('starts live and follows its plans in the order of their samples', () => {
    const { bench, choices, sink } = benchOf(4, 4);
    bench.frame([1]);
    const cursor = new SampleCursor(bench.set, choices);
    expect(cursor.pass(sink)).toBe(0);
    bench.frame([2], { channel: 1 });
    bench.frame([3], { channel: 0 });
    bench.frame([4], { channel: 1 });
    expect(cursor.pass(sink)).toBe(3);
    expect(sink.take()).toEqual(['p1 3 Speed=2', 'p0 5 Speed=3', 'p1 7 Speed=4']);
    expect([cursor.position, cursor.hasBacklog]).toEqual([8, false]);
  });

  it('goes on within a frame where the sink had no more room', () => {
    const { bench, sink } = benchOf(4);
    const cursor = new SampleCursor(bench.set, bench.set.choose(['p0'], null));
    bench.frame([1, 2]);
    bench.frame([3, 4]);
    sink.room = 1;
    expect(cursor.pass(sink)).toBe(1);
    sink.room = Number.POSITIVE_INFINITY;
    expect(cursor.pass(sink, 2)).toBe(2);
    expect(cursor.pass(sink)).toBe(1);
    expect(sink.take()).toEqual(['p0 1 Speed=1', 'p0 2 Load=2', 'p0 3 Speed=3', 'p0 4 Load=4']);
  });

  it('follows a signal once that was chosen twice', () => {
    const { bench, choices, sink } = benchOf(4);
    const cursor = new SampleCursor(bench.set, [...choices, ...choices]);
    bench.frame([1]);
    cursor.pass(sink);
    expect(sink.take()).toEqual(['p0 1 Speed=1']);
  });

  it('leaves out what a quiet plan has from before the loss of a busy one', () => {
    const { bench, choices, sink } = benchOf(2, 8);
    const cursor = new SampleCursor(bench.set, choices);
    bench.frame([1], { channel: 1 });
    for (let at = 0; at < 5; at++) bench.frame([at], { channel: 0 });
    bench.frame([2], { channel: 1 });
    expect([cursor.hasLost, cursor.pass(sink)]).toEqual([true, 0]);
    expect(cursor.skipLost()).toEqual({
      bounds: { oldestAvailable: 9, newestAvailable: 13 },
      missed: 4,
    });
    cursor.pass(sink);
    expect(sink.take()).toEqual(['p0 9 Speed=3', 'p0 11 Speed=4', 'p1 13 Speed=2']);
  });

  it('does not take the loss of signals that were not chosen for its own', () => {
    const { bench, sink } = benchOf(2);
    const cursor = new SampleCursor(bench.set, bench.set.choose(['p0'], ['Load']));
    for (let at = 0; at < 3; at++) bench.frame([at]);
    bench.frame([3, 30]);
    expect(cursor.hasLost).toBe(false);
    cursor.pass(sink);
    expect(sink.take()).toEqual(['p0 8 Load=30']);
  });

  it('tells where records were lost undecoded, once, to those who come past', () => {
    const { bench, choices, sink } = benchOf(8);
    const cursor = new SampleCursor(bench.set, choices);
    bench.frame([1]);
    bench.set.missed(99);
    bench.frame([2]);
    cursor.pass(sink);
    expect([sink.take(), cursor.hasLost]).toEqual([['p0 1 Speed=1'], true]);
    // Another loss before the first is reported loses none of the samples in between.
    bench.set.missed(5);
    expect(cursor.skipLost()).toEqual({
      bounds: { oldestAvailable: 4, newestAvailable: 4 },
      missed: null,
    });
    cursor.pass(sink);
    expect(sink.take()).toEqual(['p0 4 Speed=2']);
    expect(cursor.skipLost()).toEqual({
      bounds: { oldestAvailable: 7, newestAvailable: 6 },
      missed: null,
    });
    expect([cursor.hasLost, cursor.hasBacklog]).toEqual([false, false]);
    for (const [after, isReported] of [
      [4, true],
      [6, false],
    ] as const) {
      const resumed = new SampleCursor(bench.set, choices);
      resumed.seek(after);
      resumed.pass(sink);
      expect(resumed.hasLost).toBe(isReported);
    }
  });

  it('drops plans that are removed and is done with the last one', () => {
    const { bench, choices, sink } = benchOf(4, 4);
    const cursor = new SampleCursor(bench.set, choices);
    bench.frame([1], { channel: 0 });
    bench.frame([2], { channel: 1 });
    bench.set.remove('p0');
    cursor.pass(sink);
    expect([sink.take(), cursor.isDone]).toEqual([['p1 3 Speed=2'], false]);
    bench.set.clear();
    expect(cursor.isDone).toBe(true);
    cursor.forgetRemoved();
    expect([cursor.pass(sink), cursor.hasLost]).toEqual([0, false]);
  });

  it('is not joined by a plan that comes later under the same name', () => {
    const { bench, choices, sink } = benchOf(4);
    const cursor = new SampleCursor(bench.set, choices);
    bench.set.remove('p0');
    bench.plan(message, { planId: 'p0' });
    bench.frame([1]);
    expect([cursor.pass(sink), cursor.isDone]).toEqual([0, true]);
  });
});
