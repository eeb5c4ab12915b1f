import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/fake-clock.ts';
import { FakeAlarm } from '../base/schedule/fake-alarm.ts';
import { Scheduler } from '../base/schedule/scheduler.ts';
import type { SendResult } from '../drivers/driver-channel.ts';
import { Batch } from './batch.ts';
import type { SendChannel } from './send-channel.ts';
import { SendLine } from './send-line.ts';

const never = Number.POSITIVE_INFINITY;

/** A line on a channel whose every answer the test writes itself. */
const setUp = () => {
  const clock = new FakeClock();
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  const listeners = new Set<() => void>();
  const channel: Pick<SendChannel, 'onOutcome' | 'onInterrupted'> = {
    onOutcome: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onInterrupted: () => () => undefined,
  };
  const line = new SendLine({ clock, scheduler }, channel as SendChannel);
  const outcome = () => {
    for (const listener of listeners) listener();
  };
  const add = (submit: () => SendResult, { count = 1, cycleUs = 0, timeoutUs = 0 } = {}) => {
    const batch = new Batch({
      submission: { submit, read: undefined },
      pace: { count, cycleUs, timeoutUs },
      startUs: clock.monotonicUs(),
      field: 'frame',
    });
    // How it ended is asked of its state and count.
    batch.response.catch(() => undefined);
    line.add(batch);
    return batch;
  };
  /** Something under way that keeps the line listening. */
  const keepBusy = () => add(() => 'accepted', { count: 2, cycleUs: 1e12, timeoutUs: never });
  return { clock, outcome, add, keepBusy };
};

describe('a frame that a full queue refuses while outcomes are reported from within the call', () => {
  const setUpRefusal = () => {
    const line = setUp();
    const answers: (() => SendResult)[] = [
      () => {
        line.outcome();
        return 'full';
      },
    ];
    let calls = 0;
    const submit = (): SendResult => {
      calls += 1;
      return answers.shift()?.() ?? 'accepted';
    };
    line.keepBusy();
    return { ...line, answers, submit, calls: () => calls };
  };

  it('is tried again at once, since there is room by now', () => {
    const { add, submit, calls } = setUpRefusal();
    const batch = add(submit, { timeoutUs: 1_000_000 });
    expect([batch.state, batch.accepted, calls()]).toEqual(['over', 1, 2]);
  });

  it('is not given up for that, even if it may not wait', () => {
    const { add, submit } = setUpRefusal();
    const batch = add(submit);
    expect([batch.state, batch.accepted]).toEqual(['over', 1]);
  });

  it('waits for the next outcome where the queue is still full without one', () => {
    const { clock, outcome, add, answers, submit, calls } = setUpRefusal();
    answers.push(() => 'full');
    const batch = add(submit, { timeoutUs: 1_000_000 });
    clock.advanceUs(1_000);
    expect([batch.state, calls()]).toEqual(['ready', 2]);
    outcome();
    clock.advanceUs(0);
    expect([batch.state, batch.accepted, calls()]).toEqual(['over', 1, 3]);
  });
});
