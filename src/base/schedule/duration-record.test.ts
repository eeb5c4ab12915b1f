import { describe, expect, it } from 'vitest';
import { DurationHistogram } from './duration-histogram.ts';
import { durationRecord, fineDurationRecord } from './duration-record.ts';

describe('durations in records', () => {
  const histogram = new DurationHistogram();
  for (let us = 1; us <= 20; us++) histogram.record(us);

  it('are told by count, median, 99th percentile and maximum', () => {
    expect(durationRecord(histogram.summary())).toEqual({ count: 20, p50: 10, p99: 20, max: 20 });
  });

  it('have one percentile more where rare runs matter, and the maximum last', () => {
    const record = fineDurationRecord(histogram.summary());
    expect(record).toEqual({ count: 20, p50: 10, p99: 20, p999: 20, max: 20 });
    expect(Object.keys(record)).toEqual(['count', 'p50', 'p99', 'p999', 'max']);
  });
});
