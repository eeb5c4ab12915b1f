import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../clock/testing/fake-clock.ts';
import { FakeAlarm } from './fake-alarm.ts';

const setUp = (startUs = 0) => {
  const clock = new FakeClock({ startUs });
  const alarm = new FakeAlarm(clock);
  const ringsUs: number[] = [];
  alarm.onRing = () => ringsUs.push(clock.monotonicUs());
  return { clock, alarm, ringsUs };
};

describe('FakeAlarm', () => {
  const ticks = fc.oneof(fc.nat({ max: 1000 }), fc.integer({ min: 0, max: 2 ** 50 }));

  it('rings once, exactly at the armed microsecond or fraction of one', () => {
    fc.assert(
      fc.property(ticks, ticks, (startTicks, delayTicks) => {
        const startUs = startTicks / 1024;
        const delayUs = delayTicks / 1000;
        const { clock, alarm, ringsUs } = setUp(startUs);
        const atUs = startUs + delayUs;
        alarm.arm(atUs);
        clock.advanceUs(2 * delayUs + 1);
        expect(ringsUs).toEqual([atUs]);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  it('rings for the latest arm only', () => {
    const { clock, alarm, ringsUs } = setUp();
    alarm.arm(100);
    alarm.arm(300);
    clock.advanceToUs(200);
    alarm.arm(250);
    clock.advanceToUs(1000);
    expect(ringsUs).toEqual([250]);
  });

  it('rings for a time that has passed as soon as the clock is moved', () => {
    const { clock, alarm, ringsUs } = setUp(500);
    alarm.arm(100);
    expect(ringsUs).toEqual([]);
    clock.advanceUs(0);
    expect(ringsUs).toEqual([500]);
  });

  it('can be armed again while ringing', () => {
    const { clock, alarm, ringsUs } = setUp();
    alarm.onRing = () => {
      ringsUs.push(clock.monotonicUs());
      if (ringsUs.length < 3) alarm.arm(clock.monotonicUs() + 1001);
    };
    alarm.arm(1001);
    clock.advanceToUs(10_000);
    expect(ringsUs).toEqual([1001, 2002, 3003]);
  });
});
