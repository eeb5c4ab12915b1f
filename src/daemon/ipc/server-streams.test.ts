import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { greeting, IpcBench, RawCaller, request } from './testing/ipc-bench.ts';

describe('IpcServer and streams', () => {
  let bench: IpcBench;
  let reported: unknown[];
  const listener = {
    message: (message: object) => void reported.push(message),
    batch: (bytes: Uint8Array, records: number) => void reported.push([records, ...bytes]),
  };

  beforeEach(async () => {
    reported = [];
    bench = new IpcBench();
    await bench.server.listen();
  });
  afterEach(() => bench.close());

  it('opens the stream with arguments and project, as one of the CLI', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', { n: 7 }, '/bench', listener);
    const { call, sink } = await bench.stream();
    expect(call).toMatchObject({ arguments: { n: 7 }, caller: { face: 'cli', project: '/bench' } });
    sink.end({});
    await stream;
  });

  it('delivers messages and batches in their order, then the result', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const opened = await bench.stream();
    const { sink } = opened;
    sink.message({ channels: ['Prüfstand'] });
    sink.batch(Uint8Array.of(0x0a, 0x7b, 0x0a), 2);
    sink.batch(new Uint8Array(0), 0);
    sink.batch(Uint8Array.of(1), 1);
    sink.message({ event: 'gap' });
    sink.end({ reason: 'count', delivered: 3 });
    sink.end({ reason: 'twice' });
    sink.message({ event: 'late' });
    sink.batch(Uint8Array.of(9), 1);
    expect(await stream).toEqual({ reason: 'count', delivered: 3 });
    expect(reported).toEqual([
      { channels: ['Prüfstand'] },
      [2, 0x0a, 0x7b, 0x0a],
      [1, 1],
      { event: 'gap' },
    ]);
    expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    link.close();
    await eventually(() => bench.server.callers === 0);
    expect(opened.closed).toBe(0);
  });

  it('copies a batch, so that its memory can be used again at once', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    // Larger than one write to the kernel, and shared like the broker's memory.
    const scratch = new Uint8Array(new SharedArrayBuffer(200_000));
    const sent = 20;
    for (let n = 0; n < sent; n++) {
      scratch.fill(n);
      sink.batch(scratch, 1);
    }
    sink.end({});
    await stream;
    expect(reported).toHaveLength(sent);
    for (const [n, batch] of (reported as number[][]).entries()) {
      expect(batch).toHaveLength(scratch.length + 1);
      expect(batch.every((byte, at) => at === 0 || byte === n)).toBe(true);
    }
  });

  it('answers other calls between two batches', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    const held = link.call('hold', {}, null);
    await eventually(() => bench.held.length === 1);
    sink.batch(new Uint8Array(100_000).fill(0x0a), 1);
    bench.held[0]?.resolve('between');
    sink.batch(new Uint8Array(100_000).fill(0x0a), 1);
    expect(await held).toBe('between');
    sink.end({});
    await stream;
    expect(reported).toHaveLength(2);
  });

  it('is not ready while its caller does not read, and says when it is again', async () => {
    const caller = bench.raw();
    caller.send(greeting + request(1, 'watch'));
    const { sink } = await bench.stream();
    caller.socket.pause();
    let ready = 0;
    sink.onReady(() => ready++);
    const batch = new Uint8Array(64 * 1024).fill(0x20);
    let sent = 0;
    while (sink.isReady) {
      sink.batch(batch, 1);
      sent++;
    }
    expect(sent).toBeGreaterThan(3);
    expect(ready).toBe(0);
    caller.socket.resume();
    await eventually(() => ready === 1);
    expect(sink.isReady).toBe(true);
  });

  it('does not bother who was never refused', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    let ready = 0;
    sink.onReady(() => ready++);
    for (let n = 0; n < 10; n++) {
      sink.batch(new Uint8Array(20_000), 1);
      await eventually(() => reported.length === n + 1);
    }
    sink.end({});
    await stream;
    expect(ready).toBe(0);
  });

  it('closes the stream when its caller leaves, and no other', async () => {
    const [leaving, staying] = [await bench.connect(), await bench.connect()];
    const left = leaving.stream('watch', {}, null, listener);
    const kept = staying.stream('watch', {}, null, listener);
    const outcome = left.catch((error: unknown) => error);
    await bench.stream(1);
    const gone = bench.streams[0];
    leaving.close();
    await eventually(() => gone?.closed === 1);
    expect(gone?.call.caller.signal?.aborted).toBe(true);
    gone?.sink.batch(Uint8Array.of(1), 1);
    gone?.sink.end({});
    expect(bench.streams[1]?.closed).toBe(0);
    bench.streams[1]?.sink.end({ fine: true });
    expect(await kept).toEqual({ fine: true });
    expect(await outcome).toMatchObject({ code: 'daemon_unreachable' });
  });

  it('closes a stream whose caller left while it was being opened', async () => {
    const opening = new Deferred<void>();
    bench.opening = () => opening.promise;
    const caller = bench.raw();
    caller.send(greeting + request(1, 'watch'));
    const stream = await bench.stream();
    caller.socket.destroy();
    await eventually(() => bench.server.callers === 0);
    expect(stream.closed).toBe(0);
    opening.resolve();
    await eventually(() => stream.closed === 1);
    await bench.server.settled();
  });

  it('fails with the code and details of what went wrong', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    sink.fail(new BusbarError('hardware_error', { details: { sn: 'x' } }));
    await expect(stream).rejects.toMatchObject({ code: 'hardware_error', details: { sn: 'x' } });
    expect(bench.defects).toEqual([]);
  });

  it('fails where the stream cannot be opened, and the link goes on', async () => {
    bench.opening = () => Promise.reject(new BusbarError('channel_not_open'));
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    await expect(stream).rejects.toMatchObject({ code: 'channel_not_open' });
    await expect(link.stream('watch', { n: 'x' }, null, listener)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(await link.call('echo', {}, null)).toEqual({});
  });

  it('that meets a defect tells the log what the caller does not learn', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    sink.end(circle);
    await expect(stream).rejects.toMatchObject({ code: 'internal_error' });
    expect(bench.defects).toHaveLength(1);
  });

  it('counts as under way until it has ended', async () => {
    const link = await bench.connect();
    const stream = link.stream('watch', {}, null, listener);
    const { sink } = await bench.stream();
    let settled = false;
    const waiting = bench.server.settled().then(() => {
      settled = true;
    });
    await link.call('echo', {}, null);
    expect(settled).toBe(false);
    sink.end({ reason: 'shut_down' });
    await waiting;
    expect(await stream).toEqual({ reason: 'shut_down' });
  });

  it('does not hold up the end for a caller that never reads its last word', async () => {
    const clock = new FakeClock();
    const path = join(bench.folder, 'patient.sock');
    const server = bench.serverAt(path, clock);
    await server.listen();
    const caller = new RawCaller(path);
    caller.send(greeting + request(1, 'watch'));
    const { sink } = await bench.stream();
    caller.socket.pause();
    while (sink.isReady) sink.batch(new Uint8Array(64 * 1024), 1);
    sink.end({ reason: 'shut_down' });
    const settled = server.settled();
    const first = Promise.race([settled.then(() => 'settled'), nextTurn('still waiting')]);
    expect(await first).toBe('still waiting');
    clock.advanceUs(1_000_000);
    await settled;
    caller.socket.destroy();
    server.stopListening();
  });
});
