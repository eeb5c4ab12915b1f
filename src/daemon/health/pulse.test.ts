import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { startPulse } from './pulse.ts';

const setUp = () => {
  const clock = new FakeClock();
  const onError = (error: unknown): void => {
    throw error;
  };
  return { clock, scheduler: new Scheduler({ clock, alarm: new FakeAlarm(clock), onError }) };
};

describe('the pulse of the bench thread', () => {
  it('has ten deadlines a second, so that there is lateness to tell', () => {
    const { clock, scheduler } = setUp();
    startPulse(scheduler, clock, undefined);
    clock.advanceUs(1_000_000);
    expect(scheduler.lateness.summary().count).toBe(10);
  });

  it('tells the service manager at once, and each period of its own', () => {
    const { clock, scheduler } = setUp();
    let reported = 0;
    startPulse(scheduler, clock, { periodUs: 300_000, alive: () => void reported++ });
    clock.advanceUs(1_000_000);
    expect(reported).toBe(4);
  });
});
