import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { PlotSeries } from './plot-series.ts';

describe('PlotSeries', () => {
  it('keeps single values while there is room', () => {
    const series = new PlotSeries();
    for (const value of [3, 1, 2]) series.add(value * 1000, value);
    // The second value is older than the first one and is merged with it.
    expect(series.points).toEqual([{ time_us: 3, min: 1, max: 3 }]);
    series.add(9000, 9);
    expect(series.points.at(-1)).toEqual({ time_us: 9, min: 9, max: 9 });
  });

  it('merges values of the same time', () => {
    const series = new PlotSeries();
    for (let value = 0; value < 5000; value++) series.add(0, value);
    expect(series.points.length).toBeLessThanOrEqual(512);
    expect(series.points.at(-1)?.max).toBe(4999);
  });

  it('never has more than 512 points, in order of time, that contain every extreme value', () => {
    const step = fc.oneof(fc.nat(1000), fc.nat(1e9));
    const values = fc.array(fc.tuple(step, fc.integer()), { minLength: 1, maxLength: 4000 });
    fc.assert(
      fc.property(values, (given) => {
        const series = new PlotSeries();
        let timeNs = 0;
        for (const [pauseNs, value] of given) {
          timeNs += pauseNs;
          series.add(timeNs, value);
        }
        const { points } = series;
        expect(points.length).toBeLessThanOrEqual(512);
        const times = points.map(({ time_us }) => time_us);
        expect(times).toEqual([...times].sort((one, other) => one - other));
        const all = given.map(([, value]) => value);
        expect(Math.min(...points.map(({ min }) => min))).toBe(Math.min(...all));
        expect(Math.max(...points.map(({ max }) => max))).toBe(Math.max(...all));
      }),
      { numRuns: cases(50, 500) },
    );
  });
});
