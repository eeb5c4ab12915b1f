import { describe, expect, it } from 'vitest';
import { CommandClock } from './command-clock.ts';

describe('CommandClock', () => {
  it('never goes back', () => {
    const clock = new CommandClock();
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
    const clock = new CommandClock();
    const before = machineUs();
    const reading = clock.monotonicUs();
    const after = machineUs();
    expect(reading).toBeGreaterThanOrEqual(before - 1);
    expect(reading).toBeLessThanOrEqual(after + 1);
  });

  it('tells Unix time in whole microseconds, anchored to the wall clock', () => {
    const earliest = Date.now();
    const unixUs = new CommandClock().unixUs();
    const latest = Date.now() + 1;
    expect(Number.isSafeInteger(unixUs)).toBe(true);
    expect(unixUs).toBeGreaterThanOrEqual(earliest * 1000 - 1);
    expect(unixUs).toBeLessThanOrEqual(latest * 1000);
  });

  it('does not call back once cancelled', async () => {
    const clock = new CommandClock();
    const calls: string[] = [];
    clock.after(1, () => calls.push('cancelled')).cancel();
    // Timers of one delay run in the order they were set in.
    await new Promise<void>((resolve) => void clock.after(1, resolve));
    expect(calls).toEqual([]);
  });
});
