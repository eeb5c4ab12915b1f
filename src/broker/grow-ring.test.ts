import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { RingReader } from './ring-reader.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';
import { Ledger } from './testing/ledger.ts';
import { openSamples, publishSamples } from './testing/sample-records.ts';

describe('a ring that grows', () => {
  it('keeps all records but one, in order, wherever the ring stood', () => {
    const factor = fc.constantFrom(2, 4, 16);
    fc.assert(
      fc.property(fc.nat(200), fc.nat(3), factor, fc.nat(2000), (before, open, times, after) => {
        const bench = new BenchOfRings();
        const { ring, writer } = bench.open(0, 32);
        for (let record = 0; record < before; record++) publishSamples(writer);
        if (open > 0) openSamples(writer, open);
        writer.abandon();
        writer.grow(32 * times);
        const ledger = new Ledger();
        const reader = new RingReader({ memory: bench.memory, ring });
        reader.seek(0);
        // A ring that has not wrapped loses nothing; any other loses its oldest record.
        const overrun = before + open - 32;
        const kept = overrun > 0 ? before - overrun - 1 : before;
        ledger.expect(0, before - kept + 1);
        expect(reader.pass(ledger)).toBe(Math.min(kept, before));
        for (let record = 0; record < after; record++) publishSamples(writer);
        reader.pass(ledger);
        expect(ledger.errors).toEqual([]);
        expect(ledger.accounted).toBe(kept + after);
        expect(reader.pass(ledger)).toBe(0);
      }),
      { numRuns: cases(40, 200), seed: 5 },
    );
  });

  it('holds as many records as its new size afterwards', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const reader = new RingReader({ memory: bench.memory, ring });
    const ledger = new Ledger();
    for (let record = 0; record < 60; record++) publishSamples(writer);
    writer.grow(256);
    for (let record = 0; record < 196; record++) publishSamples(writer);
    expect(reader.pass(ledger)).toBe(256);
    expect([ledger.lost, ledger.errors]).toEqual([0, []]);
  });

  it('does not shrink', () => {
    const bench = new BenchOfRings();
    const { writer } = bench.open(0, 64);
    writer.grow(32);
    writer.grow(64);
    expect(writer.maxBatch).toBe(7);
    expect(() => writer.grow(100)).toThrow(/power of two/);
  });
});
