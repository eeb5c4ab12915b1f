import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationStatistics } from './duration-statistics.ts';

const statisticsOf = (durations: readonly number[]): DurationStatistics => {
  const statistics = new DurationStatistics();
  for (const each of durations) statistics.add(each);
  return statistics;
};

describe('DurationStatistics', () => {
  it('agrees with the whole list of durations', () => {
    const durations = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1 });
    fc.assert(
      fc.property(durations, (all) => {
        const { count, minUs, maxUs, meanUs, p99Us, jitterUs } = statisticsOf(all);
        const sorted = [...all].sort((a, b) => a - b);
        const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
        const variance = all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / all.length;
        const p99 = sorted[Math.ceil(0.99 * all.length) - 1] as number;
        expect({ count, minUs, maxUs }).toEqual({
          count: all.length,
          minUs: sorted[0],
          maxUs: sorted.at(-1),
        });
        expect(meanUs).toBeCloseTo(mean, 3);
        expect(Math.abs(jitterUs - Math.sqrt(variance))).toBeLessThan(1e-6 * (1 + mean));
        expect(p99Us).toBeGreaterThanOrEqual(p99);
        expect(p99Us).toBeLessThanOrEqual(Math.min(maxUs, p99 + p99 / 32 + 1));
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('has a copy that later durations do not change', () => {
    const statistics = statisticsOf([10, 20]);
    const copy = statistics.copy();
    statistics.add(1000);
    expect(copy).toMatchObject({ count: 2, minUs: 10, maxUs: 20, meanUs: 15, jitterUs: 5 });
    expect(statistics).toMatchObject({ count: 3, maxUs: 1000 });
  });
});
