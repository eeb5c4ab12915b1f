import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressRanges } from './address-ranges.ts';

describe('AddressRanges', () => {
  it('covers everything or nothing at its extremes', () => {
    expect(AddressRanges.all.covers(0, 65_536)).toBe(true);
    expect(AddressRanges.all.covers(65_535, 1)).toBe(true);
    expect(new AddressRanges([]).covers(0, 1)).toBe(false);
  });

  it('agrees with a list of addresses, whatever ranges touch or overlap', () => {
    const range = fc.record({
      address: fc.nat({ max: 60 }),
      count: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 10 }), range, (ranges, asked) => {
        const held = new Set(
          ranges.flatMap(({ address, count }) =>
            Array.from({ length: count }, (_, index) => address + index),
          ),
        );
        const isHeld = Array.from({ length: asked.count }, (_, index) =>
          held.has(asked.address + index),
        ).every(Boolean);
        expect(new AddressRanges(ranges).covers(asked.address, asked.count)).toBe(isHeld);
      }),
      { seed: 1, numRuns: 3000 },
    );
  });
});
