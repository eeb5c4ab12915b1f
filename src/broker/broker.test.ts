import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { Broker } from './broker.ts';
import { BrokerMemory, maxReaders, maxWriters } from './broker-memory.ts';
import { createRing, maxRingSlots, publicLimitOf, ringSlotsFor } from './ring-memory.ts';
import { RingReader } from './ring-reader.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import { Ledger } from './testing/ledger.ts';

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return BusbarError.from(error).code;
  }
  return 'nothing thrown';
};

describe('Broker', () => {
  it('hands out numbers to threads and takes them back', () => {
    const broker = new Broker();
    const writers = Array.from({ length: maxWriters }, () => broker.claimWriter());
    const readers = Array.from({ length: maxReaders }, () => broker.claimReader());
    expect(new Set(writers).size).toBe(maxWriters);
    expect(new Set(readers).size).toBe(maxReaders);
    expect(codeOf(() => broker.claimWriter())).toBe('capacity_exceeded');
    expect(codeOf(() => broker.claimReader())).toBe('capacity_exceeded');
    broker.releaseWriter(5);
    broker.releaseReader(31);
    expect([broker.claimWriter(), broker.claimReader()]).toEqual([5, 31]);
  });

  it('keeps every word of every thread apart', () => {
    const memory = new BrokerMemory();
    const threads = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
    const words = [
      ...threads(maxWriters).flatMap((at) => [memory.pendingOf(at), memory.wakeMaskOf(at)]),
      ...threads(maxReaders).map((at) => memory.bellOf(at)),
    ];
    const lines = words.map((word) => Math.floor(word / 16));
    expect(new Set(lines).size).toBe(words.length);
    expect(Math.min(...lines)).toBeGreaterThan(1);
    expect(Math.max(...words)).toBeLessThan(memory.words.length);
  });

  it('is seen alike through its buffer in another thread', () => {
    const broker = new Broker();
    const elsewhere = new BrokerMemory(broker.memory.buffer);
    broker.claimWriter();
    broker.memory.raiseClosedFloor(2 ** 40);
    broker.memory.raiseClosedFloor(7);
    expect([elsewhere.writers, elsewhere.closedFloor]).toEqual([1, 2 ** 40]);
  });

  it('lists the rings of open channels, one each', () => {
    const bench = new BenchOfRings();
    const { ring } = bench.open(4, 64);
    bench.open(9, 64);
    expect(bench.broker.rings.map(({ channel }) => channel)).toEqual([4, 9]);
    expect(codeOf(() => bench.broker.openRing({ channel: 4, writer: 0 }))).toBe('internal_error');
    bench.broker.closeRing(4);
    bench.broker.closeRing(4);
    expect(bench.broker.rings.map(({ channel }) => channel)).toEqual([9]);
    expect(bench.broker.openRing({ channel: 4, writer: 0 }).buffer).not.toBe(ring.buffer);
  });

  it('makes new rings of old memory, with nothing left in them', () => {
    const bench = new BenchOfRings();
    const publisher = bench.publisher();
    const old = bench.open(0, 64, publisher);
    old.publish(500);
    old.writer.grow(128);
    old.publish(500);
    bench.broker.closeRing(0);
    bench.broker.recycleRing(old.ring);
    expect(bench.open(1, 256, publisher).ring.buffer).not.toBe(old.ring.buffer);
    const renewed = bench.open(2, 128, publisher);
    expect(renewed.ring.buffer).toBe(old.ring.buffer);
    const reader = new RingReader({ memory: bench.memory, ring: renewed.ring });
    expect([reader.lag, reader.window.lost()]).toEqual([0, 0]);
    renewed.publish(200);
    const ledger = new Ledger({ keepIds: true });
    reader.pass(ledger);
    expect([ledger.errors, ledger.lost, ledger.ids?.at(-1)]).toEqual([[], 72, 1200]);
    expect(bench.open(3, 64, publisher).ring.buffer).not.toBe(old.ring.buffer);
  });

  it('forgets a reader that went away asleep', () => {
    const broker = new Broker();
    const writer = broker.claimWriter();
    const mask = broker.memory.wakeMaskOf(writer);
    Atomics.store(broker.memory.words, mask, 0b111);
    broker.releaseReader(1);
    expect(Atomics.load(broker.memory.words, mask)).toBe(0b101);
  });
});

describe('the size of a ring', () => {
  it.each([0, 8, 100, 2 * maxRingSlots, 64.5, Number.NaN])('cannot be %d slots', (slots) => {
    expect(codeOf(() => createRing({ channel: 0, writer: 0, slots }))).toBe('invalid_argument');
  });

  it.each([
    [1, 32_768],
    [8192, 32_768],
    [28_672, 32_768],
    [28_673, 65_536],
    [1_048_576, 2_097_152],
  ])('for a history of %d events is %d slots', (capacity, slots) => {
    expect(ringSlotsFor(capacity)).toBe(slots);
    expect(publicLimitOf(slots)).toBeGreaterThanOrEqual(capacity);
  });

  it('leaves room for the largest history', () => {
    expect(ringSlotsFor(1_048_576)).toBeLessThanOrEqual(maxRingSlots);
  });
});
