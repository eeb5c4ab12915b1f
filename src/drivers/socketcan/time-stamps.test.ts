import { describe, expect, it } from 'vitest';
import { AdapterClock, MessageTimes, SystemTimeLead } from './time-stamps.ts';

describe('the lead of our time over that of the system', () => {
  it('is measured once a second, and follows a system whose time was set', () => {
    let unixUs = 5_000_000;
    let systemUs = 4_000_000;
    let readings = 0;
    const lead = new SystemTimeLead(
      () => unixUs,
      () => {
        readings += 1;
        return systemUs;
      },
    );
    expect([lead.us, lead.us, readings]).toEqual([1_000_000, 1_000_000, 1]);
    unixUs += 1_000_000;
    systemUs += 3_600_000_000;
    expect(lead.us).toBe(unixUs - systemUs);
  });
});

describe('the clock of an adapter', () => {
  it('is mapped by the frame that the kernel had soonest', () => {
    const clock = new AdapterClock();
    expect(clock.unixUs(1_000, 501_000)).toBe(501_000);
    // 40 µs sooner than the one before it: so much of that was delay.
    expect(clock.unixUs(2_000, 501_960)).toBe(501_960);
    expect(clock.unixUs(3_000, 503_500)).toBe(502_960);
  });

  it('is followed as it drifts', () => {
    const clock = new AdapterClock();
    let errorUs = 0;
    for (let second = 0; second < 600; second++) {
      const kernelUs = 1e9 + second * 1e6;
      // A hundredth of a percent slow.
      errorUs = clock.unixUs(second * 1e6 * 0.9999, kernelUs) - kernelUs;
    }
    expect(Math.abs(errorUs)).toBeLessThanOrEqual(2_000);
  });

  it('is mapped anew when it has started anew', () => {
    const clock = new AdapterClock();
    clock.unixUs(900_000_000, 1_000_000_000);
    expect(clock.unixUs(10, 1_000_100_000)).toBe(1_000_100_000);
  });
});

describe('the times of messages', () => {
  it('are those of the kernel by our clock, and never go back', () => {
    const times = new MessageTimes(
      () => 5_000_000,
      () => 4_000_000,
    );
    times.beginBatch();
    expect(times.unixUs(3_900_000, 0)).toBe(4_900_000);
    expect(times.unixUs(3_899_000, 0)).toBe(4_900_000);
    expect(times.unixUs(3_910_000, 77)).toBe(4_910_000);
    expect(times.nowUs).toBe(5_000_000);
    expect(times.lastUs).toBe(4_910_000);
    expect(times.advance()).toBe(5_000_000);
    expect(times.unixUs(3_950_000, 0)).toBe(5_000_000);
  });

  it('are our own where the kernel gives none', () => {
    const times = new MessageTimes(
      () => 5_000_000,
      () => 4_000_000,
    );
    times.beginBatch();
    expect(times.unixUs(0, 0)).toBe(5_000_000);
  });
});
