import { describe, expect, it } from 'vitest';
import { timeLimitOf, timeLimitsOf, unixLimitsOf } from './time-limit.ts';

describe('a time limit', () => {
  it.each([
    ['12.5s', 12_500_000, true],
    ['500ms', 500_000, true],
    ['0s', 0, true],
    ['2min', 120_000_000, true],
    ['1.000001s', 1_000_001, true],
    ['2026-01-01', 1_767_225_600_000_000, false],
    ['2026-01-01T00:00:00.000250Z', 1_767_225_600_000_250, false],
    ['2026-01-01 01:00+01:00', 1_767_225_600_000_000, false],
  ])('reads %s', (text, us, isRelative) => {
    expect(timeLimitOf(text, 'from')).toEqual({ us, isRelative });
  });

  it.each(['', '5', 's', '-1s', '1e3s', '12.5 s', '2026-02-30', '2026-01-01T25:00:00Z', 'now'])(
    'refuses %j and names the field',
    (text) => {
      expect(() => timeLimitOf(text, 'to')).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          details: expect.objectContaining({ field: 'to' }),
        }),
      );
    },
  );

  it('compares a date with a time from the first event once that is known', () => {
    const limits = timeLimitsOf('1s', '2026-01-01');
    const first = 1_767_225_600_000_000;
    expect(() => unixLimitsOf(limits, first)).toThrow(
      'to must be later than the start of the part',
    );
    expect(unixLimitsOf(limits, first - 2_000_000)).toEqual({
      fromUs: first - 1_000_000,
      toUs: first,
    });
  });
});
