import { expect, it } from 'vitest';
import { pointMs, Trend } from '../samples/trend.ts';
import { trendLine } from './trend-line.tsx';

it('is drawn again for new values, and no more often than it gets points', () => {
  const trend = new Trend();
  trend.take(1, 0);
  const first = trendLine(trend, 1000);
  trend.take(2, 50_000);
  expect(trendLine(trend, 1000 + pointMs - 1)).toBe(first);
  const second = trendLine(trend, 1000 + pointMs);
  expect(second).not.toBe(first);
  trend.take(3, 300_000);
  const third = trendLine(trend, 5000);
  expect(third).not.toBe(second);
  expect(trendLine(trend, 9000)).toBe(third);
});
