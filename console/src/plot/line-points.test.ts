import { describe, expect, it } from 'vitest';
import { SampleSeries } from '../samples/sample-series.ts';
import { aSample, aSeries } from '../samples/testing/samples.ts';
import { holdUntil, labelSpans, linePoints } from './line-points.ts';

const many = Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 1000);

describe('linePoints', () => {
  it('takes every sample of a short range, and one more at either side', () => {
    const points = linePoints(aSeries([5, 6, 7, 8, 9]), { fromUs: 2500, toUs: 3500 }, 100);
    expect([points.times, points.values]).toEqual([
      [2000, 3000, 4000],
      [6, 7, 8],
    ]);
    expect([points.low, points.high]).toEqual([6, 8]);
  });

  it('hold the latest value until an instant, but none that lies in the past', () => {
    const range = { fromUs: 1000, toUs: 9000 };
    const points = linePoints(aSeries([5, 6]), range, 100);
    holdUntil(9000, points);
    holdUntil(7000, points);
    expect([points.times, points.values]).toEqual([
      [1000, 2000, 9000],
      [5, 6, 6],
    ]);
  });

  it('takes a few corners for each column of a long range', () => {
    const points = linePoints(aSeries(many), { fromUs: 0, toUs: 20_000_000 }, 100);
    expect(points.times.length).toBeLessThanOrEqual(101 * 4);
    expect(points.times.length).toBeGreaterThan(200);
    expect(points.times).toEqual([...points.times].sort((a, b) => a - b));
  });

  it('loses no peak', () => {
    const values = many.map(() => 1);
    values[12_345] = 99;
    values[6_789] = -99;
    const points = linePoints(aSeries(values), { fromUs: 0, toUs: 20_000_000 }, 50);
    expect([points.low, points.high]).toEqual([-99, 99]);
    expect(points.times[points.values.indexOf(99)]).toBe(12_346_000);
  });

  it('finds the same corners when the range moves on a little', () => {
    const series = aSeries(many);
    const inMiddle = ({ times }: { times: number[] }) =>
      times.filter((us) => us > 6_000_000 && us < 14_000_000);
    const before = linePoints(series, { fromUs: 5_000_000, toUs: 15_000_000 }, 100);
    const after = linePoints(series, { fromUs: 5_001_000, toUs: 15_001_000 }, 100);
    expect(inMiddle(after)).toEqual(inMiddle(before));
  });

  it('ends the line before a gap, also in a crowded column', () => {
    const few = aSeries([1, 2]);
    few.break();
    few.take(aSample(3));
    expect(linePoints(few, { fromUs: 0, toUs: 9000 }, 100).breaks).toEqual([false, false, true]);
    const crowded = aSeries(many.slice(0, 5000));
    crowded.break();
    for (let at = 5001; at <= 10_000; at++) crowded.take(aSample(at));
    const { breaks, times } = linePoints(crowded, { fromUs: 0, toUs: 10_000_000 }, 10);
    expect(breaks.filter(Boolean)).toHaveLength(1);
    expect(times[breaks.indexOf(true)]).toBeLessThanOrEqual(5_001_000);
  });

  it('is not led astray by samples without a number', () => {
    const values = many.map((value, index) => (index % 3 === 0 ? null : value));
    const { low, high } = linePoints(aSeries(values), { fromUs: 0, toUs: 20_000_000 }, 40);
    const numbers = values.filter((value) => value !== null);
    expect([low, high]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
  });

  it('marks invalid samples, thinned out where they are many', () => {
    const series = new SampleSeries();
    series.bind('plan-1');
    for (let at = 1; at <= 1000; at++) series.take(aSample(at, { valid: at < 500 }));
    const { invalid } = linePoints(series, { fromUs: 0, toUs: 1_000_000 }, 100);
    expect(invalid[0]).toBe(499);
    expect(invalid.length).toBeGreaterThan(3);
    expect(invalid.length).toBeLessThan(10);
  });

  it('answers nothing of an empty series', () => {
    expect(linePoints(new SampleSeries(), { fromUs: 0, toUs: 10 }, 100).times).toEqual([]);
  });
});

describe('labelSpans', () => {
  const series = new SampleSeries();
  series.bind('plan-1');
  for (const [index, label] of ['off', 'off', 'on', 'on', 'on', 'off'].entries()) {
    series.take(aSample(index + 1, { label, value: label === 'on' ? '1' : '0' }));
  }

  it('joins samples of one name, up to the next', () => {
    expect(labelSpans(series, { fromUs: 0, toUs: 9000 }, 0)).toEqual([
      { fromUs: 1000, toUs: 3000, value: 0, label: 'off' },
      { fromUs: 3000, toUs: 6000, value: 1, label: 'on' },
      { fromUs: 6000, toUs: 6000, value: 0, label: 'off' },
    ]);
  });

  it('begins at the edge of the range, and leaves out what is too short', () => {
    expect(labelSpans(series, { fromUs: 4500, toUs: 9000 }, 1000)).toEqual([
      { fromUs: 4500, toUs: 6000, value: 1, label: 'on' },
    ]);
  });

  it('does not reach across a gap', () => {
    const broken = new SampleSeries();
    broken.bind('plan-1');
    broken.take(aSample(1, { label: 'on' }));
    broken.take(aSample(2, { label: 'on' }));
    broken.break();
    broken.take(aSample(9, { label: 'on' }));
    const spans = labelSpans(broken, { fromUs: 0, toUs: 20_000 }, 0);
    expect(spans.map(({ fromUs, toUs }) => [fromUs, toUs])).toEqual([
      [1000, 2000],
      [9000, 9000],
    ]);
  });
});
