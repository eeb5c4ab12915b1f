import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPeriod, skippedPeriods } from './period.ts';

describe('a period', () => {
  it.each([
    ['on time', 5000, 6000, 0],
    ['late by less than a period', 5999, 6000, 0],
    ['late by exactly a period', 6000, 7000, 1],
    ['late by several periods', 8700, 9000, 3],
    ['early', 4000, 6000, 0],
  ])('served %s goes on where the grid says', (_case, nowUs, nextUs, skipped) => {
    expect(nextPeriod(5000, 1000, nowUs)).toBe(nextUs);
    expect(skippedPeriods(5000, 1000, nowUs)).toBe(skipped);
  });

  it('always comes after now, on the grid, with nothing left out between', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: 2 ** 36 }),
        (dueUs, periodUs, lateUs) => {
          const nowUs = dueUs + lateUs;
          const nextUs = nextPeriod(dueUs, periodUs, nowUs);
          expect(nextUs).toBeGreaterThan(nowUs);
          expect(nextUs - periodUs).toBeLessThanOrEqual(nowUs);
          expect(nextUs).toBe(dueUs + (skippedPeriods(dueUs, periodUs, nowUs) + 1) * periodUs);
        },
      ),
      { seed: 1 },
    );
  });

  it('comes after now even where a fraction of a microsecond is rounded away', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2 ** 40, noNaN: true }),
        fc.double({ min: 0.5, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 1000 }),
        (dueUs, periodUs, periodsLate) => {
          const nowUs = dueUs + periodsLate * periodUs;
          expect(nextPeriod(dueUs, periodUs, nowUs)).toBeGreaterThan(nowUs);
        },
      ),
      { seed: 1 },
    );
  });
});
