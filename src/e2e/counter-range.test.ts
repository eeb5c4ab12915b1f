import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CounterRange } from './layout.ts';
import { Uint64 } from './uint64.ts';

const anyLargest = fc.oneof(
  fc.constantFrom(1n, 14n, 15n, 255n, 65_535n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 64n - 1n),
  fc.bigInt(1n, 2n ** 64n - 1n),
);

const moved = (range: CounterRange, count: bigint, steps: number | bigint): bigint => {
  const value = Uint64.of(count);
  range.move(value, steps);
  return value.toBigInt();
};

describe('CounterRange', () => {
  it('begins anew behind the largest count', () => {
    const range = new CounterRange(14n);
    const count = Uint64.of(13);
    const seen = Array.from({ length: 3 }, () => {
      range.increment(count);
      return count.toNumber();
    });
    expect(seen).toEqual([14, 0, 1]);
  });

  it('knows what is no count', () => {
    const range = new CounterRange(14n);
    expect([0, 14, 15].map((count) => range.includes(Uint64.of(count)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    [14n, 3n, -5, 13n],
    [14n, 14n, 1, 0n],
    [14n, 2n, 15 * 7 + 4, 6n],
    [14n, 15n, 1, 1n],
    [255n, 0n, 'many', 199n],
    [2n ** 64n - 1n, 2n ** 64n - 1n, 2, 1n],
  ] as const)('moves among 0..%d from %d by %s to %d', (max, count, steps, expected) => {
    const by = steps === 'many' ? 256n * 10n ** 30n - 57n : steps;
    expect(moved(new CounterRange(max), count, by)).toBe(expected);
  });

  it('moves back by as much as it was moved, whatever the size', () => {
    fc.assert(
      fc.property(
        anyLargest,
        fc.bigInt(0n, 2n ** 64n - 1n),
        fc.oneof(fc.maxSafeInteger(), fc.bigInt(-(10n ** 39n), 10n ** 39n)),
        (max, any, steps) => {
          const range = new CounterRange(max);
          const from = any % (max + 1n);
          const to = moved(range, from, steps);
          const counts = max + 1n;
          expect(to).toBe((((from + BigInt(steps)) % counts) + counts) % counts);
          const distance = new Uint64();
          range.distance(Uint64.of(from), Uint64.of(to), distance);
          expect(moved(range, from, distance.toBigInt())).toBe(to);
          expect(range.includes(distance)).toBe(true);
        },
      ),
    );
  });
});
