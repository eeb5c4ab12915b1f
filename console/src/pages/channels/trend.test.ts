import { describe, expect, it } from 'vitest';
import { Trend, trendSeconds } from './trend.ts';

describe('a trend', () => {
  it('holds one point a second, the newest of each', () => {
    const trend = new Trend();
    trend.take(1, 10_000);
    trend.take(2, 10_900);
    trend.take(3, 11_100);
    expect(trend.values).toEqual([2, 3]);
  });

  it('bridges a short pause with the value before it', () => {
    const trend = new Trend();
    trend.take(5, 0);
    trend.take(7, 3000);
    expect(trend.values).toEqual([5, 5, 5, 7]);
  });

  it('leaves a hole where it was not read for long', () => {
    const trend = new Trend();
    trend.take(5, 0);
    trend.take(7, 8000);
    expect(trend.values).toEqual([5, ...Array(7).fill(Number.NaN), 7]);
  });

  it('begins anew after a pause longer than all it can hold', () => {
    const trend = new Trend();
    trend.take(5, 0);
    trend.take(7, trendSeconds * 1000);
    expect(trend.values).toEqual([7]);
  });

  it('forgets the oldest points first', () => {
    const trend = new Trend();
    for (let second = 0; second < trendSeconds + 10; second += 1) trend.take(second, second * 1000);
    expect(trend.values).toHaveLength(trendSeconds);
    expect(trend.values[0]).toBe(10);
  });

  it('survives a clock that is set back', () => {
    const trend = new Trend();
    trend.take(1, 60_000);
    trend.take(2, 20_000);
    trend.take(3, 21_000);
    expect(trend.values).toEqual([2, 3]);
  });
});
