import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { encodeLine, maxLineLength } from '../../link/protocol.ts';
import { greeting, hello, IpcBench, request } from './testing/ipc-bench.ts';

describe('IpcServer', () => {
  let bench: IpcBench;

  beforeEach(async () => {
    bench = new IpcBench();
    await bench.server.listen();
  });
  afterEach(() => bench.close());

  describe('its socket', () => {
    it('can be opened by its owner alone', () => {
      const { mode } = statSync(bench.path);
      expect(statSync(bench.path).isSocket()).toBe(true);
      expect(mode & 0o777).toBe(0o600);
    });

    it('takes the place of one that a dead daemon left', async () => {
      const left = join(bench.folder, 'left.sock');
      writeFileSync(left, '');
      const late = bench.serverAt(left);
      await late.listen();
      expect(statSync(left).isSocket()).toBe(true);
      late.stopListening();
    });

    it('fails to listen where it cannot', async () => {
      const nowhere = join(bench.folder, 'absent', 'd.sock');
      await expect(bench.serverAt(nowhere).listen()).rejects.toMatchObject({
        code: 'daemon_start_failed',
        details: { socket: nowhere, reason: 'EACCES' },
      });
    });

    it('fails to listen where a directory stands in its place', async () => {
      const taken = join(bench.folder, 'taken.sock');
      mkdirSync(taken);
      await expect(bench.serverAt(taken).listen()).rejects.toMatchObject({
        code: 'daemon_start_failed',
        details: { socket: taken, reason: 'ERR_FS_EISDIR' },
      });
    });

    it('takes no caller once it stopped listening, and keeps those it has', async () => {
      const link = await bench.connect();
      bench.server.stopListening();
      expect(await bench.tryConnect()).toBeNull();
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });
  });

  describe('the handshake', () => {
    it('answers a hello with its own', async () => {
      const link = await bench.connect();
      expect(link.daemon).toEqual(hello);
    });

    it('says nothing to who says nothing', async () => {
      const caller = bench.raw();
      await eventually(() => bench.server.callers === 1);
      // A second caller completes everything while the first one is silent.
      await bench.connect();
      expect(caller.received).toBe('');
    });

    it('refuses another protocol and hangs up', async () => {
      const caller = bench.raw();
      caller.send(encodeLine({ busbar: 99, version: '9.0.0', pid: 1 }));
      await caller.dismissed();
      const details = { daemon: '2.0.0', caller: '9.0.0' };
      expect(caller.messages).toMatchObject([{ error: { code: 'version_mismatch', details } }]);
    });

    it.each([
      ['a request', request(1)],
      ['a line that is no JSON', 'hello\n'],
      ['an empty line', '\n'],
      ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ])('refuses %s instead of a hello and hangs up', async (_, text) => {
      const caller = bench.raw();
      caller.send(text);
      await caller.dismissed();
      expect(caller.messages).toMatchObject([{ error: { code: 'invalid_argument' } }]);
      expect(bench.calls).toEqual([]);
    });

    it('takes requests right behind the hello', async () => {
      const caller = bench.raw();
      caller.send(greeting + request(5, 'echo', { n: 3 }));
      expect(await caller.hasReceived(2)).toEqual([hello, { id: 5, result: { n: 3 } }]);
    });
  });

  describe('a call', () => {
    it('reaches the dispatcher with arguments and project, as one of the CLI', async () => {
      const link = await bench.connect();
      await link.call('echo', { n: 7 }, '/bench');
      expect(bench.calls).toMatchObject([
        { arguments: { n: 7 }, caller: { face: 'cli', project: '/bench' } },
      ]);
    });

    it('gets its answer by its id, among many and in any order', async () => {
      const caller = bench.raw();
      const ids = Array.from({ length: 500 }, (_, index) => index * 3);
      const [first, ...rest] = ids;
      caller.send(
        greeting +
          request(first ?? 0, 'hold') +
          rest.map((id) => request(id, 'echo', { n: id })).join(''),
      );
      await caller.hasReceived(rest.length + 1);
      bench.held[0]?.resolve('late');
      const answers = (await caller.hasReceived(ids.length + 1)).slice(1);
      expect(answers.at(-1)).toEqual({ id: first, result: 'late' });
      expect(new Map(answers.map(({ id, result }) => [id, result]))).toEqual(
        new Map<unknown, unknown>([[first, 'late'], ...rest.map((n) => [n, { n }] as const)]),
      );
    });

    it('is understood however its bytes arrive', async () => {
      const caller = bench.raw();
      for (const byte of Buffer.from(greeting + request(1, 'echo', { n: 1 }))) {
        caller.send(Buffer.of(byte));
      }
      expect(await caller.hasReceived(2)).toEqual([hello, { id: 1, result: { n: 1 } }]);
    });

    it.each([
      ['an unknown operation', 'nope', {}, 'operation_not_found'],
      ['wrong arguments', 'echo', { n: 'x' }, 'invalid_argument'],
    ])('with %s fails alone; the link goes on', async (_, operation, values, code) => {
      const link = await bench.connect();
      await expect(link.call(operation, values, null)).rejects.toMatchObject({ code });
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
      expect(bench.defects).toEqual([]);
    });

    it('fails with the code, message and details of what was thrown', async () => {
      bench.thrown = new BusbarError('file_not_found', {
        message: 'No a.dbc',
        details: { path: 'a.dbc' },
      });
      const link = await bench.connect();
      await expect(link.call('fail', {}, null)).rejects.toMatchObject({
        code: 'file_not_found',
        message: 'No a.dbc',
        details: { path: 'a.dbc' },
      });
      expect(bench.defects).toEqual([]);
    });

    it('that meets a defect tells the log what the caller does not learn', async () => {
      bench.thrown = new TypeError('secret of the house');
      const caller = bench.raw();
      caller.send(greeting + request(1, 'fail'));
      const [, answer] = await caller.hasReceived(2);
      expect(answer).toMatchObject({ id: 1, error: { code: 'internal_error' } });
      expect(caller.received).not.toContain('secret');
      expect(bench.defects).toEqual([bench.thrown]);
    });

    it('whose answer has no JSON form fails as a defect does', async () => {
      const link = await bench.connect();
      const call = link.call('hold', {}, null);
      await eventually(() => bench.held.length === 1);
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      bench.held[0]?.resolve(circle);
      await expect(call).rejects.toMatchObject({ code: 'internal_error' });
      expect(bench.defects).toHaveLength(1);
    });

    it('whose answer is longer than a line may be fails instead of breaking the link', async () => {
      const link = await bench.connect();
      const call = link.call('hold', {}, null);
      await eventually(() => bench.held.length === 1);
      bench.held[0]?.resolve('x'.repeat(maxLineLength));
      await expect(call).rejects.toMatchObject({ code: 'response_too_large' });
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });

    it('may answer with a number that JavaScript cannot hold otherwise', async () => {
      const caller = bench.raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => bench.held.length === 1);
      bench.held[0]?.resolve({ raw: 2n ** 64n });
      await caller.hasReceived(2);
      expect(caller.received).toContain('"raw":18446744073709551616');
    });
  });
});
