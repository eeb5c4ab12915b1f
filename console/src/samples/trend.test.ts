import { describe, expect, it } from 'vitest';
import { Trend, trendPoints } from './trend.ts';

describe('Trend', () => {
  it('joins what comes fast into one point with its whole range', () => {
    const trend = new Trend();
    for (const [us, value] of [
      [0, 5],
      [100_000, 9],
      [200_000, 1],
      [260_000, 4],
    ] as const) {
      trend.take(value, us);
    }
    expect([trend.length, trend.pointAt(0), trend.pointAt(1)]).toEqual([
      2,
      { low: 1, high: 9 },
      { low: 4, high: 4 },
    ]);
  });

  it('keeps the newest points only', () => {
    const trend = new Trend();
    for (let at = 0; at < trendPoints + 5; at++) trend.take(at, at * 1_000_000);
    expect([trend.length, trend.pointAt(0).low, trend.pointAt(trendPoints - 1).low]).toEqual([
      trendPoints,
      5,
      trendPoints + 4,
    ]);
  });

  it('passes over what is no number', () => {
    const trend = new Trend();
    trend.take(Number.NaN, 0);
    expect(trend.length).toBe(0);
  });
});
