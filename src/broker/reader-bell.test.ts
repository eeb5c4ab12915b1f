import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { readerBell } from './doorbell.ts';
import { BenchOfRings } from './testing/bench-of-rings.ts';

describe('the bell of a thread that reads', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('asks writers to ring unless they are held up by that: real time %s', (realtime, rings) => {
    const bench = new BenchOfRings();
    const { memory } = bench;
    const reader = bench.broker.claimReader();
    const { ring } = bench.open(0, 16);
    const before = [...memory.words];
    readerBell({ memory, reader, clock: new FakeClock(), realtime }).arm(1 << ring.writer);
    const changed = [...memory.words].filter((word, index) => word !== before[index]);
    expect(changed).toHaveLength(rings);
  });
});
