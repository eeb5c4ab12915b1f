import { describe, expect, it } from 'vitest';
import { SampleSeries } from '../samples/sample-series.ts';
import { aSample, aSeries } from '../samples/testing/samples.ts';
import { cursorsIn, measure, rangeOfCursors, sampleBeside } from './measure.ts';

describe('cursors', () => {
  it('are placed within a range, at whole microseconds', () => {
    expect(cursorsIn({ fromUs: 0, toUs: 1000 })).toEqual({ a: 333, b: 667 });
  });

  it('have a range between them in any order', () => {
    expect(rangeOfCursors({ a: 7, b: 3 })).toEqual({ fromUs: 3, toUs: 7 });
  });
});

describe('measure', () => {
  it('takes the samples that hold at both cursors, their difference and slope', () => {
    const series = aSeries([10, 20, 50]);
    expect(measure(series, { a: 1500, b: 3500 })).toEqual({
      aAt: 0,
      bAt: 2,
      difference: '40',
      perSecond: 20_000,
    });
    expect(measure(series, { a: 3500, b: 1500 })).toMatchObject({
      difference: '-40',
      perSecond: 20_000,
    });
  });

  it('subtracts exact texts', () => {
    const series = aSeries(['18446744073709551614', '18446744073709551615', '0.3', '0.10']);
    expect(measure(series, { a: 1000, b: 2000 }).difference).toBe('1');
    expect(measure(series, { a: 3000, b: 4000 }).difference).toBe('-0.2');
  });

  it('has no slope between cursors at one instant, and no difference without two numbers', () => {
    const series = aSeries([1, null, 3]);
    expect(measure(series, { a: 1000, b: 1000 })).toMatchObject({
      difference: '0',
      perSecond: null,
    });
    expect(measure(series, { a: 1000, b: 2000 })).toMatchObject({ bAt: 1, difference: null });
    expect(measure(series, { a: 0, b: 1000 })).toMatchObject({ aAt: null, difference: null });
  });

  it('reads the last sample before a gap at its own time only', () => {
    const series = aSeries([1, 2]);
    series.break();
    series.take(aSample(9));
    expect(measure(series, { a: 2000, b: 2001 })).toMatchObject({ aAt: 1, bAt: null });
  });
});

describe('sampleBeside', () => {
  const even = aSeries([1, 2, 3]);
  const odd = new SampleSeries();
  odd.bind('plan-1');
  odd.take(aSample(1, { timestamp_us: 1500 }));

  it('goes from sample to sample over all series', () => {
    const all = [even, odd];
    expect([0, 1000, 1500, 1501, 3000].map((us) => sampleBeside(all, us, 1))).toEqual([
      1000,
      1500,
      2000,
      2000,
      null,
    ]);
    expect([9000, 3000, 2000, 1500, 1000].map((us) => sampleBeside(all, us, -1))).toEqual([
      3000,
      2000,
      1500,
      1000,
      null,
    ]);
  });

  it('finds nothing without samples', () => {
    expect(sampleBeside([new SampleSeries()], 5, 1)).toBeNull();
  });
});
