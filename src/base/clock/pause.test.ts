import { describe, expect, it } from 'vitest';
import { pause, within } from './pause.ts';
import { FakeClock } from './testing/fake-clock.ts';

describe('pause', () => {
  it('waits as long as it is told to', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const paused = pause(clock, 10).then(() => {
      isOver = true;
    });
    clock.advanceUs(9999);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advanceUs(1);
    await paused;
    expect(isOver).toBe(true);
  });

  it.each(['before', 'during'])('is ended by a signal %s it, and leaves no timer', async (when) => {
    const clock = new FakeClock();
    const caller = new AbortController();
    if (when === 'before') caller.abort();
    const paused = pause(clock, 10, caller.signal);
    caller.abort();
    await expect(paused).rejects.toMatchObject({ code: 'operation_cancelled' });
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('within', () => {
  it('gives what comes in time, and leaves no timer', async () => {
    const clock = new FakeClock();
    expect(await within(clock, 10, Promise.resolve(7))).toBe(7);
    await expect(within(clock, 10, Promise.reject(new RangeError('no')))).rejects.toThrow('no');
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives undefined for what does not', async () => {
    const clock = new FakeClock();
    const late = within(clock, 10, new Promise<number>(() => undefined));
    clock.advanceUs(10_000);
    expect(await late).toBeUndefined();
  });
});
