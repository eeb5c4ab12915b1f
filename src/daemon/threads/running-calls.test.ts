import { describe, expect, it } from 'vitest';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import { offerCalls, RunningCalls } from './bench-calls.ts';

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
    calls.cancel(1, 'caller_gone');
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
    calls.cancel(1, 'caller_gone');
    expect(isAborted()).toBe(false);
  });

  it('keeps a new call apart from an old one with the same number', async () => {
    const calls = new RunningCalls();
    const old = start(calls, 1);
    const recent = start(calls, 1);
    old.done.resolve('old');
    await old.result;
    calls.cancel(1, 'caller_gone');
    expect([old.isAborted(), recent.isAborted()]).toEqual([false, true]);
  });

  const cancelled = new BusbarError('operation_cancelled', {
    message: 'The caller went away during the send',
    details: { reason: 'caller_gone', accepted: 3 },
  });

  it.each([
    ['daemon_stopped', 'The daemon was stopped before this was complete'],
    ['web_stopped', 'The Web service was stopped before this was complete'],
  ] as const)('tells a caller that is still there: %s', async (reason, message) => {
    const calls = new RunningCalls();
    const { done, result } = start(calls, 1);
    calls.cancel(1, reason);
    done.reject(cancelled);
    await expect(result).rejects.toMatchObject({
      code: 'operation_cancelled',
      message,
      details: { reason, accepted: 3 },
    });
  });

  it('leaves a cancellation alone that its caller, or something else, brought about', async () => {
    const calls = new RunningCalls();
    const gone = start(calls, 1);
    calls.cancel(1, 'caller_gone');
    gone.done.reject(cancelled);
    await expect(gone.result).rejects.toBe(cancelled);

    const closed = start(calls, 2);
    closed.done.reject(cancelled);
    await expect(closed.result).rejects.toBe(cancelled);

    const failed = start(calls, 3);
    calls.cancel(3, 'daemon_stopped');
    const other = new BusbarError('hardware_error');
    failed.done.reject(other);
    await expect(failed.result).rejects.toBe(other);
  });
});

describe('the calls that the bench thread offers', () => {
  const setUp = () => {
    const callers: Caller[] = [];
    const progress: unknown[] = [];
    const invoke = async (_id: string, input: unknown, caller: Caller) => {
      callers.push(caller);
      caller.report?.('half');
      return input;
    };
    const offer = offerCalls({ invoke }, new RunningCalls(), (...told) => progress.push(told));
    return { offer, callers, progress };
  };
  const plain = { face: 'cli', project: null } as const;

  it('report and can be cancelled, if they have a number', async () => {
    const { offer, callers, progress } = setUp();
    const answer = offer.invoke('part.list', { a: 1 }, plain, 7);
    offer.cancel(7, 'caller_gone');
    expect(await answer).toEqual({ a: 1 });
    expect(progress).toEqual([[7, 'half']]);
    expect(callers[0]?.signal?.aborted).toBe(true);
  });

  it('do neither without one', async () => {
    const { offer, callers, progress } = setUp();
    expect(await offer.invoke('part.list', {}, plain, null)).toEqual({});
    expect(progress).toEqual([]);
    expect(callers).toEqual([plain]);
  });
});
