import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { AdapterClock, KernelClock, MessageTimes } from './raw-frame.ts';

/** The daemon's clock and the system time, which differs by the applied corrections. */
const clockPair = (clock = new FakeClock({ startUs: 1_000_000, unixStartUs: 5_000_000 })) => {
  let setUs = 0;
  let readings = 0;
  const kernelNowUs = (): number => clock.monotonicUs() + clock.unixOffsetUs + setUs;
  const kernel = new KernelClock(clock, () => {
    readings += 1;
    return kernelNowUs();
  });
  const set = (byUs: number): void => {
    setUs += byUs;
  };
  return { clock, kernel, kernelNowUs, set, readings: () => readings };
};

describe('the offset of the clock by which the kernel stamps', () => {
  it('is measured once a second, and follows a time of day that was set', () => {
    const { clock, kernel, set, readings } = clockPair();
    kernel.follow();
    expect([kernel.offsetUs, kernel.bracketUs, readings()]).toEqual([0, 0, 1]);
    set(3_600_000_000);
    clock.advanceUs(999_999);
    kernel.follow();
    expect([kernel.offsetUs, readings()]).toEqual([0, 1]);
    clock.advanceUs(1);
    kernel.follow();
    expect(kernel.offsetUs).toBe(-3_600_000_000);
  });

  it('is within its bracket on a machine that interrupts the readings', () => {
    const random = seededRandom(3);
    const clock = new FakeClock({ startUs: 1_000_000, unixStartUs: 1_700_000_000_000_000 });
    const interrupted = (): void =>
      clock.spendUs(random() < 0.3 ? random() * 12_000 : random() * 90);
    const busy = {
      ...clock,
      unixOffsetUs: clock.unixOffsetUs,
      unixBracketUs: 6,
      unixUs: () => clock.unixUs(),
      after: clock.after.bind(clock),
      monotonicUs: () => {
        interrupted();
        return clock.monotonicUs();
      },
    };
    const kernel = new KernelClock(busy, () => {
      interrupted();
      return clock.monotonicUs() + clock.unixOffsetUs;
    });
    for (let second = 0; second < 20; second++) {
      expect(Math.abs(kernel.offsetUs)).toBeLessThanOrEqual(kernel.bracketUs / 2 + 1);
      clock.spendUs(1_000_000);
      kernel.follow();
    }
    expect(kernel.bracketUs).toBeLessThan(60);
    expect(kernel.bracketUs).toBeGreaterThanOrEqual(6);
  });
});

describe('the clock of an adapter', () => {
  it('is mapped by the frame that the kernel had soonest', () => {
    const clock = new AdapterClock();
    expect(clock.unixUs(1_000, 501_000)).toBe(501_000);
    // 40 µs earlier than the previous one: that part was delay.
    expect(clock.unixUs(2_000, 501_960)).toBe(501_960);
    expect(clock.unixUs(3_000, 503_500)).toBe(502_960);
  });

  it('is followed as it drifts', () => {
    const clock = new AdapterClock();
    let errorUs = 0;
    for (let second = 0; second < 600; second++) {
      const kernelUs = 1e9 + second * 1e6;
      // A clock that is slow by 0.01 %.
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
    const { kernel, set } = clockPair();
    set(-1_000_000);
    kernel.check();
    const times = new MessageTimes(kernel);
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
    const times = new MessageTimes(clockPair().kernel);
    times.beginBatch();
    expect(times.unixUs(0, 0)).toBe(5_000_000);
  });

  it.each([3_600_000_000, -3_600_000_000])(
    'are right from the first message after the time of day was set by %d µs',
    (byUs) => {
      const { clock, kernel, kernelNowUs, set } = clockPair(new FakeClock());
      const times = new MessageTimes(kernel);
      const receive = (): number => {
        const kernelUs = kernelNowUs();
        clock.advanceUs(40);
        times.beginBatch();
        return clock.unixUs() - 40 - times.unixUs(kernelUs, 0);
      };
      expect(receive()).toBe(0);
      set(byUs);
      clock.advanceUs(1_000);
      expect([receive(), receive()]).toEqual([0, 0]);
    },
  );

  it('read the clocks once for a batch at most, whatever its stamps are', () => {
    const { kernel, kernelNowUs, readings } = clockPair();
    const times = new MessageTimes(kernel);
    times.beginBatch();
    times.unixUs(kernelNowUs(), 0);
    const before = readings();
    for (let message = 1; message < 100; message++) times.unixUs(kernelNowUs() - message, 0);
    expect(readings() - before).toBe(1);
  });
});
