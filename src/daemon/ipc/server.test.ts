import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { Connection } from '../../link/connection.ts';
import { encodeLine, type Hello, linkProtocol, longestLine } from '../../link/protocol.ts';
import { defineOperation } from '../../operations/define.ts';
import { type Call, Dispatcher } from '../../operations/dispatcher.ts';
import { IpcServer } from './server.ts';

const hello: Hello = { busbar: linkProtocol, version: '2.0.0', pid: 77 };
const greeting = encodeLine({ busbar: linkProtocol, version: '1.0.0', pid: 1 });

const sample = (id: string) =>
  defineOperation({
    id,
    summary: 'A sample',
    parameters: { n: Type.Optional(Type.Integer()) },
    result: Type.Unknown(),
    errors: [],
    permission: 'observe',
    execution: { place: 'client', daemon: 'required', streaming: false },
    cli: null,
    http: { none: 'a sample' },
  });

const echo = sample('echo');
const fail = sample('fail');
const hold = sample('hold');

/** A caller that sends what it likes and keeps what it gets. */
class RawCaller {
  readonly socket: Socket;
  received = '';

  constructor(path: string) {
    this.socket = createConnection({ path, allowHalfOpen: true });
    this.socket.setEncoding('utf8');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (text: string) => {
      this.received += text;
    });
  }

  send(text: string | Buffer): void {
    this.socket.write(text);
  }

  get messages(): Record<string, unknown>[] {
    return this.received
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  async hasReceived(count: number): Promise<Record<string, unknown>[]> {
    await eventually(() => this.messages.length >= count);
    return this.messages;
  }

  /** Until the server has hung up. */
  async dismissed(): Promise<void> {
    if (!this.socket.readableEnded) await once(this.socket, 'end');
  }
}

describe('IpcServer', () => {
  let folder: string;
  let path: string;
  let server: IpcServer;
  let calls: Call[];
  let held: Deferred<unknown>[];
  let defects: unknown[];
  let thrown: unknown;
  let callers: RawCaller[];
  let links: Connection[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-ipc-'));
    path = join(folder, 'd.sock');
    calls = [];
    held = [];
    defects = [];
    callers = [];
    links = [];
    const dispatcher = new Dispatcher([echo, fail, hold])
      .bind(echo, (call) => {
        calls.push(call as unknown as Call);
        return call.arguments;
      })
      .bind(fail, () => {
        throw thrown;
      })
      .bind(hold, () => {
        const deferred = new Deferred<unknown>();
        held.push(deferred);
        return deferred.promise;
      });
    server = new IpcServer({ socket: path, hello, dispatcher, onDefect: (d) => defects.push(d) });
    await server.listen();
  });

  afterEach(async () => {
    for (const { socket } of callers) socket.destroy();
    for (const link of links) link.close();
    server.stopListening();
    await eventually(() => server.callers === 0);
    rmSync(folder, { recursive: true });
  });

  const raw = (): RawCaller => {
    const caller = new RawCaller(path);
    callers.push(caller);
    return caller;
  };

  const connect = async (): Promise<Connection> => {
    const link = await Connection.open({ socket: path, version: '1.0.0', clock: new FakeClock() });
    if (!link) throw new Error('nobody listens');
    links.push(link);
    return link;
  };

  const request = (id: number, operation = 'echo', values: object = {}): string =>
    encodeLine({ id, operation, arguments: values, project: null });

  describe('its socket', () => {
    it('can be opened by its owner alone', () => {
      const { mode } = statSync(path);
      expect(statSync(path).isSocket()).toBe(true);
      expect(mode & 0o777).toBe(0o600);
    });

    it('takes the place of one that a dead daemon left', async () => {
      const other = join(folder, 'left.sock');
      writeFileSync(other, '');
      const dispatcher = new Dispatcher([]);
      const late = new IpcServer({ socket: other, hello, dispatcher, onDefect: () => undefined });
      await late.listen();
      expect(statSync(other).isSocket()).toBe(true);
      late.stopListening();
    });

    it('fails to listen where it cannot', async () => {
      const nowhere = join(folder, 'absent', 'd.sock');
      const dispatcher = new Dispatcher([]);
      const lost = new IpcServer({ socket: nowhere, hello, dispatcher, onDefect: () => undefined });
      await expect(lost.listen()).rejects.toThrow(nowhere);
    });

    it('takes no caller once it stopped listening, and keeps those it has', async () => {
      const link = await connect();
      server.stopListening();
      expect(
        await Connection.open({ socket: path, version: '1.0.0', clock: new FakeClock() }),
      ).toBeNull();
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });
  });

  describe('the handshake', () => {
    it('answers a hello with its own', async () => {
      const link = await connect();
      expect(link.daemon).toEqual(hello);
    });

    it('says nothing to who says nothing', async () => {
      const caller = raw();
      await eventually(() => server.callers === 1);
      // A second caller gets through all of it while the first one is silent.
      await connect();
      expect(caller.received).toBe('');
    });

    it('refuses another protocol and hangs up', async () => {
      const caller = raw();
      caller.send(encodeLine({ busbar: 99, version: '9.0.0', pid: 1 }));
      await caller.dismissed();
      expect(caller.messages).toEqual([
        {
          error: expect.objectContaining({
            code: 'version_mismatch',
            details: { daemon: '2.0.0', caller: '9.0.0' },
          }),
        },
      ]);
    });

    it.each([
      ['a request', request(1)],
      ['a line that is no JSON', 'hello\n'],
      ['an empty line', '\n'],
      ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ])('refuses %s instead of a hello and hangs up', async (_, text) => {
      const caller = raw();
      caller.send(text);
      await caller.dismissed();
      expect(caller.messages).toMatchObject([{ error: { code: 'invalid_argument' } }]);
      expect(calls).toEqual([]);
    });

    it('takes requests right behind the hello', async () => {
      const caller = raw();
      caller.send(greeting + request(5, 'echo', { n: 3 }));
      expect(await caller.hasReceived(2)).toEqual([hello, { id: 5, result: { n: 3 } }]);
    });
  });

  describe('a call', () => {
    it('reaches the dispatcher with arguments and project, as one of the CLI', async () => {
      const link = await connect();
      await link.call('echo', { n: 7 }, '/bench');
      expect(calls).toMatchObject([
        { arguments: { n: 7 }, caller: { face: 'cli', project: '/bench' } },
      ]);
    });

    it('gets its answer by its id, among many and in any order', async () => {
      const caller = raw();
      const ids = Array.from({ length: 500 }, (_, index) => index * 3);
      const [first, ...rest] = ids;
      caller.send(
        greeting +
          request(first ?? 0, 'hold') +
          rest.map((id) => request(id, 'echo', { n: id })).join(''),
      );
      await caller.hasReceived(rest.length + 1);
      held[0]?.resolve('late');
      const answers = (await caller.hasReceived(ids.length + 1)).slice(1);
      expect(answers.at(-1)).toEqual({ id: first, result: 'late' });
      expect(new Map(answers.map(({ id, result }) => [id, result]))).toEqual(
        new Map<unknown, unknown>([[first, 'late'], ...rest.map((n) => [n, { n }] as const)]),
      );
    });

    it('is understood however its bytes arrive', async () => {
      const caller = raw();
      for (const byte of Buffer.from(greeting + request(1, 'echo', { n: 1 }))) {
        caller.send(Buffer.of(byte));
      }
      expect(await caller.hasReceived(2)).toEqual([hello, { id: 1, result: { n: 1 } }]);
    });

    it.each([
      ['an unknown operation', 'nope', {}, 'operation_not_found'],
      ['wrong arguments', 'echo', { n: 'x' }, 'invalid_argument'],
    ])('with %s fails alone; the link goes on', async (_, operation, values, code) => {
      const link = await connect();
      await expect(link.call(operation, values, null)).rejects.toMatchObject({ code });
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
      expect(defects).toEqual([]);
    });

    it('fails with the code, message and details of what was thrown', async () => {
      thrown = new BusbarError('file_not_found', {
        message: 'No a.dbc',
        details: { path: 'a.dbc' },
      });
      const link = await connect();
      await expect(link.call('fail', {}, null)).rejects.toMatchObject({
        code: 'file_not_found',
        message: 'No a.dbc',
        details: { path: 'a.dbc' },
      });
      expect(defects).toEqual([]);
    });

    it('that meets a defect tells the log what the caller does not learn', async () => {
      thrown = new TypeError('secret of the house');
      const caller = raw();
      caller.send(greeting + request(1, 'fail'));
      const [, answer] = await caller.hasReceived(2);
      expect(answer).toMatchObject({ id: 1, error: { code: 'internal_error' } });
      expect(caller.received).not.toContain('secret');
      expect(defects).toEqual([thrown]);
    });

    it('whose answer has no JSON form fails as a defect does', async () => {
      const link = await connect();
      const call = link.call('hold', {}, null);
      await eventually(() => held.length === 1);
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      held[0]?.resolve(circle);
      await expect(call).rejects.toMatchObject({ code: 'internal_error' });
      expect(defects).toHaveLength(1);
    }, 2000);

    it('whose answer is longer than a line may be fails instead of breaking the link', async () => {
      const link = await connect();
      const call = link.call('hold', {}, null);
      await eventually(() => held.length === 1);
      held[0]?.resolve('x'.repeat(longestLine));
      await expect(call).rejects.toMatchObject({ code: 'response_too_large' });
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    }, 2000);

    it('may answer with a number that JavaScript cannot hold otherwise', async () => {
      const caller = raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => held.length === 1);
      held[0]?.resolve({ raw: 2n ** 64n });
      await caller.hasReceived(2);
      expect(caller.received).toContain('"raw":18446744073709551616');
    });
  });

  describe('a caller that misbehaves', () => {
    it('is told and dismissed for a line that is no request; what follows is not carried out', async () => {
      const caller = raw();
      caller.send(`${greeting}${request(1)}{"id":\n${request(2)}`);
      await caller.dismissed();
      await server.settled();
      expect(caller.messages.map(({ error }) => (error as { code?: string })?.code)).toContain(
        'invalid_argument',
      );
      expect(calls).toHaveLength(1);
    });

    it('is not listened to any more, also when it goes on in another piece', async () => {
      const caller = raw();
      caller.send(`${greeting}nonsense\n`);
      await caller.dismissed();
      caller.send(request(1));
      caller.socket.end();
      await eventually(() => server.callers === 0);
      expect(calls).toEqual([]);
    });

    it('is dismissed for a line without end, and not before the limit', async () => {
      const caller = raw();
      caller.send(greeting);
      const padding = ' '.repeat(longestLine - request(1).length + 1);
      caller.send(padding + request(1));
      expect(await caller.hasReceived(2)).toMatchObject([hello, { id: 1, result: {} }]);
      caller.send(Buffer.alloc(longestLine + 1, 0x20));
      await caller.dismissed();
      expect(caller.messages[2]).toMatchObject({
        error: { code: 'invalid_argument', details: { limit: longestLine } },
      });
    });

    it('does not keep others from being served', async () => {
      const link = await connect();
      raw().send('nonsense\n');
      raw().send(Buffer.alloc(longestLine + 1, 0x20));
      raw().socket.destroy();
      expect(await link.call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });
  });

  describe('a caller that vanishes', () => {
    it('before its answer costs nothing but the answer', async () => {
      const caller = raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => held.length === 1);
      caller.socket.destroy();
      await eventually(() => server.callers === 0);
      held[0]?.resolve('for nobody');
      await server.settled();
      expect(defects).toEqual([]);
      expect(await (await connect()).call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });

    it('in the middle of a long answer lets the server go on', async () => {
      const caller = raw();
      caller.send(greeting + request(1, 'hold'));
      await eventually(() => held.length === 1);
      caller.socket.pause();
      // More than the kernel takes for a reader that does not read.
      held[0]?.resolve('x'.repeat(3 * 1024 * 1024));
      const settled = server.settled();
      await new Promise((resolve) => setImmediate(resolve));
      caller.socket.destroy();
      await settled;
      await eventually(() => server.callers === 0);
      expect(await (await connect()).call('echo', { n: 1 }, null)).toEqual({ n: 1 });
    });

    it('is counted no longer', async () => {
      const links = [await connect(), await connect()];
      expect(server.callers).toBe(2);
      links[0]?.close();
      await eventually(() => server.callers === 1);
      links[1]?.close();
      await eventually(() => server.callers === 0);
    });
  });

  describe('settled', () => {
    it('has nothing to wait for where nothing was asked', async () => {
      await connect();
      expect(await server.settled()).toBeUndefined();
    });

    it('waits for every call that is under way, good or bad', async () => {
      const link = await connect();
      const outcomes = Promise.allSettled([
        link.call('hold', {}, null),
        link.call('hold', {}, null),
      ]);
      await eventually(() => held.length === 2);
      let settled = false;
      const waiting = server.settled().then(() => {
        settled = true;
      });
      held[0]?.resolve('one');
      expect(await Promise.race([outcomes, link.call('echo', {}, null)])).toEqual({});
      expect(settled).toBe(false);
      held[1]?.reject(new BusbarError('job_not_found'));
      await waiting;
      expect(await outcomes).toMatchObject([
        { status: 'fulfilled', value: 'one' },
        { status: 'rejected', reason: { code: 'job_not_found' } },
      ]);
    });
  });
});
