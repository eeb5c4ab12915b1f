import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { TimerAlarm } from './timer-alarm.ts';

/** An alarm with a timer controlled by the test. */
const setUp = () => {
  const clock = new FakeClock();
  const timer = { armed: [] as number[], closed: 0, expire: () => undefined as unknown };
  const alarm = new TimerAlarm((onExpire) => {
    timer.expire = onExpire;
    return { arm: (atUs) => timer.armed.push(atUs), close: () => (timer.closed += 1) };
  });
  const rings: number[] = [];
  alarm.onRing = () => rings.push(clock.monotonicUs());
  const startUs = clock.monotonicUs();
  return { clock, timer, alarm, rings, startUs };
};

describe('TimerAlarm', () => {
  it('rings once for an armed time that has come', () => {
    const { clock, timer, alarm, rings, startUs } = setUp();
    alarm.arm(startUs + 1000);
    expect(timer.armed).toEqual([startUs + 1000]);
    clock.advanceUs(1000);
    timer.expire();
    timer.expire();
    expect(rings).toEqual([startUs + 1000]);
  });

  it('does not ring for a time that was taken back', () => {
    const { clock, timer, alarm, rings, startUs } = setUp();
    alarm.arm(startUs + 1000);
    alarm.arm(Number.POSITIVE_INFINITY);
    clock.advanceUs(1000);
    timer.expire();
    expect(rings).toEqual([]);
    expect(timer.armed).toEqual([startUs + 1000]);
  });

  it('can be armed from inside a ring', () => {
    const { clock, timer, alarm, startUs } = setUp();
    alarm.onRing = () => alarm.arm(startUs + 3000);
    alarm.arm(startUs + 1000);
    clock.advanceUs(1000);
    timer.expire();
    expect(timer.armed).toEqual([startUs + 1000, startUs + 3000]);
  });

  it('leaves the timer alone once it was stopped', () => {
    const { timer, alarm } = setUp();
    alarm.stop();
    alarm.stop();
    alarm.arm(5);
    expect(timer).toMatchObject({ armed: [], closed: 1 });
  });
});
