import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationHistogram } from '../durations/duration-histogram.ts';
import { LatenessWindow } from './scheduler.ts';

const second = 1_000_000;

describe('LatenessWindow', () => {
  it('answers zero without samples, whatever the time', () => {
    const summary = new LatenessWindow().summary(123_456 * second);
    expect(summary).toEqual(new DurationHistogram().summary());
  });

  it('forgets the worst when it is a minute old, and not five seconds before', () => {
    const window = new LatenessWindow();
    window.record(9000, 100 * second);
    window.record(20, 102 * second);
    expect(window.summary(154 * second)).toMatchObject({ count: 2, maxUs: 9000 });
    expect(window.summary(160 * second)).toMatchObject({ count: 0, maxUs: 0 });
  });

  it('keeps what came later when older samples leave', () => {
    const window = new LatenessWindow();
    window.record(9000, 100 * second);
    window.record(50, 130 * second);
    window.record(40, 158 * second);
    expect(window.summary(161 * second)).toMatchObject({ count: 2, maxUs: 50 });
  });

  it('starts over after a time in which nothing was due', () => {
    const window = new LatenessWindow();
    for (let at = 0; at < 60; at++) window.record(500, at * second);
    window.record(7, 86_400 * second);
    expect(window.summary(86_400 * second)).toMatchObject({ count: 1, maxUs: 7 });
  });

  it('counts everything of the last 55 seconds and nothing older than a minute', () => {
    const steps = fc.array(fc.record({ afterUs: fc.nat(20 * second), lateUs: fc.nat(100_000) }));
    fc.assert(
      fc.property(fc.nat(1000 * second), steps, (startUs, taken) => {
        const window = new LatenessWindow();
        const samples: { atUs: number; lateUs: number }[] = [];
        let atUs = startUs;
        for (const { afterUs, lateUs } of taken) {
          atUs += afterUs;
          samples.push({ atUs, lateUs });
          window.record(lateUs, atUs);
        }
        const youngerThan = (ageUs: number) => samples.filter((each) => atUs - each.atUs < ageUs);
        const { count, maxUs } = window.summary(atUs);
        expect(count).toBeGreaterThanOrEqual(youngerThan(55 * second).length);
        expect(count).toBeLessThanOrEqual(youngerThan(60 * second).length);
        const latest = samples.slice(samples.length - count).map(({ lateUs }) => lateUs);
        expect(maxUs).toBe(Math.max(0, ...latest));
      }),
      { seed: 1 },
    );
  });
});
