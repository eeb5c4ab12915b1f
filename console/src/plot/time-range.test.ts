import { describe, expect, it } from 'vitest';
import { panned, rangeBetween, rangeOverAll, zoomed } from './time-range.ts';

const range = { fromUs: 1_000_000, toUs: 3_000_000 };

describe('a range of time', () => {
  it('is zoomed about an instant that stays in its place', () => {
    expect(zoomed(range, 0.5, 1_500_000)).toEqual({ fromUs: 1_250_000, toUs: 2_250_000 });
    expect(zoomed(range, 2, 2_000_000)).toEqual({ fromUs: 0, toUs: 4_000_000 });
  });

  it('is never zoomed to nothing, nor beyond a day', () => {
    const small = zoomed(range, 1e-12, 2_000_000);
    expect(small.toUs - small.fromUs).toBe(100);
    const large = zoomed(range, 1e12, 2_000_000);
    expect(large.toUs - large.fromUs).toBe(86_400_000_000);
  });

  it('is moved by a share of itself', () => {
    expect(panned(range, 0.25)).toEqual({ fromUs: 1_500_000, toUs: 3_500_000 });
    expect(panned(range, -1)).toEqual({ fromUs: -1_000_000, toUs: 1_000_000 });
  });

  it('lies between two instants in any order, unless they are too close', () => {
    expect(rangeBetween(300, 100)).toEqual({ fromUs: 100, toUs: 300 });
    expect(rangeBetween(100, 150)).toBeNull();
  });

  it('covers several others with a little room', () => {
    expect(rangeOverAll([range, { fromUs: 0, toUs: 500 }])).toEqual({
      fromUs: -60_000,
      toUs: 3_060_000,
    });
    expect(rangeOverAll([])).toBeNull();
  });
});
