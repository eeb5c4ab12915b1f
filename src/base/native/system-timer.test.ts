import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../clock/system-clock.ts';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { openDescriptors } from '../testing/open-descriptors.ts';
import { loadSystemTimer } from './system-timer.ts';

/** Allowed difference between two clocks that are read one after the other. */
const clocksDifferUs = 1;

const timerDescriptors = (): number =>
  openDescriptors().filter((target) => target.includes('timerfd')).length;

describe.runIf(process.platform === 'linux')('a timer of the kernel', () => {
  const clock = new SystemClock();

  /** A timer whose expirations can be awaited one by one. */
  const setUp = async () => {
    const open = await loadSystemTimer(clock);
    let reported: () => void = () => undefined;
    const times: number[] = [];
    const timer = open(() => {
      times.push(clock.monotonicUs());
      reported();
    });
    onTestFinished(() => timer.close());
    const expired = (): Promise<void> =>
      new Promise((resolve) => {
        reported = resolve;
      });
    return { timer, times, expired };
  };

  it('expires once at the time that was set, and never before', async () => {
    const { timer, times, expired } = await setUp();
    for (let round = 0; round < 20; round++) {
      // Times that fall between two nanoseconds, and on both sides of a second.
      const atUs = clock.monotonicUs() + 300 + round / 7;
      timer.arm(atUs);
      await expired();
      expect(times.at(-1)).toBeGreaterThanOrEqual(atUs - clocksDifferUs);
    }
    expect(times).toHaveLength(20);
  });

  it('expires at the full second', async () => {
    const { timer, expired } = await setUp();
    // Rounded up, the nanoseconds would be a whole second, which the kernel rejects.
    timer.arm(999_999.9996);
    await expired();
  });

  it('expires for times that have gone by', async () => {
    const { timer, times, expired } = await setUp();
    for (const atUs of [0, -5, clock.monotonicUs() - 1e6]) {
      timer.arm(atUs);
      await expired();
    }
    expect(times).toHaveLength(3);
  });

  it('expires for the last time that was set alone', async () => {
    const { timer, times, expired } = await setUp();
    timer.arm(Number.MAX_SAFE_INTEGER);
    timer.arm(clock.monotonicUs() + 1e6);
    const atUs = clock.monotonicUs() + 500;
    timer.arm(atUs);
    await expired();
    expect(times).toHaveLength(1);
  });

  it('gives its descriptor back', async () => {
    const before = timerDescriptors();
    const open = await loadSystemTimer(clock);
    const timer = open(() => undefined);
    timer.arm(Number.MAX_SAFE_INTEGER);
    expect(timerDescriptors()).toBe(before + 1);
    timer.close();
    expect(timerDescriptors()).toBe(before);
  });
});

describe('a timer where the kernel has none', () => {
  const setUp = async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const open = await loadSystemTimer(clock, 'darwin');
    const timer = open(() => times.push(clock.monotonicUs()));
    return { clock, timer, times, startUs: clock.monotonicUs() };
  };

  it('expires once at the last time that was set', async () => {
    const { clock, timer, times, startUs } = await setUp();
    timer.arm(startUs + 9000);
    timer.arm(startUs + 2000);
    clock.advanceUs(20_000);
    expect(times).toEqual([startUs + 2000]);
    timer.arm(startUs);
    clock.advanceUs(0);
    expect(times).toHaveLength(2);
  });

  it('never expires once it was closed', async () => {
    const { clock, timer, times, startUs } = await setUp();
    timer.arm(startUs + 2000);
    timer.close();
    clock.advanceUs(20_000);
    expect(times).toEqual([]);
  });
});
