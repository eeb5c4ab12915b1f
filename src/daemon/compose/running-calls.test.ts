import { describe, expect, it } from 'vitest';
import { Deferred } from '../../base/deferred.ts';
import { RunningCalls } from './running-calls.ts';

const start = (calls: RunningCalls, call: number) => {
  const done = new Deferred<string>();
  const signals: AbortSignal[] = [];
  const result = calls.run(call, (signal) => {
    signals.push(signal);
    return done.promise;
  });
  return { done, result, isAborted: () => signals[0]?.aborted };
};

describe('RunningCalls', () => {
  it('answers what the call answers', async () => {
    const { done, result } = start(new RunningCalls(), 1);
    done.resolve('done');
    expect(await result).toBe('done');
  });

  it('aborts the call that is cancelled, and no other', () => {
    const calls = new RunningCalls();
    const [first, second] = [start(calls, 1), start(calls, 2)];
    calls.cancel(1);
    expect([first.isAborted(), second.isAborted()]).toEqual([true, false]);
  });

  it('aborts all of them when their thread has died', () => {
    const calls = new RunningCalls();
    const started = [start(calls, 1), start(calls, 2)];
    calls.cancelAll();
    expect(started.map(({ isAborted }) => isAborted())).toEqual([true, true]);
  });

  it('knows nothing of calls that are over', async () => {
    const calls = new RunningCalls();
    const { done, result, isAborted } = start(calls, 1);
    done.reject(new Error('failed'));
    await expect(result).rejects.toThrow('failed');
    calls.cancel(1);
    expect(isAborted()).toBe(false);
  });

  it('keeps a new call apart from an old one with the same number', async () => {
    const calls = new RunningCalls();
    const old = start(calls, 1);
    const recent = start(calls, 1);
    old.done.resolve('old');
    await old.result;
    calls.cancel(1);
    expect([old.isAborted(), recent.isAborted()]).toEqual([false, true]);
  });
});
