import { describe, expect, it } from 'vitest';
import { fittedValues, pannedValues, valuesBetween, zoomedValues } from './value-range.ts';

const range = { low: 100, high: 300 };

describe('a range of values', () => {
  it('is zoomed about a value that keeps its place', () => {
    expect(zoomedValues(range, 0.5, 150)).toEqual({ low: 125, high: 225 });
    expect(zoomedValues(range, 2, 200)).toEqual({ low: 0, high: 400 });
  });

  it('is moved by a share of itself', () => {
    expect(pannedValues(range, 0.25)).toEqual({ low: 150, high: 350 });
    expect(pannedValues(range, -1)).toEqual({ low: -100, high: 100 });
  });

  it('is the part of a box, counted from the top', () => {
    expect(valuesBetween(range, 0, 0.25)).toEqual({ low: 250, high: 300 });
    expect(valuesBetween(range, 0.5, 1)).toEqual({ low: 100, high: 200 });
  });

  it('stays where an axis could not show the next one', () => {
    expect(zoomedValues(range, 1e-15, 200)).toBe(range);
    expect(zoomedValues(range, 1e300, 200)).toBe(range);
    expect(valuesBetween(range, 0.5, 0.5)).toBe(range);
  });

  it('fits its values with room around them, also a single one or none', () => {
    expect(fittedValues(0, 100, 'numbers')).toEqual({ low: -8, high: 108 });
    expect(fittedValues(1000, 1000, 'numbers')).toEqual({ low: 950, high: 1050 });
    expect(fittedValues(0, 0, 'numbers')).toEqual({ low: -1, high: 1 });
    expect(fittedValues(0, 4, 'labels')).toEqual({ low: -1, high: 7.6 });
    expect(fittedValues(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 'numbers')).toEqual({
      low: 0,
      high: 1,
    });
  });
});
