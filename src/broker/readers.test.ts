import { describe, expect, it } from 'vitest';
import { frm2EventId } from '../frame/frm2-codec.ts';
import { nextIdAt } from './broker-memory.ts';
import { startCounter } from './counter.ts';
import { MergedReader } from './merged-reader.ts';
import type { RecordVisitor } from './ring-cursor.ts';
import { RingReader } from './ring-reader.ts';
import { StagingPool } from './staging.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import { openSamples, publishSamples } from './testing/sample-records.ts';

/** Records deliveries: ids as numbers, gaps as text. */
const listing = (
  stopAt = Number.POSITIVE_INFINITY,
): RecordVisitor & { seen: (number | string)[] } => {
  const seen: (number | string)[] = [];
  return {
    seen,
    item({ view }, offset) {
      const id = frm2EventId(view, offset);
      seen.push(id);
      return id < stopAt;
    },
    gap: (channel, first, last) => void seen.push(`${channel}: ${first}-${last}`),
  };
};

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('RingReader', () => {
  it('starts live and delivers what is published from then on', () => {
    const bench = new BenchOfRings();
    const a = bench.open(0, 64);
    a.publish(5);
    const reader = new RingReader({ memory: bench.memory, ring: a.ring });
    const list = listing();
    expect([reader.position, reader.lag, reader.pass(list)]).toEqual([5, 0, 0]);
    a.publish(2);
    expect([reader.hasBacklog, reader.lag]).toEqual([true, 2]);
    reader.pass(list);
    expect(list.seen).toEqual([6, 7]);
    expect([reader.position, reader.hasBacklog]).toEqual([7, false]);
  });

  it('gives the exact gap before the next record that survived', () => {
    const bench = new BenchOfRings();
    const a = bench.open(7, 64);
    const reader = new RingReader({ memory: bench.memory, ring: a.ring });
    const list = listing();
    a.publish(3);
    reader.pass(list, 2);
    a.publish(97);
    reader.pass(list);
    expect(list.seen).toEqual([1, 2, '7: 3-36', ...range(37, 100)]);
  });

  it('reaches back no further than its capacity', () => {
    const bench = new BenchOfRings();
    const a = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring: a.ring, capacity: 10 });
    const list = listing();
    a.publish(30);
    reader.pass(list);
    expect(list.seen).toEqual(['0: 1-20', ...range(21, 30)]);
  });

  it('is not held up by a record that another writer has open', () => {
    const bench = new BenchOfRings();
    const a = bench.open(0, 64);
    openSamples(bench.open(1, 64).writer, 1);
    const reader = new RingReader({ memory: bench.memory, ring: a.ring });
    const list = listing();
    a.publish(1);
    reader.pass(list);
    expect(list.seen).toEqual([2]);
  });

  it('reads more than it can stage at once', () => {
    const bench = new BenchOfRings();
    const a = bench.open(0, 1024);
    const reader = new RingReader({ memory: bench.memory, ring: a.ring });
    const list = listing();
    a.publish(700);
    expect(reader.pass(list)).toBe(700);
    expect(list.seen).toEqual(range(1, 700));
  });
});

describe('MergedReader', () => {
  const openThree = () => {
    const bench = new BenchOfRings();
    const [a, b, c] = [bench.open(0, 64), bench.open(1, 64), bench.open(2, 64)];
    const rings = [a.ring, b.ring, c.ring];
    const reader = new MergedReader({ memory: bench.memory, rings, everyChannel: true });
    return { bench, a, b, c, rings, reader, list: listing() };
  };

  it('delivers all channels in the order of event ids', () => {
    const { a, b, c, reader, list } = openThree();
    for (const ring of [a, b, b, c, a, a, c, b]) ring.publish(1);
    expect(reader.pass(list)).toBe(8);
    expect(list.seen).toEqual(range(1, 8));
  });

  it('holds back what is newer than a record still being written', () => {
    const { a, b, c, reader, list } = openThree();
    a.publish(2);
    openSamples(b.writer, 2);
    c.publish(3);
    a.publish(1);
    expect(reader.pass(list)).toBe(2);
    expect([reader.position, reader.hasBacklog]).toEqual([2, true]);
    b.writer.commit();
    reader.pass(list);
    expect(list.seen).toEqual(range(1, 8));
    expect(reader.hasBacklog).toBe(false);
  });

  it('holds back also behind an id whose low half looks like nothing', () => {
    const { bench, a, b, reader, list } = openThree();
    startCounter(bench.memory.words, nextIdAt, 2 ** 32);
    openSamples(b.writer, 1);
    a.publish(1);
    expect(reader.pass(list)).toBe(0);
    b.writer.commit();
    reader.pass(list);
    expect(list.seen).toEqual([2 ** 32, 2 ** 32 + 1]);
  });

  it('goes past the ids of a writer that died', () => {
    const { bench, a, b, reader, list } = openThree();
    openSamples(b.writer, 3);
    a.publish(2);
    expect(reader.pass(list)).toBe(0);
    bench.broker.recoverWriter(b.ring.writer);
    reader.pass(list);
    expect(list.seen).toEqual([4, 5]);
  });

  it('gives each gap once, right before its channel goes on', () => {
    const { a, b, reader, list } = openThree();
    a.publish(1);
    b.publish(70);
    a.publish(1);
    reader.pass(list, 1);
    a.publish(80);
    reader.pass(list);
    expect(list.seen).toEqual([1, '1: 1-6', ...range(8, 71), '0: 2-18', ...range(89, 152)]);
  });

  it('takes what it has staged, but not delivered, into a gap when it is overwritten', () => {
    const { a, b, reader, list } = openThree();
    a.publish(2);
    openSamples(b.writer, 1);
    a.publish(3);
    reader.pass(list);
    a.publish(62);
    b.writer.commit();
    reader.pass(list);
    expect(list.seen).toEqual([1, 2, 3, '0: 3-3', ...range(5, 68)]);
  });

  it('delivers each record once, whether stopped, limited or interrupted by an error', () => {
    const { a, b, reader } = openThree();
    for (let round = 0; round < 10; round++) for (const ring of [a, b]) ring.publish(1);
    const first = listing(5);
    reader.pass(first);
    const second = listing();
    reader.pass(second, 6);
    const failing: RecordVisitor = {
      item: () => {
        throw new Error('full');
      },
    };
    expect(() => reader.pass(failing)).toThrow('full');
    expect(reader.position).toBe(12);
    const rest = listing();
    reader.pass(rest);
    expect([first.seen, second.seen, rest.seen]).toEqual([
      range(1, 5),
      range(6, 11),
      range(13, 20),
    ]);
  });

  it('resumes from a position without a loss or a repetition', () => {
    const { bench, a, b, c, rings, reader, list } = openThree();
    for (let round = 0; round < 12; round++) for (const ring of [a, b, c]) ring.publish(1);
    reader.pass(list, 17);
    const resumed = new MergedReader({ memory: bench.memory, rings });
    expect(resumed.seek(reader.position)).toEqual({ position: 17, expired: false });
    resumed.pass(list);
    expect(list.seen).toEqual(range(1, 36));
  });

  it('resumes quietly where others went on, since its position follows all ids', () => {
    const { bench, a, b, list } = openThree();
    const reader = new MergedReader({ memory: bench.memory, rings: [b.ring] });
    b.publish(1);
    a.publish(500);
    reader.pass(list);
    expect(reader.position).toBe(501);
  });

  it('tells that a cursor has expired, and goes on with the oldest to be had', () => {
    const { bench, a, b, rings } = openThree();
    b.publish(3);
    a.publish(100);
    const reader = new MergedReader({ memory: bench.memory, rings, capacity: 10 });
    const list = listing();
    expect(reader.seek(92)).toEqual({ position: 93, expired: true });
    reader.pass(list);
    expect(reader.seek(93)).toEqual({ position: 93, expired: false });
    expect(reader.seek(0)).toEqual({ position: 93, expired: false });
    expect(reader.seek(104)).toEqual({ position: 93, expired: true });
    expect(reader.seek(103)).toEqual({ position: 103, expired: false });
    expect(list.seen).toEqual(range(94, 103));
  });

  it('follows a channel that is opened later, from its first record on', () => {
    const { bench, a, reader, list } = openThree();
    a.publish(1);
    const d = bench.open(3, 64);
    reader.attach(d.ring);
    d.publish(2);
    a.publish(1);
    reader.pass(list);
    expect(list.seen).toEqual([1, 2, 3, 4]);
    expect(reader.writers).toBe(0b1111);
  });

  it('gives as a gap what a new channel published too early to be put in order', () => {
    const { bench, a, reader, list } = openThree();
    const d = bench.open(3, 64);
    d.publish(2);
    a.publish(1);
    reader.pass(list);
    reader.attach(d.ring);
    d.publish(1);
    reader.pass(list);
    expect(list.seen).toEqual([3, '3: 1-2', 4]);
  });

  it('delivers what a closed channel still holds and then forgets it', () => {
    const { bench, a, b, reader, list } = openThree();
    b.publish(2);
    a.publish(2);
    bench.broker.closeRing(1);
    reader.detach(1);
    expect(reader.window.lost()).toBe(2);
    reader.pass(list, 1);
    expect(reader.lag).toBe(3);
    reader.pass(list);
    b.publish(1);
    expect([reader.lag, reader.hasBacklog, reader.writers]).toEqual([0, false, 0b101]);
    expect(list.seen).toEqual([1, 2, 3, 4]);
  });

  it('never goes back behind what it has delivered when it leaves out what is lost', () => {
    const bench = new BenchOfRings();
    const [a, b, late] = [bench.open(0, 64), bench.open(1, 64), bench.open(2, 64)];
    const rings = [a.ring, b.ring];
    const reader = new MergedReader({ memory: bench.memory, rings, stopsAtGaps: true });
    const list = listing();
    late.publish(1);
    for (const ring of [a, b]) ring.publish(1);
    reader.pass(list);
    b.publish(2);
    bench.broker.closeRing(1);
    reader.drop(1);
    // The remaining records of the others are older than those already delivered.
    expect(reader.skipLost()).toEqual({
      bounds: { oldestAvailable: 2, newestAvailable: 2 },
      missed: 2,
    });
    expect(reader.position).toBe(3);
    reader.attach(late.ring);
    expect([reader.hasLost, reader.skipLost().missed]).toEqual([true, 1]);
    late.publish(1);
    reader.pass(list);
    expect(list.seen).toEqual([2, 3, 6]);
  });

  it('shares staging memory with a reader that is used from within a visitor', () => {
    const { bench, a, b, rings } = openThree();
    const staging = new StagingPool();
    const outer = new MergedReader({ memory: bench.memory, rings, staging });
    const inner = new MergedReader({ memory: bench.memory, rings, staging });
    const [innerList, outerList] = [listing(), listing()];
    for (let round = 0; round < 5; round++) for (const ring of [a, b]) ring.publish(1);
    outer.pass({
      item: (area, offset) => {
        inner.pass(innerList, 1);
        return outerList.item(area, offset);
      },
    });
    expect([innerList.seen, outerList.seen]).toEqual([range(1, 10), range(1, 10)]);
  });

  it('does without channels', () => {
    const bench = new BenchOfRings();
    const reader = new MergedReader({ memory: bench.memory, rings: [] });
    expect([reader.pass(listing()), reader.lag, reader.hasBacklog, reader.writers]).toEqual([
      0,
      0,
      false,
      0,
    ]);
    const a = bench.open(0, 64);
    reader.attach(a.ring);
    publishSamples(a.writer);
    expect(reader.pass(listing())).toBe(1);
  });
});
