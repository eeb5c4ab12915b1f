import { describe, expect, it } from 'vitest';
import { Deferred } from '../../base/deferred.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { PlainCaller } from '../../operations/dispatcher.ts';
import { BenchCalls, type CallOffer } from './bench-calls.ts';

const setUp = () => {
  const answer = new Deferred<unknown>();
  const invoked: { caller: PlainCaller; call: number | null }[] = [];
  const cancelled: number[] = [];
  const bench = {
    invoke: (_id: string, _input: unknown, caller: PlainCaller, call: number | null) => {
      invoked.push({ caller, call });
      return answer.promise;
    },
    cancel: async (call: number) => void cancelled.push(call),
  } as unknown as Remote<CallOffer>;
  return { calls: new BenchCalls(bench), answer, invoked, cancelled };
};

const caller = { face: 'cli', project: null } as const;

describe('BenchCalls', () => {
  it('posts nothing but plain data', () => {
    const { calls, invoked } = setUp();
    const { signal } = new AbortController();
    void calls.invoke('message.send', {}, { ...caller, signal, report: () => undefined });
    expect(invoked).toEqual([{ caller, call: 1 }]);
    expect(() => structuredClone(invoked)).not.toThrow();
  });

  it('gives no number to a call that nobody follows', () => {
    const { calls, invoked } = setUp();
    void calls.invoke('channel.list', {}, caller);
    expect(invoked).toEqual([{ caller, call: null }]);
  });

  it('passes progress on until the call is answered', async () => {
    const { calls, answer } = setUp();
    const reports: unknown[] = [];
    const result = calls.invoke('message.send', {}, { ...caller, report: (p) => reports.push(p) });
    calls.progress(1, { accepted: 1 });
    calls.progress(2, { accepted: 9 });
    answer.resolve('done');
    expect(await result).toBe('done');
    calls.progress(1, { accepted: 2 });
    expect(reports).toEqual([{ accepted: 1 }]);
  });

  it('cancels a call whose caller has gone, but not one that is over', async () => {
    const { calls, answer, cancelled } = setUp();
    const [leaving, late] = [new AbortController(), new AbortController()];
    void calls.invoke('message.send', {}, { ...caller, signal: leaving.signal });
    const second = calls.invoke('message.send', {}, { ...caller, signal: late.signal });
    leaving.abort();
    answer.resolve('done');
    await second;
    late.abort();
    expect(cancelled).toEqual([1]);
  });

  it('cancels a call whose caller had gone before it was posted', () => {
    const { calls, invoked, cancelled } = setUp();
    void calls.invoke('message.send', {}, { ...caller, signal: AbortSignal.abort() });
    expect([invoked.length, cancelled]).toEqual([1, [1]]);
  });
});
