import { describe, expect, it } from 'vitest';
import { patternsOf } from './switch-patterns.ts';

const patterns = (from: bigint, to: bigint) =>
  patternsOf([{ from, to }], 8).map((range) => [range.from, range.to]);

describe('patternsOf', () => {
  it.each<[bigint, bigint, bigint[][]]>([
    [3n, 5n, [[3n, 5n]]],
    [-1n, -1n, [[255n, 255n]]],
    [-128n, -1n, [[128n, 255n]]],
    [-300n, -120n, [[128n, 136n]]],
    [250n, 300n, [[250n, 255n]]],
    [256n, 300n, []],
    [-300n, -129n, []],
    [5n, 3n, []],
    [
      -2n,
      1n,
      [
        [0n, 1n],
        [254n, 255n],
      ],
    ],
  ])('means by %s to %s of a switch of 8 bits %o', (from, to, expected) => {
    expect(patterns(from, to)).toEqual(expected);
  });

  it('takes all ranges', () => {
    const ranges = [
      { from: 1n, to: 2n },
      { from: 7n, to: 7n },
    ];
    expect(patternsOf(ranges, 4)).toEqual(ranges);
  });
});
