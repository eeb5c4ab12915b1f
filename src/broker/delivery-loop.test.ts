import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { DeliveryLoop } from './reader-hub.ts';
import { SilentBell } from './testing/silent-bell.ts';

/** A loop over records that a test adds to `waiting`; each pass delivers one. */
const openLoop = () => {
  const clock = new FakeClock();
  const bell = new SilentBell();
  const bench = { waiting: 0, writers: 0b10, duringPass: (): void => {} };
  const loop = new DeliveryLoop({
    clock,
    bell,
    writers: () => bench.writers,
    pass: () => {
      bench.duringPass();
      if (bench.waiting === 0) return false;
      bench.waiting--;
      bell.log.push(`deliver @${clock.monotonicUs() / 1000}`);
      return true;
    },
  });
  const news = (): string[] => bell.log.splice(0);
  return { clock, bell, bench, loop, news };
};

describe('DeliveryLoop', () => {
  it('sleeps while there is nothing', () => {
    const { clock, loop, news } = openLoop();
    loop.start();
    clock.advanceUs(1_000_000);
    expect(news()).toEqual(['arm 2', 'sleep']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('delivers at once when woken, then every millisecond until a pass is empty, then sleeps', () => {
    const { clock, bell, bench, loop, news } = openLoop();
    loop.start();
    news();
    bench.waiting = 3;
    bell.ring();
    expect(news()).toEqual(['disarm', 'deliver @0']);
    clock.advanceUs(999);
    expect(news()).toEqual([]);
    clock.advanceUs(1);
    expect(news()).toEqual(['deliver @1']);
    clock.advanceUs(10_000);
    expect(news()).toEqual(['deliver @2', 'arm 2', 'sleep']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not sleep through what came while it was arming', () => {
    const { clock, bell, bench, loop, news } = openLoop();
    const arm = bell.arm.bind(bell);
    bell.arm = (writers) => {
      arm(writers);
      bench.waiting = 1;
      bell.arm = arm;
    };
    loop.start();
    expect(news()).toEqual(['arm 2', 'deliver @0', 'disarm']);
    clock.advanceUs(1000);
    expect(news()).toEqual(['arm 2', 'sleep']);
  });

  it('looks at once when nudged asleep, and asks the writers of that moment', () => {
    const { bench, loop, news } = openLoop();
    loop.start();
    news();
    bench.writers = 0b110;
    loop.wake();
    expect(news()).toEqual(['disarm', 'arm 6', 'sleep']);
  });

  it('keeps its millisecond when nudged under load', () => {
    const { clock, bench, loop, news } = openLoop();
    bench.waiting = 2;
    loop.start();
    loop.wake();
    loop.start();
    expect(news()).toEqual(['deliver @0']);
    clock.advanceUs(1000);
    expect(news()).toEqual(['deliver @1']);
  });

  it.each(['asleep', 'under load', 'in a pass', 'in the pass before sleep'])(
    'stops for good when %s',
    (when) => {
      const { clock, bell, bench, loop, news } = openLoop();
      if (when === 'under load') bench.waiting = 5;
      let passes = 0;
      bench.duringPass = () => {
        passes++;
        if (when === 'in a pass' || (when === 'in the pass before sleep' && passes === 2))
          loop.stop();
      };
      loop.start();
      loop.stop();
      const asked = news();
      expect(asked.filter((entry) => entry.startsWith('arm')).length).toBe(
        asked.filter((entry) => entry === 'disarm').length,
      );
      bench.waiting = 5;
      bell.ring();
      loop.wake();
      clock.advanceUs(10_000);
      expect(news()).toEqual([]);
      expect(clock.pendingTimers).toBe(0);
    },
  );
});
