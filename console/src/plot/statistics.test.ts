import { describe, expect, it } from 'vitest';
import { aSample, aSeries } from '../samples/testing/samples.ts';
import { sampleAt, statisticsOver } from './statistics.ts';

describe('statisticsOver', () => {
  it('covers the samples of the range and no others, both ends included', () => {
    const series = aSeries([100, 4, 8, 6, -100]);
    const found = statisticsOver(series, { fromUs: 2000, toUs: 4000 });
    expect(found).toEqual({ count: 3, invalid: 0, lowestAt: 1, highestAt: 2, lastAt: 3, mean: 6 });
  });

  it('keeps exact texts within reach', () => {
    const series = aSeries(['0.30000000000000000001', '0.2']);
    const { highestAt } = statisticsOver(series, { fromUs: 0, toUs: 9000 });
    expect(series.textAt(highestAt ?? -1)).toBe('0.30000000000000000001');
  });

  it.each([
    [['9007199254740993', '9007199254740992', '9007199254740994'], 1, 2],
    [['-9223372036854775807', '-9223372036854775808'], 1, 0],
    [['18446744073709551614', '18446744073709551615'], 0, 1],
    [['0.1', '0.10000000000000000001', '0.09999999999999999999'], 2, 1],
  ])('tells %j apart, though their doubles are alike', (values, lowestAt, highestAt) => {
    const found = statisticsOver(aSeries(values), { fromUs: 0, toUs: 9000 });
    expect(found).toMatchObject({ lowestAt, highestAt });
  });

  it('counts invalid samples apart, but the last one is the last one', () => {
    const series = aSeries([1, null, 3]);
    series.take(aSample(4, { value: '9999', valid: false }));
    expect(statisticsOver(series, { fromUs: 0, toUs: 9000 })).toEqual({
      count: 4,
      invalid: 2,
      lowestAt: 0,
      highestAt: 2,
      lastAt: 3,
      mean: 2,
    });
  });

  it('has no figures where there are no samples', () => {
    expect(statisticsOver(aSeries([1]), { fromUs: 5000, toUs: 9000 })).toEqual({
      count: 0,
      invalid: 0,
      lowestAt: null,
      highestAt: null,
      lastAt: null,
      mean: null,
    });
  });
});

describe('sampleAt', () => {
  it('finds the sample that holds at an instant', () => {
    const series = aSeries([1, 2, 3]);
    expect([500, 1000, 1999, 2000, 9000].map((us) => sampleAt(series, us))).toEqual([
      null,
      0,
      0,
      1,
      2,
    ]);
  });

  it('claims nothing inside a gap', () => {
    const series = aSeries([1, 2]);
    series.break();
    series.take(aSample(9));
    expect([1500, 2500, 9000].map((us) => sampleAt(series, us))).toEqual([0, null, 2]);
  });
});
