import { expect, it } from 'vitest';
import type { Clock } from '../clock.ts';

/** Requirements on every real clock. `slackUs`: allowed error of its origin. */
export const clockSuite = (create: () => Clock, slackUs: number): void => {
  it('never goes back', () => {
    const clock = create();
    let last = clock.monotonicUs();
    let backwards = 0;
    for (let reading = 0; reading < 100_000; reading++) {
      const now = clock.monotonicUs();
      if (now < last) backwards++;
      last = now;
    }
    expect(backwards).toBe(0);
  });

  it('counts microseconds of the machine’s monotonic clock', () => {
    const machineUs = (): number => Number(process.hrtime.bigint()) / 1000;
    const clock = create();
    const before = machineUs();
    const reading = clock.monotonicUs();
    const after = machineUs();
    expect(reading).toBeGreaterThanOrEqual(before - slackUs);
    expect(reading).toBeLessThanOrEqual(after + slackUs);
  });

  it('returns Unix time in whole microseconds, anchored to the wall clock', () => {
    const earliest = Date.now();
    const unixUs = create().unixUs();
    const latest = Date.now() + 1;
    expect(Number.isSafeInteger(unixUs)).toBe(true);
    expect(unixUs).toBeGreaterThanOrEqual(earliest * 1000 - 1);
    expect(unixUs).toBeLessThanOrEqual(latest * 1000);
  });
};
