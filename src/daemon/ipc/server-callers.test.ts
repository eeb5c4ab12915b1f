import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { maxLineLength } from '../../link/protocol.ts';
import { greeting, hello, IpcBench, request } from './testing/ipc-bench.ts';

describe('IpcServer and its callers', () => {
  let bench: IpcBench;

  beforeEach(async () => {
    bench = new IpcBench();
    await bench.server.listen();
  });
  afterEach(() => bench.close());

  describe('a caller that misbehaves', () => {
    it('is told and dismissed for a line that is no request; what follows is not carried out', async () => {
      const caller = bench.raw();
      caller.send(`${greeting}${request(1)}{"id":\n${request(2)}`);
      await caller.dismissed();
      await bench.server.settled();
      expect(caller.messages.map(({ error }) => (error as { code?: string })?.code)).toContain(
        'invalid_argument',
      );
      expect(bench.calls).toHaveLength(1);
    });

    it('is not listened to any more, also when it goes on in another piece', async () => {
      const caller = bench.raw();
      caller.send(`${greeting}nonsense\n`);
      await caller.dismissed();
      caller.send(request(1));
      caller.socket.end();
      await eventually(() => bench.server.callers === 0);
      expect(bench.calls).toEqual([]);
    });

    it('is dismissed for a line without end, and not before the limit', async () => {
      const caller = bench.raw();
      caller.send(greeting);
      const padding = ' '.repeat(maxLineLength - request(1).length + 1);
      caller.send(padding + request(1));
      expect(await caller.hasReceived(2)).toMatchObject([hello, { id: 1, result: {} }]);
      caller.send(Buffer.alloc(maxLineLength + 1, 0x20));
      await caller.dismissed();
      expect(caller.messages[2]).toMatchObject({
        error: { code: 'invalid_argument', details: { limit: maxLineLength } },
      });
    });

    it('does not keep others from being served', async () => {
      const link = await bench.connect();
      bench.raw().send('nonsense\n');
      bench.raw().send(Buffer.alloc(maxLineLength + 1, 0x20));
      bench.raw().socket.destroy();
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });
  });

  describe('a caller that vanishes', () => {
    it('before its answer costs nothing but the answer', async () => {
      const caller = bench.raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => bench.held.length === 1);
      caller.socket.destroy();
      await eventually(() => bench.server.callers === 0);
      bench.held[0]?.resolve('for nobody');
      await bench.server.settled();
      expect(bench.defects).toEqual([]);
      expect(await (await bench.connect()).call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });

    it('in the middle of a long answer lets the server go on', async () => {
      const caller = bench.raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => bench.held.length === 1);
      caller.socket.pause();
      // More than the kernel buffers for a client that does not read.
      bench.held[0]?.resolve('x'.repeat(3 * 1024 * 1024));
      const settled = bench.server.settled();
      await new Promise((resolve) => setImmediate(resolve));
      caller.socket.destroy();
      await settled;
      await eventually(() => bench.server.callers === 0);
      expect(await (await bench.connect()).call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });

    it('is counted no longer', async () => {
      const links = [await bench.connect(), await bench.connect()];
      expect(bench.server.callers).toBe(2);
      links[0]?.close();
      await eventually(() => bench.server.callers === 1);
      links[1]?.close();
      await eventually(() => bench.server.callers === 0);
    });
  });

  describe('settled', () => {
    it('has nothing to wait for where nothing was asked', async () => {
      await bench.connect();
      expect(await bench.server.settled()).toBeUndefined();
    });

    it('waits for every call that is under way, good or bad', async () => {
      const link = await bench.connect();
      const outcomes = Promise.allSettled([
        link.call('hold', {}, null),
        link.call('hold', {}, null),
      ]);
      await eventually(() => bench.held.length === 2);
      let settled = false;
      const waiting = bench.server.settled().then(() => {
        settled = true;
      });
      bench.held[0]?.resolve('one');
      expect(await Promise.race([outcomes, link.call('echo', {}, null)])).toEqual({});
      expect(settled).toBe(false);
      bench.held[1]?.reject(new BusbarError('job_not_found'));
      await waiting;
      expect(await outcomes).toMatchObject([
        { status: 'fulfilled', value: 'one' },
        { status: 'rejected', reason: { code: 'job_not_found' } },
      ]);
    });
  });
});
