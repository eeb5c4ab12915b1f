import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationHistogram } from './duration-histogram.ts';

const histogramOf = (samples: readonly number[]): DurationHistogram => {
  const histogram = new DurationHistogram();
  for (const sample of samples) histogram.record(sample);
  return histogram;
};

describe('DurationHistogram', () => {
  it('gives quantiles of durations that are too long for its buckets', () => {
    const hour = 3_600_000_000;
    expect(histogramOf([hour, hour + 5]).quantileUs(0.99)).toBe(hour + 5);
    expect(histogramOf([5, hour]).quantileUs(0.5)).toBe(6);
  });

  it('answers zero without samples', () => {
    expect(new DurationHistogram().summary()).toEqual({
      count: 0,
      p50Us: 0,
      p99Us: 0,
      p999Us: 0,
      maxUs: 0,
    });
  });

  it('gives quantiles at most a microsecond or a thirty-second above the true ones', () => {
    const duration = fc.oneof(
      fc.double({ min: 0, max: 200, noNaN: true }),
      fc.double({ min: 0, max: 2 ** 31 - 1, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (samples, share) => {
          const sorted = samples.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(share * samples.length)) - 1] ?? 0;
          const answered = histogramOf(samples).quantileUs(share);
          expect(answered).toBeGreaterThanOrEqual(exact);
          expect(answered).toBeLessThanOrEqual(Math.max(exact + 1, exact * (1 + 1 / 32) + 1));
        },
      ),
      { seed: 1 },
    );
  });

  it('keeps the count and the maximum', () => {
    expect(histogramOf([3.5, 1200.25, 7])).toMatchObject({ count: 3, maxUs: 1201 });
  });

  it('never answers more than the maximum', () => {
    expect(histogramOf([1000.5]).summary()).toMatchObject({ p50Us: 1001, p99Us: 1001 });
  });

  it('answers whole microseconds, whatever the clock reads', () => {
    const duration = fc.double({ min: 0, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(duration, { maxLength: 50 }), (samples) => {
        const { p50Us, p99Us, p999Us, maxUs } = histogramOf(samples).summary();
        expect([p50Us, p99Us, p999Us, maxUs].every(Number.isInteger)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it('counts early as on time', () => {
    expect(histogramOf([-5, -0.1]).summary()).toEqual({
      count: 2,
      p50Us: 0,
      p99Us: 0,
      p999Us: 0,
      maxUs: 0,
    });
  });

  it('holds samples beyond its range in the last bucket', () => {
    const histogram = histogramOf([10, 2 ** 40]);
    expect(histogram.maxUs).toBe(2 ** 40);
    expect(histogram.quantileUs(0.5)).toBe(11);
    expect(histogram.quantileUs(1)).toBe(2 ** 40);
  });

  it('tells one late run in a thousand from the rest', () => {
    const histogram = histogramOf([...Array(998).fill(10), 500, 500]);
    expect(histogram.summary()).toMatchObject({ p99Us: 11, p999Us: 500, maxUs: 500 });
  });

  it('counts what others have counted', () => {
    const histogram = histogramOf([10, 20]);
    histogram.add(histogramOf([700]));
    histogram.add(new DurationHistogram());
    expect(histogram.summary()).toEqual(histogramOf([10, 20, 700]).summary());
  });

  it('starts over after a reset', () => {
    const histogram = histogramOf([100, 200]);
    histogram.reset();
    histogram.record(4);
    expect(histogram.summary()).toEqual({ count: 1, p50Us: 4, p99Us: 4, p999Us: 4, maxUs: 4 });
  });
});
