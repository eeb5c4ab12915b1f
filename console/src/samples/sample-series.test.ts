import { describe, expect, it } from 'vitest';
import { SampleSeries } from './sample-series.ts';
import { aSample, aSeries } from './testing/samples.ts';

const textsOf = (series: SampleSeries) =>
  Array.from({ length: series.length }, (_, index) => series.textAt(index));

describe('SampleSeries', () => {
  it('keeps the exact text of a value that no number can hold', () => {
    const series = aSeries(['0.1000', '18446744073709551615', '5', null]);
    expect(textsOf(series)).toEqual(['0.1000', '18446744073709551615', '5', null]);
    expect([series.valueAt(0), series.valueAt(2), series.valueAt(3)]).toEqual([0.1, 5, Number.NaN]);
  });

  it('refuses a sample that it has had', () => {
    const series = aSeries([1, 2, 3]);
    expect(series.take(aSample(3))).toBe(false);
    expect(series.take(aSample(2))).toBe(false);
    expect(series.take(aSample(4))).toBe(true);
    expect(series.length).toBe(4);
  });

  it('refuses samples of a plan that it is not bound to', () => {
    const series = aSeries([1]);
    expect(series.take(aSample(2, { plan_id: 'plan-2' }))).toBe(false);
    expect(series.length).toBe(1);
  });

  it('goes on with a new plan whose sequence begins anew, with a gap between', () => {
    const series = aSeries([1, 2]);
    expect(series.bind('plan-1')).toBe(false);
    expect(series.bind('plan-2')).toBe(true);
    expect(series.take(aSample(1, { plan_id: 'plan-2', timestamp_us: 9000 }))).toBe(true);
    expect([0, 1, 2].map((index) => series.followsGapAt(index))).toEqual([false, false, true]);
    expect(series.lastSequence).toBe(1);
  });

  it('marks only the first sample behind a gap', () => {
    const series = aSeries([1, 2]);
    series.break();
    series.take(aSample(7));
    series.take(aSample(8));
    expect([1, 2, 3].map((index) => series.followsGapAt(index))).toEqual([false, true, false]);
  });

  it('takes silence for a gap, unless values hold, and tells when the latest one is no longer current', () => {
    const series = aSeries([1, 2, 3]);
    series.take(aSample(9000));
    series.take(aSample(9001));
    expect([1, 2, 3, 4].map((index) => series.followsGapAt(index))).toEqual([
      ...[false, false, true, false],
    ]);
    expect([9_201_000, 9_201_001].map((us) => series.isSilentAt(us))).toEqual([false, true]);
    series.cycleUs = 5_000_000;
    expect([series.followsGapAt(3), series.isSilentAt(9_201_001)]).toEqual([false, false]);
    series.cycleUs = null;
    series.isHeld = true;
    expect([series.followsGapAt(3), series.isSilentAt(9_201_001)]).toEqual([false, false]);
    expect(new SampleSeries().isSilentAt(1e15)).toBe(false);
  });

  it('puts older samples before live ones that came first, each once', () => {
    const series = new SampleSeries();
    series.bind('plan-1');
    series.beginFill();
    series.take(aSample(3));
    series.take(aSample(4));
    expect(series.length).toBe(0);
    series.endFill([aSample(1), aSample(2), aSample(3)]);
    expect(textsOf(series)).toEqual(['1', '2', '3', '4']);
  });

  it('never holds more than its limit, and sheds the oldest', () => {
    const series = aSeries(
      Array.from({ length: 2500 }, (_, index) => `${index}.50`),
      1000,
    );
    expect(series.length).toBeLessThanOrEqual(1000);
    expect(series.length).toBeGreaterThanOrEqual(900);
    expect(series.textAt(series.length - 1)).toBe('2499.50');
    expect(series.textAt(0)).toBe(`${2500 - series.length}.50`);
    expect(series.timeAt(0)).toBe((2500 - series.length + 1) * 1000);
  });

  it('finds how many points are not later than an instant', () => {
    const series = aSeries([1, 2, 3]);
    expect([999, 1000, 1500, 3000, 9000].map((us) => series.countUntil(us))).toEqual([
      0, 1, 1, 3, 3,
    ]);
  });

  it('keeps times in order when a clock was set back', () => {
    const series = aSeries([1, 2]);
    series.take(aSample(3, { timestamp_us: 500 }));
    expect(series.timeAt(2)).toBe(2000);
  });

  it('knows by its samples whether values have names', () => {
    const series = aSeries([0]);
    expect(series.isLabelled).toBe(false);
    series.take(aSample(2, { value: '3', label: 'third' }));
    series.take(aSample(3, { value: '4', label: 'fourth' }));
    expect(series.isLabelled).toBe(true);
    expect([0, 1, 2].map((index) => series.labelAt(index))).toEqual([null, 'third', 'fourth']);
  });

  it('is stale until a fresh sample comes', () => {
    const series = aSeries([1]);
    series.isStale = true;
    series.take(aSample(1));
    expect(series.isStale).toBe(true);
    series.take(aSample(2));
    expect(series.isStale).toBe(false);
  });

  it('forgets its points when cleared, but not what it has had', () => {
    const series = aSeries(['1.0', '2.0']);
    series.clear();
    expect([series.length, series.latest, series.trend.length]).toEqual([0, null, 0]);
    expect(series.take(aSample(2))).toBe(false);
    series.take(aSample(3));
    expect(textsOf(series)).toEqual(['3']);
    expect(series.followsGapAt(0)).toBe(false);
  });
});
