import { describe, expect, it } from 'vitest';
import { EventTime } from './event-time.ts';

const timesOf = (style: ConstructorParameters<typeof EventTime>[0], times: number[]): string[] => {
  const time = new EventTime(style);
  return times.map((us) => time.of(us));
};

const start = 1_699_999_999_123_456;

describe('EventTime', () => {
  it('is in Unix seconds unless told otherwise', () => {
    expect(timesOf(undefined, [start, start + 1])).toEqual([
      '(1699999999.123456)',
      '(1699999999.123457)',
    ]);
  });

  it('is a date in UTC down to the microsecond', () => {
    expect(timesOf('date', [start, 7])).toEqual([
      '(2023-11-14T22:13:19.123456Z)',
      '(1970-01-01T00:00:00.000007Z)',
    ]);
  });

  it('counts from the first line', () => {
    expect(timesOf('relative', [start, start + 1500, start + 2_000_001])).toEqual([
      '(000.000000)',
      '(000.001500)',
      '(002.000001)',
    ]);
  });

  it('counts from the line before, also where the clocks of two channels disagree', () => {
    expect(timesOf('delta', [start, start + 1500, start + 1490, start + 1_234_001_490])).toEqual([
      '(000.000000)',
      '(000.001500)',
      '(-000.000010)',
      '(1234.000000)',
    ]);
  });
});
