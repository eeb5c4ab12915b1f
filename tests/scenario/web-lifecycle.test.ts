import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { eventually, reuseWorkbench, setUpWorkbench } from '../support/workbench.ts';
import { startDaemonInOwnNetwork } from './support/own-network.ts';
import { isRefused, takePort } from './support/ports.ts';
import { daemonsOf, listenersOf } from './support/processes.ts';
import { defaultListen, neverStarted, runningOn } from './support/web-records.ts';

interface Started {
  readonly listen: string;
  readonly started_at_us: number;
  readonly stream_epoch: number;
}

const reuse = reuseWorkbench();

describe('the record of the Web service', () => {
  itLong.each(['status', 'stop'])(
    'is complete before the first start, and web %s starts nothing for it',
    async (action) => {
      const bench = setUpWorkbench();
      expect(await bench.json('web', action)).toEqual(neverStarted);
      expect(daemonsOf(bench.home)).toEqual([]);

      await bench.json('daemon', 'start');
      expect(await bench.json('web', action)).toEqual(neverStarted);
    },
  );

  it('names the endpoint in use while it runs, and when stopped what was given', async () => {
    const bench = await reuse();
    const before = Date.now() * 1000;
    const started = await bench.json<Started>('web', 'start', '--listen=127.0.0.1:0');
    expect(started.listen).toMatch(/^127\.0\.0\.1:[1-9][0-9]*$/);
    expect(started).toEqual(runningOn(started.listen));
    expect(started.started_at_us).toBeGreaterThanOrEqual(before);
    expect(started.started_at_us).toBeLessThanOrEqual(Date.now() * 1000);
    expect(await bench.json('web', 'status')).toEqual(started);

    const stopped = { ...neverStarted, configured_listen: '127.0.0.1:0' };
    expect(await bench.json('web', 'stop')).toEqual(stopped);
    expect(await bench.json('web', 'status')).toEqual(stopped);
    expect(await bench.json('web', 'stop')).toEqual(stopped);
  });

  it('outlives the daemon, with the level and the destination of the last start', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb('--log-level=debug', '--log-file=web.log');
    await bench.json('web', 'stop');
    const stopped = {
      ...neverStarted,
      configured_listen: '127.0.0.1:0',
      log_level: 'debug',
      log_destination: `${bench.project}/web.log`,
    };
    await bench.json('daemon', 'stop');
    expect(await bench.json('web', 'status')).toEqual(stopped);
    await bench.json('daemon', 'start');
    expect(await bench.json('web', 'status')).toEqual(stopped);
  });

  itLong('shows a service that ended with its daemon as stopped', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb();
    await bench.json('daemon', 'stop');
    expect(await isRefused(port)).toBe(true);
    const stopped = { ...neverStarted, configured_listen: '127.0.0.1:0' };
    expect(await bench.json('web', 'status')).toEqual(stopped);
    await bench.json('daemon', 'start');
    expect(await bench.json('web', 'status')).toEqual(stopped);
  });

  itLong('gets a new epoch and a new time with every start', async () => {
    const bench = setUpWorkbench();
    const first = await bench.json<Started>('web', 'start', '--listen=127.0.0.1:0');
    await bench.json('web', 'stop');
    const second = await bench.json<Started>('web', 'start', `--listen=${first.listen}`);
    expect(second.listen).toBe(first.listen);
    expect(second.stream_epoch).toBeGreaterThan(first.stream_epoch);
    expect(second.started_at_us).toBeGreaterThan(first.started_at_us);
  });
});

describe('web start', () => {
  it('takes the default endpoint without remembering it as configured', async ({ skip }) => {
    const bench = setUpWorkbench();
    const apart = await startDaemonInOwnNetwork(bench);
    if (!apart && !process.env.CI) skip('needs unshare and ip to be sure of the default port');
    expect(apart).toBe(true);

    expect(await bench.json('web', 'start')).toEqual(runningOn(defaultListen));
    expect(await bench.json('web', 'stop')).toEqual(neverStarted);
    const localhost = 'localhost:18080';
    await bench.json('web', 'start', `--listen=${localhost}`);
    expect(await bench.json('web', 'stop')).toEqual({
      ...neverStarted,
      configured_listen: localhost,
    });
    expect(await bench.json('web', 'start')).toEqual(runningOn(defaultListen));
    expect(await bench.json('web', 'stop')).toEqual({
      ...neverStarted,
      configured_listen: localhost,
    });
  });

  it('starts the daemon, which web stop leaves running', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb();
    const [pid = -1, ...others] = daemonsOf(bench.home);
    expect(others).toEqual([]);
    expect(listenersOf(pid)).toEqual([port]);

    await bench.json('web', 'stop');
    expect(listenersOf(pid)).toEqual([]);
    expect(await isRefused(port)).toBe(true);
    expect(await bench.json('daemon', 'status')).toMatchObject({
      state: 'running',
      pid,
      web: 'stopped',
    });
  });

  it('refuses a second time with the record of what runs, and changes nothing', async () => {
    const bench = await reuse();
    const first = await bench.json<Started>('web', 'start', '--listen=127.0.0.1:0');
    const attempts = [
      [],
      ['--listen=127.0.0.1:0', '--log-level=debug', '--token=secret', '--history-capacity=7'],
      [`--listen=${first.listen}`],
    ];
    for (const options of attempts) {
      expect(await bench.failure('web', 'start', ...options)).toMatchObject({
        exit: 1,
        stdout: '',
        code: 'already_running',
        message: expect.stringContaining(first.listen),
        details: first,
      });
    }
    expect(await bench.json('web', 'status')).toEqual(first);
    const port = Number(first.listen.split(':')[1]);
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(200);
    expect(listenersOf(bench.daemonPid ?? -1)).toEqual([port]);
  });

  it('leaves everything as it was where the port is taken', async () => {
    const bench = await reuse();
    await bench.startWeb('--log-level=error');
    const before = await bench.json('web', 'stop');
    const taken = await takePort();

    const { code, details, exit, hint } = await bench.failure(
      'web',
      'start',
      `--listen=127.0.0.1:${taken}`,
      '--log-level=debug',
    );
    expect({ code, exit }).toEqual({ code: 'address_in_use', exit: 1 });
    expect(details).toMatchObject({ field: 'listen', listen: `127.0.0.1:${taken}` });
    expect(hint).toContain('--listen');
    expect(await bench.json('web', 'status')).toEqual(before);
    expect(await bench.json('health')).toMatchObject({ status: 'ok', daemon: { status: 'ok' } });
    await bench.startWeb();
  });
});

const connected = async (port: number): Promise<Socket> => {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

describe('web stop', () => {
  it('hangs up on clients that keep their connection alive', async () => {
    const bench = await reuse();
    const { port } = await bench.startWeb();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = (await once(
      get({ host: '127.0.0.1', port, path: '/api/v1/health', agent }),
      'response',
    )) as [IncomingMessage];
    const { socket } = response;
    await once(response.resume(), 'end');
    expect(socket.destroyed).toBe(false);

    const closed = once(socket, 'close');
    await bench.json('web', 'stop');
    await closed;
    expect(await isRefused(port)).toBe(true);
  });

  it('does not wait for clients that say nothing or not all', async () => {
    const bench = await reuse();
    const { port } = await bench.startWeb();
    const silent = await connected(port);
    const slow = await connected(port);
    slow.write('POST /api/v1/execute HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await eventually(async () => {
      const { web } = await bench.json<{ web: { clients: number } }>('health');
      return web.clients === 2;
    });

    const closed = Promise.all([once(silent, 'close'), once(slow, 'close')]);
    silent.resume();
    slow.resume();
    expect(await bench.json('web', 'stop')).toMatchObject({ state: 'stopped' });
    await closed;
  });
});
