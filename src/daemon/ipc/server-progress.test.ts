import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../base/testing/eventually.ts';
import { backlogLimit } from './caller-socket.ts';
import { greeting, IpcBench, request } from './testing/ipc-bench.ts';

describe('IpcServer and calls that take their time', () => {
  let bench: IpcBench;

  beforeEach(async () => {
    bench = new IpcBench();
    await bench.server.listen();
  });
  afterEach(() => bench.close());

  it('passes on progress before the answer, and none after it', async () => {
    const link = await bench.connect();
    const reported: unknown[] = [];
    const answer = link.call('hold', {}, null, (progress) => reported.push(progress));
    await eventually(() => bench.calls.length === 1);
    const report = bench.calls[0]?.caller.report;
    report?.({ accepted: 1, count: 2 });
    report?.({ accepted: 2, count: 2 });
    bench.held[0]?.resolve('done');
    expect(await answer).toBe('done');
    report?.({ accepted: 3, count: 2 });
    await link.call('echo', {}, null);
    expect(reported).toEqual([
      { accepted: 1, count: 2 },
      { accepted: 2, count: 2 },
    ]);
  });

  it('keeps no progress for a caller that does not read', async () => {
    const caller = bench.raw();
    caller.socket.pause();
    caller.send(greeting + request(1, 'hold'));
    await eventually(() => bench.calls.length === 1);
    const padding = 'x'.repeat(64 * 1024);
    for (let accepted = 1; accepted <= 100; accepted++) {
      bench.calls[0]?.caller.report?.({ accepted, padding });
    }
    bench.held[0]?.resolve('done');
    caller.socket.resume();
    await eventually(() => caller.received.includes('"done"'));
    expect(caller.messages.at(-1)).toEqual({ id: 1, result: 'done' });
    // The kernel buffers some of it, depending on the system, but far from everything.
    expect(caller.received.length).toBeLessThan(backlogLimit + 20 * padding.length);
  });

  it('aborts the signals of running calls when their caller leaves, and no others', async () => {
    const link = await bench.connect();
    const other = await bench.connect();
    const outcomes = Promise.allSettled([link.call('hold', {}, null), link.call('hold', {}, null)]);
    const kept = other.call('hold', {}, null);
    await eventually(() => bench.calls.length === 3);
    expect(bench.calls.map(({ caller }) => caller.signal?.aborted)).toEqual([false, false, false]);
    link.close();
    await eventually(() => bench.server.callers === 1);
    expect(bench.calls.map(({ caller }) => caller.signal?.aborted)).toEqual([true, true, false]);
    for (const held of bench.held) held.resolve('late');
    expect(await kept).toBe('late');
    await outcomes;
  });

  it('leaves the signal of an answered call alone', async () => {
    const link = await bench.connect();
    await link.call('echo', {}, null);
    link.close();
    await eventually(() => bench.server.callers === 0);
    expect(bench.calls[0]?.caller.signal?.aborted).toBe(false);
  });

  it('aborts every running call on demand, which may still answer', async () => {
    const link = await bench.connect();
    const answer = link.call('hold', {}, null);
    await eventually(() => bench.calls.length === 1);
    bench.server.cancelCalls('daemon_stopped');
    expect(bench.calls[0]?.caller.signal?.aborted).toBe(true);
    bench.held[0]?.resolve('cut short');
    expect(await answer).toBe('cut short');
  });
});
