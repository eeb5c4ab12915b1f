import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitOf } from './layout.ts';
import type { Multiplexing, Signal } from './model.ts';
import { OverlapFinder } from './overlap.ts';
import { aSignal } from './testing/a-signal.ts';

const signal = (name: string, part: Partial<Signal>): Signal => aSignal({ name, ...part });

const on = (name: string, ...ranges: [bigint, bigint][]): Multiplexing => ({
  switch: name,
  ranges: ranges.map(([from, to]) => ({ from, to })),
});

const overlapping = (...signals: Signal[]): string[] =>
  new OverlapFinder()
    .find({ length: 8, signals })
    .map(({ signal: index, other }) => `${signals[index]?.name} ${signals[other]?.name}`);

describe('overlapping signals', () => {
  it('are found across byte orders', () => {
    const motorola = signal('B', { startBit: 11, length: 8, byteOrder: 'motorola' });
    expect(overlapping(signal('A', { startBit: 12 }), motorola)).toEqual([]);
    expect(overlapping(signal('A', { startBit: 11 }), motorola)).toEqual(['B A']);
    expect(overlapping(signal('A', { startBit: 16, length: 4 }), motorola)).toEqual([]);
    expect(overlapping(signal('A', { startBit: 16, length: 5 }), motorola)).toEqual(['B A']);
  });

  it('are told once each', () => {
    const same = ['A', 'B', 'C'].map((name) => signal(name, {}));
    expect(overlapping(...same)).toEqual(['B A', 'C A']);
  });

  it('may share bits for different values of a switch only', () => {
    const s = signal('S', { isSwitch: true });
    const a = signal('A', { startBit: 8, multiplexing: on('S', [0n, 4n]) });
    const b = signal('B', { startBit: 8, multiplexing: on('S', [5n, 9n]) });
    const c = signal('C', { startBit: 8, multiplexing: on('S', [2n ** 60n, 2n ** 62n], [9n, 9n]) });
    expect(overlapping(s, a, b)).toEqual([]);
    expect(overlapping(s, a, b, c)).toEqual(['C B']);
    expect(overlapping(s, a, signal('D', { startBit: 8 }))).toEqual(['A D']);
    expect(overlapping(s, signal('E', { multiplexing: on('S', [1n, 1n]) }))).toEqual(['E S']);
  });

  it('are found below switches that depend on switches', () => {
    const s = signal('S', { isSwitch: true });
    const t = signal('T', { startBit: 8, isSwitch: true, multiplexing: on('S', [0n, 1n]) });
    const a = signal('A', { startBit: 16, multiplexing: on('T', [0n, 0n]) });
    const b = signal('B', { startBit: 16, multiplexing: on('S', [1n, 1n]) });
    const c = signal('C', { startBit: 16, multiplexing: on('S', [2n, 2n]) });
    expect(overlapping(s, t, a, c)).toEqual([]);
    expect(overlapping(s, t, a, b)).toHaveLength(1);
  });

  it('are looked for with bounded effort', () => {
    const finder = new OverlapFinder(1000);
    const signals = Array.from({ length: 200 }, (_, at) => signal(`X${at}`, {}));
    expect(finder.find({ length: 8, signals }).length).toBeLessThan(200);
    expect(finder.isExhausted).toBe(true);
  });

  it('are those that a comparison of all pairs finds', () => {
    const placed = fc.record({
      startBit: fc.nat(31),
      length: fc.integer({ min: 1, max: 8 }),
      byteOrder: fc.constantFrom('intel' as const, 'motorola' as const),
      from: fc.nat(4),
      more: fc.nat(2),
      dependsOn: fc.constantFrom(null, 'S', 'T'),
    });
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 8 }), (places) => {
        const signals = [
          signal('S', { length: 3, isSwitch: true }),
          signal('T', { startBit: 3, length: 3, isSwitch: true }),
          ...places.map(({ dependsOn, from, more, ...place }, at) =>
            signal(`X${at}`, {
              ...place,
              multiplexing: dependsOn && on(dependsOn, [BigInt(from), BigInt(from + more)]),
            }),
          ),
        ];
        const { length } = new OverlapFinder().find({ length: 4, signals });
        expect(length > 0).toBe(anyPairOverlaps(signals, 32));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

const bitsOf = (each: Signal, limit: number): number[] => {
  const bits = Array.from({ length: each.length }, (_, at) => bitOf(each, at));
  const end = bits.findIndex((bit) => bit >= limit);
  return end < 0 ? bits : bits.slice(0, end);
};

const meet = (a: Signal, b: Signal): boolean => {
  const [left, right] = [a.multiplexing, b.multiplexing];
  if (left === null || right === null || left.switch !== right.switch) return true;
  return left.ranges.some((x) => right.ranges.some((y) => x.from <= y.to && y.from <= x.to));
};

const anyPairOverlaps = (signals: readonly Signal[], limit: number): boolean =>
  signals.some((a, at) =>
    signals.slice(at + 1).some((b) => {
      const bits = new Set(bitsOf(a, limit));
      return meet(a, b) && bitsOf(b, limit).some((bit) => bits.has(bit));
    }),
  );
