import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { frm2EventId } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { Publisher } from './publisher.ts';
import { RingReader } from './ring-reader.ts';
import { RingWriter } from './ring-writer.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import { Ledger } from './testing/ledger.ts';
import { openSamples, publishSamples, readSourceSequence } from './testing/sample-records.ts';

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return BusbarError.from(error).code;
  }
  return 'nothing thrown';
};

describe('RingWriter', () => {
  it('numbers events over all rings and sequences in each', () => {
    const bench = new BenchOfRings();
    const first = bench.open(0, 64);
    const second = bench.open(1, 64);
    first.publish(2);
    second.publish(1);
    first.publish(1);
    const stamps = ({ writer }: typeof first, count: number): number[][] =>
      Array.from({ length: count }, (_, index) => [
        frm2EventId(writer.view, index * frm2SlotBytes),
        readSourceSequence(writer.view, index * frm2SlotBytes),
      ]);
    expect(stamps(first, 3)).toEqual([
      [1, 1],
      [2, 2],
      [4, 3],
    ]);
    expect(stamps(second, 1)).toEqual([[3, 1]]);
  });

  it('publishes batches across the end of the ring, with ids that follow each other', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(3, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const ledger = new Ledger({ keepIds: true });
    for (let batch = 0; batch < 20; batch++) {
      publishSamples(writer, writer.maxBatch);
      reader.pass(ledger);
    }
    expect(ledger.errors).toEqual([]);
    expect(ledger.ids).toEqual(Array.from({ length: 20 * 7 }, (_, index) => index + 1));
  });

  it('copies whole records that were made elsewhere', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const seen: number[] = [];
    const visitor = {
      item: ({ bytes }: { bytes: Uint8Array }, offset: number) => {
        seen.push(bytes[offset + 127] ?? 0);
        return true;
      },
    };
    const records = new Uint8Array(7 * frm2SlotBytes);
    for (let index = 0; index < 7; index++) records[index * frm2SlotBytes + 127] = index + 1;
    for (let round = 0; round < 10; round++) {
      writer.publish(records, 7);
      reader.pass(visitor);
    }
    writer.publish(records);
    writer.publish(records.subarray(3 * frm2SlotBytes), 2);
    reader.pass(visitor);
    expect(seen).toEqual([
      ...Array.from({ length: 10 }, () => [1, 2, 3, 4, 5, 6, 7]).flat(),
      1,
      4,
      5,
    ]);
  });

  it('leaves ids unused but no sequence when open records are abandoned', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const ledger = new Ledger({ keepIds: true });
    publishSamples(writer);
    openSamples(writer, 4);
    writer.abandon();
    writer.abandon();
    publishSamples(writer, 2);
    publishSamples(writer, 4);
    reader.pass(ledger);
    expect(ledger.errors).toEqual([]);
    expect(ledger.ids).toEqual([1, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps the whole ring in use, however often records are abandoned', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const ledger = new Ledger();
    for (let round = 0; round < 100; round++) {
      publishSamples(writer);
      openSamples(writer, 7);
      writer.abandon();
    }
    publishSamples(writer, 7);
    reader.pass(ledger);
    expect([ledger.delivered, ledger.lost, ledger.errors]).toEqual([64, 43, []]);
  });

  it('writes one record at a time in a thread, whatever the ring', () => {
    const bench = new BenchOfRings();
    const publisher = bench.publisher();
    const first = bench.open(0, 64, publisher).writer;
    const second = bench.open(1, 64, publisher).writer;
    first.reserve();
    expect(codeOf(() => second.reserve())).toBe('internal_error');
    expect(codeOf(() => first.reserve())).toBe('internal_error');
    expect(codeOf(() => first.grow(128))).toBe('internal_error');
    first.commit();
    expect(codeOf(() => first.commit())).toBe('internal_error');
    expect(codeOf(() => second.reserve())).toBe('nothing thrown');
  });

  it.each([0, -1, Number.NaN, 8])('refuses a batch of %d in a ring of 64 slots', (count) => {
    const { writer } = new BenchOfRings().open(0, 64);
    expect(codeOf(() => writer.reserve(count))).toBe('invalid_argument');
    expect(codeOf(() => writer.reserve(7))).toBe('nothing thrown');
  });

  it('refuses a ring of another writer', () => {
    const bench = new BenchOfRings();
    const { ring } = bench.open(0, 64);
    expect(codeOf(() => new RingWriter(bench.publisher(), ring))).toBe('internal_error');
  });

  it('takes the place of a dead writer only after its recovery', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const ledger = new Ledger({ keepIds: true });
    publishSamples(writer, 3);
    openSamples(writer, 5);
    expect(codeOf(() => new Publisher(bench.memory, ring.writer))).toBe('internal_error');
    bench.broker.recoverWriter(ring.writer);
    const successor = new RingWriter(new Publisher(bench.memory, ring.writer), ring);
    publishSamples(successor, 2);
    publishSamples(successor, 6);
    reader.pass(ledger);
    expect(ledger.errors).toEqual([]);
    expect(ledger.ids).toEqual([1, 2, 3, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('makes no garbage', () => {
    const bench = new BenchOfRings();
    const { writer } = bench.open(0, 64);
    const publishMany = (): number => {
      const before = process.memoryUsage().heapUsed;
      for (let record = 0; record < 5000; record++) {
        writer.reserve();
        writer.commit();
      }
      return process.memoryUsage().heapUsed - before;
    };
    const grown = Array.from({ length: 21 }, publishMany).sort((one, other) => one - other);
    expect((grown[10] ?? 0) / 5000).toBeLessThan(4);
  });
});
