import { describe, expect, it } from 'vitest';
import { durationRecord, fineDurationRecord } from './duration-record.ts';

describe('durations in records', () => {
  const summary = { count: 1000, p50Us: 12, p99Us: 34, p999Us: 56, maxUs: 78 };

  it('are told by count, median, 99th percentile and maximum', () => {
    expect(durationRecord(summary)).toEqual({ count: 1000, p50: 12, p99: 34, max: 78 });
  });

  it('have one percentile more where rare runs matter, and the maximum last', () => {
    const record = fineDurationRecord(summary);
    expect(Object.entries(record)).toEqual([
      ['count', 1000],
      ['p50', 12],
      ['p99', 34],
      ['p999', 56],
      ['max', 78],
    ]);
  });
});
