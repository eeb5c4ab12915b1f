import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { PolledBell } from './doorbell.ts';

const setUp = () => {
  const clock = new FakeClock();
  const calls: string[] = [];
  return {
    clock,
    calls,
    bell: new PolledBell(clock),
    call: (name: string) => () => calls.push(name),
  };
};

describe('PolledBell', () => {
  it('wakes its thread after a moment, once, though nobody rings', () => {
    const { clock, calls, bell, call } = setUp();
    bell.arm();
    bell.sleep(call('look'));
    expect(calls).toEqual([]);
    clock.advanceUs(2000);
    clock.advanceUs(10_000);
    expect(calls).toEqual(['look']);
  });

  it('does not wake one that was disarmed', () => {
    const { clock, calls, bell, call } = setUp();
    bell.sleep(call('look'));
    bell.disarm();
    clock.advanceUs(10_000);
    expect(calls).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('calls only whom it was told last', () => {
    const { clock, calls, bell, call } = setUp();
    bell.sleep(call('first'));
    bell.sleep(call('second'));
    clock.advanceUs(10_000);
    expect(calls).toEqual(['second']);
  });
});
