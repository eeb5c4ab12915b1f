import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';

/** Sets timers that record their name and expiry time in milliseconds. */
const recorder = (clock: FakeClock) => {
  const log: string[] = [];
  const set = (name: string, delayMs: number) =>
    clock.after(delayMs, () => log.push(`${name}@${clock.monotonicUs() / 1000}`));
  return { log, set };
};

describe('FakeClock', () => {
  it('stands still until it is told to move', () => {
    const clock = new FakeClock({ startUs: 5_000, unixStartUs: 1_000_000 });
    expect([clock.monotonicUs(), clock.unixUs()]).toEqual([5_000, 1_000_000]);
    clock.advanceUs(250);
    expect([clock.monotonicUs(), clock.unixUs()]).toEqual([5_250, 1_000_250]);
    clock.advanceToUs(6_000);
    expect([clock.monotonicUs(), clock.unixUs()]).toEqual([6_000, 1_001_000]);
  });

  it('never goes back', () => {
    const clock = new FakeClock({ startUs: 100 });
    clock.advanceToUs(50);
    clock.advanceUs(-50);
    expect(clock.monotonicUs()).toBe(100);
  });

  it('gives Unix time in whole microseconds', () => {
    const clock = new FakeClock({ unixStartUs: 1_000 });
    clock.advanceUs(0.75);
    expect(clock.unixUs()).toBe(1_000);
  });

  it('runs timers in the order of their times, each at its own time', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    set('late', 30);
    set('early', 10);
    set('middle', 20);
    clock.advanceUs(100_000);
    expect(log).toEqual(['early@10', 'middle@20', 'late@30']);
    expect(clock.monotonicUs()).toBe(100_000);
  });

  it('runs timers of the same time in the order they were set in', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    for (const name of ['a', 'b', 'c', 'd']) set(name, 5);
    clock.advanceUs(5_000);
    expect(log).toEqual(['a@5', 'b@5', 'c@5', 'd@5']);
  });

  it('runs a timer exactly when its time is reached, and once', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    set('x', 1);
    clock.advanceUs(999);
    expect(log).toEqual([]);
    clock.advanceUs(1);
    clock.advanceUs(5_000);
    expect(log).toEqual(['x@1']);
  });

  it.each([0, -10])('runs a timer of %d ms with the next move, however small', (delayMs) => {
    const clock = new FakeClock({ startUs: 7_000 });
    const { log, set } = recorder(clock);
    set('now', delayMs);
    expect(log).toEqual([]);
    clock.advanceUs(0);
    expect(log).toEqual(['now@7']);
  });

  it('runs timers that a timer sets, if their time comes within the same move', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    clock.after(10, () => {
      set('nested', 5);
      set('beyond', 50);
      set('at once', 0);
    });
    set('other', 12);
    clock.advanceUs(20_000);
    expect(log).toEqual(['at once@10', 'other@12', 'nested@15']);
    expect(clock.pendingTimers).toBe(1);
  });

  it('forgets a timer that is cancelled, also by another timer of the same time', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    set('gone', 1).cancel();
    const cancelled = { cancel: (): void => undefined };
    clock.after(5, () => cancelled.cancel());
    cancelled.cancel = set('cancelled', 5).cancel;
    set('kept', 5);
    expect(clock.pendingTimers).toBe(3);
    clock.advanceUs(10_000);
    expect(log).toEqual(['kept@5']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('takes a cancel that comes too late', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    const timer = set('done', 1);
    clock.advanceUs(1_000);
    timer.cancel();
    timer.cancel();
    expect(log).toEqual(['done@1']);
  });

  it('keeps the other timers when one throws', () => {
    const clock = new FakeClock();
    const { log, set } = recorder(clock);
    clock.after(1, () => {
      throw new Error('boom');
    });
    set('next', 2);
    expect(() => clock.advanceUs(5_000)).toThrow('boom');
    clock.advanceUs(5_000);
    expect(log).toEqual(['next@2']);
  });

  it('fires timers late that came due while the thread was busy', () => {
    const clock = new FakeClock();
    const fired: number[] = [];
    clock.after(1, () => fired.push(clock.monotonicUs()));
    clock.spendUs(2500);
    expect(fired).toEqual([]);
    clock.advanceUs(0);
    expect(fired).toEqual([2500]);
  });
});
