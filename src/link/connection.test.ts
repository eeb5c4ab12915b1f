import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/fake-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { Connection } from './connection.ts';
import { encodeLine, type Hello, linkProtocol, longestLine, type Request } from './protocol.ts';

const hello: Hello = { busbar: linkProtocol, version: '9.9.9', pid: 4321 };

/** The daemon's end, played by the test. */
class Peer {
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
    });
  }

  say(text: string | Buffer): void {
    this.#socket.write(text);
  }

  send(message: object): void {
    this.say(encodeLine(message));
  }

  async nextLine<T>(): Promise<T> {
    while (this.#lines.length === 0) await once(this.#socket, 'data');
    return JSON.parse(this.#lines.shift() ?? '');
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  async left(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }
}

describe('Connection', () => {
  let folder: string;
  let socket: string;
  let server: Server;
  let peers: Peer[];
  let links: Connection[];
  let clock: FakeClock;

  beforeEach(async () => {
    clock = new FakeClock();
    folder = mkdtempSync(join(tmpdir(), 'busbar-connection-'));
    socket = join(folder, 'd.sock');
    peers = [];
    links = [];
    server = createServer((accepted) => peers.push(new Peer(accepted)));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  });

  afterEach(async () => {
    for (const link of links) link.close();
    for (const peer of peers) peer.hangUp();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const open = (path = socket): Promise<Connection | null> =>
    Connection.open({ socket: path, version: '1.0.0', clock });

  const accepted = async (): Promise<Peer> => {
    if (peers.length === 0) await once(server, 'connection');
    const peer = peers.at(-1);
    if (!peer) throw new Error('nobody called');
    return peer;
  };

  /** A link over which both sides have said hello. */
  const established = async (): Promise<{ link: Connection; peer: Peer }> => {
    const opening = open();
    const peer = await accepted();
    await peer.nextLine();
    peer.send(hello);
    const link = await opening;
    if (!link) throw new Error('there is no link');
    links.push(link);
    return { link, peer };
  };

  const failure = { code: 'daemon_unreachable' };

  describe('opening', () => {
    it('says hello first and learns whom it talks to', async () => {
      const opening = open();
      const peer = await accepted();
      expect(await peer.nextLine()).toEqual({
        busbar: linkProtocol,
        version: '1.0.0',
        pid: process.pid,
      });
      peer.send(hello);
      const link = await opening;
      expect(link?.daemon).toEqual(hello);
      link?.close();
      expect(clock.pendingTimers).toBe(0);
    });

    it('finds nothing where no socket is, or one that nobody serves', async () => {
      expect(await open(join(folder, 'absent.sock'))).toBeNull();
      writeFileSync(join(folder, 'dead.sock'), '');
      expect(await open(join(folder, 'dead.sock'))).toBeNull();
      expect(clock.pendingTimers).toBe(0);
    });

    it('fails where the socket cannot be opened for another reason', async () => {
      writeFileSync(join(folder, 'file'), '');
      await expect(open(join(folder, 'file', 'd.sock'))).rejects.toMatchObject(failure);
    });

    it('fails with what the daemon refuses it for, and leaves', async () => {
      const opening = open();
      const peer = await accepted();
      const refusal = new BusbarError('version_mismatch', { details: { daemon: '2.0.0' } });
      peer.send({ error: refusal.toRecord() });
      await expect(opening).rejects.toMatchObject({
        code: 'version_mismatch',
        details: { daemon: '2.0.0' },
      });
      await peer.left();
    });

    it('does not talk to a daemon of another protocol', async () => {
      const opening = open();
      const peer = await accepted();
      peer.send({ ...hello, busbar: linkProtocol + 1 });
      await expect(opening).rejects.toMatchObject({
        code: 'version_mismatch',
        details: { daemon: '9.9.9' },
      });
      await peer.left();
    });

    it('fails when the daemon hangs up without a word', async () => {
      const opening = open();
      (await accepted()).hangUp();
      await expect(opening).rejects.toMatchObject(failure);
      expect(clock.pendingTimers).toBe(0);
    });

    it('loses patience with a daemon that says nothing', async () => {
      const opening = open();
      const peer = await accepted();
      clock.advanceUs(4_999_000);
      expect(clock.pendingTimers).toBe(1);
      clock.advanceUs(1_000);
      await expect(opening).rejects.toMatchObject(failure);
      await peer.left();
    });

    it.each([
      ['no JSON', 'hello?\n'],
      ['no record', '7\n'],
      ['a record of something else', '{"ready":true}\n'],
      ['a line without end', 'x'.repeat(longestLine + 1)],
    ])(
      'fails when what answers is no daemon: %s',
      async (_, text) => {
        const opening = open();
        (await accepted()).say(text);
        await expect(opening).rejects.toBeInstanceOf(BusbarError);
      },
      2000,
    );
  });

  describe('calling', () => {
    it('sends operation, arguments and project, each call under an id of its own', async () => {
      const { link, peer } = await established();
      const calls = [link.call('job.show', { job_id: 'a' }, '/bench'), link.call('info', {}, null)];
      expect([await peer.nextLine(), await peer.nextLine()]).toEqual([
        { id: 1, operation: 'job.show', arguments: { job_id: 'a' }, project: '/bench' },
        { id: 2, operation: 'info', arguments: {}, project: null },
      ]);
      peer.send({ id: 2, result: 'second' });
      peer.send({ id: 1, result: 'first' });
      expect(await Promise.all(calls)).toEqual(['first', 'second']);
    });

    it('matches many answers to many calls, whatever order they come in', async () => {
      const { link, peer } = await established();
      const calls = Array.from({ length: 200 }, (_, n) => link.call('echo', { n }, null));
      const requests: Request[] = [];
      while (requests.length < 200) requests.push(await peer.nextLine());
      for (const { id, arguments: values } of requests.reverse()) peer.send({ id, result: values });
      const results = await Promise.all(calls);
      expect(results).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })));
    });

    it('understands answers however the stream is cut', async () => {
      const { link, peer } = await established();
      const calls = [link.call('a', {}, null), link.call('b', {}, null)];
      const bytes = Buffer.from(
        encodeLine({ id: 1, result: 'Prüfstand ✓' }) + encodeLine({ id: 2, result: 2 }),
      );
      for (const byte of bytes) peer.say(Buffer.of(byte));
      expect(await Promise.all(calls)).toEqual(['Prüfstand ✓', 2]);
    });

    it('fails with the error that the daemon answers, code and details', async () => {
      const { link, peer } = await established();
      const call = link.call('job.show', { job_id: 'x' }, null);
      const { id } = await peer.nextLine<Request>();
      const error = new BusbarError('job_not_found', {
        message: 'x is gone',
        details: { job_id: 'x' },
      });
      peer.send({ id, error: error.toRecord() });
      await expect(call).rejects.toMatchObject({
        name: 'BusbarError',
        code: 'job_not_found',
        message: 'x is gone',
        details: { job_id: 'x' },
      });
    });

    it('can go on after a call has failed', async () => {
      const { link, peer } = await established();
      const failing = link.call('a', {}, null);
      peer.send({ id: 1, error: new BusbarError('job_not_found').toRecord() });
      await expect(failing).rejects.toMatchObject({ code: 'job_not_found' });
      const call = link.call('b', {}, null);
      peer.send({ id: 2, result: 'fine' });
      expect(await call).toBe('fine');
    });

    it('does not mind an answer that nobody waits for', async () => {
      const { link, peer } = await established();
      const call = link.call('a', {}, null);
      peer.send({ id: 99, result: 'stray' });
      peer.send({ id: 1, result: 'mine' });
      peer.send({ id: 1, result: 'again' });
      expect(await call).toBe('mine');
    });

    it('fails every call that is open when the daemon hangs up', async () => {
      const { link, peer } = await established();
      const calls = [link.call('a', {}, null), link.call('b', {}, null)];
      peer.hangUp();
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes).toMatchObject([
        { status: 'rejected', reason: failure },
        { status: 'rejected', reason: failure },
      ]);
    });

    it('fails a call that is made when the daemon has hung up', async () => {
      const { link, peer } = await established();
      peer.hangUp();
      await link.closed();
      await expect(link.call('a', {}, null)).rejects.toMatchObject(failure);
    }, 2000);

    it.each([
      ['no JSON', 'nonsense\n'],
      ['no record', 'null\n'],
      ['a line without end', 'x'.repeat(longestLine + 1)],
    ])(
      'fails what is open when the daemon talks nonsense: %s',
      async (_, text) => {
        const { link, peer } = await established();
        const call = link.call('a', {}, null);
        peer.say(text);
        await expect(call).rejects.toBeInstanceOf(BusbarError);
      },
      2000,
    );
  });

  describe('ending', () => {
    it('lets the daemon see that the caller has left', async () => {
      const { link, peer } = await established();
      link.close();
      await peer.left();
      await link.closed();
    });

    it('tells when the daemon has hung up, also afterwards', async () => {
      const { link, peer } = await established();
      const closed = link.closed();
      peer.hangUp();
      await closed;
      expect(await link.closed()).toBeUndefined();
    });
  });
});
