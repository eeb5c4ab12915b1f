import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { eventually, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { daemonsOf, hasEnded } from './support/processes.ts';

const socketOf = (bench: Workbench): string => join(bench.home, 'busbar.sock');
const recordOf = (bench: Workbench): string => join(bench.home, 'daemon.json');
const webMemoryOf = (bench: Workbench): string => join(bench.home, 'web.json');

const killDaemon = async (bench: Workbench): Promise<number> => {
  const pid = bench.daemonPid ?? -1;
  process.kill(pid, 'SIGKILL');
  await eventually(() => hasEnded(pid));
  return pid;
};

/**
 * A workbench must work with any content of its home: report stopped, start, report running,
 * stop.
 */
const expectUsable = async (bench: Workbench): Promise<void> => {
  expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped', pid: null });
  expect(await bench.json('daemon', 'stop')).toMatchObject({ state: 'stopped', pid: null });
  const { pid } = await bench.json<{ pid: number }>('daemon', 'start');
  expect(daemonsOf(bench.home)).toEqual([pid]);
  expect(bench.daemonPid).toBe(pid);
  expect(lstatSync(socketOf(bench)).isSocket()).toBe(true);
  expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running', pid });
  await bench.json('daemon', 'stop');
  expect(existsSync(socketOf(bench))).toBe(false);
};

describe('after a daemon was killed', () => {
  it('says so and starts a new one over what the dead one left', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    await killDaemon(bench);
    expect(existsSync(socketOf(bench))).toBe(true);
    expect(existsSync(recordOf(bench))).toBe(true);
    await expectUsable(bench);
  });

  it('answers the stopped Web record with what the last start was told', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb('--log-level=error');
    await killDaemon(bench);
    expect(await bench.json('web', 'status')).toMatchObject({
      state: 'stopped',
      configured_listen: '127.0.0.1:0',
      effective_listen: null,
      log_level: 'error',
    });
    expect(await bench.json('web', 'stop')).toMatchObject({ state: 'stopped' });
    expect(daemonsOf(bench.home)).toEqual([]);
  });

  it('starts the Web service again on the very port it had', async () => {
    const bench = setUpWorkbench();
    const { listen, port } = await bench.startWeb();
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(200);
    const killed = await killDaemon(bench);

    expect(await bench.json('web', 'start', `--listen=${listen}`)).toMatchObject({
      state: 'running',
      listen,
    });
    const health = (await ask({ port, path: '/api/v1/health' })).json();
    expect(health.daemon.pid).not.toBe(killed);
    expect(daemonsOf(bench.home)).toEqual([health.daemon.pid]);
  });
});

/** An unrelated process. */
const startStranger = (): ChildProcess => {
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  return stranger;
};

const prepareHome = (bench: Workbench): void => void mkdirSync(bench.home, { mode: 0o700 });

describe('a home that is not as a daemon leaves it', () => {
  it('is recovered from a plain file in the place of the socket', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    writeFileSync(socketOf(bench), 'not a socket');
    await expectUsable(bench);
  });

  itLong('is recovered from the record of a process that is long gone', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    const gone = spawn('true', { stdio: 'ignore' });
    await new Promise((done) => gone.once('exit', done));
    writeFileSync(recordOf(bench), JSON.stringify({ pid: gone.pid, version: '0.0.1' }));
    await expectUsable(bench);
  });

  it('is recovered from the record of a stranger, who is left alone', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    const stranger = startStranger();
    writeFileSync(recordOf(bench), JSON.stringify({ pid: stranger.pid, version: '0.0.1' }));
    await expectUsable(bench);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  });

  itLong.each([
    ['half a document', '{"pid": 1'],
    ['a document of another kind', '["pid", {}]'],
    ['bytes', '\u0000\u0001\u00ff'],
  ])('is recovered from records that hold %s', async (_, content) => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    writeFileSync(recordOf(bench), content);
    writeFileSync(webMemoryOf(bench), content);
    expect(await bench.json('web', 'status')).toMatchObject({
      state: 'stopped',
      configured_listen: null,
      log_level: 'info',
      log_destination: 'stderr',
    });
    await bench.startWeb();
    expect(JSON.parse(readFileSync(recordOf(bench), 'utf8')).pid).toBe(daemonsOf(bench.home)[0]);
    expect(await bench.json('web', 'stop')).toMatchObject({ configured_listen: '127.0.0.1:0' });
  });

  it('does not report what a spoilt Web record could never have been told', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    const corrupted = { configuredListen: 8080, logLevel: 'LOUD', logDestination: null };
    writeFileSync(webMemoryOf(bench), JSON.stringify(corrupted));
    expect(await bench.json('web', 'status')).toMatchObject({
      configured_listen: null,
      log_level: 'info',
      log_destination: 'stderr',
    });
  });

  itLong.each(['busbar.sock', 'daemon.lock', 'daemon.log', 'daemon.json'])(
    'refuses to start on a directory in the place of %s, and leaves nothing running',
    async (name) => {
      const bench = setUpWorkbench();
      prepareHome(bench);
      mkdirSync(join(bench.home, name, 'kept'), { recursive: true });
      expect(await bench.failure('daemon', 'start')).toMatchObject({
        code: 'daemon_start_failed',
        message: expect.not.stringContaining('should not'),
        exit: 3,
      });
      await eventually(() => daemonsOf(bench.home).length === 0);
      expect(existsSync(join(bench.home, name, 'kept'))).toBe(true);
      expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'stopped' });
    },
  );

  it('starts the Web service truthfully where its start cannot be remembered', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    mkdirSync(join(webMemoryOf(bench), 'kept'), { recursive: true });
    const { code } = await bench.run(['web', 'start', '--listen=127.0.0.1:0']);
    const { state } = await bench.json('web', 'status');
    expect({ code, state }).toEqual({ code: 0, state: 'running' });
  });
});

/** Another program at the other end of the socket. */
const serveSocket = async (bench: Workbench, serve: (socket: Socket) => void): Promise<void> => {
  prepareHome(bench);
  const server = createServer(serve);
  await new Promise<void>((done) => server.listen(socketOf(bench), done));
  onTestFinished(() => void server.close());
};

const daemonOfAnotherProtocol = `
  const hello = { busbar: 999, version: '9.9.9', pid: process.pid };
  require('node:net')
    .createServer((socket) => socket.on('error', () => {}).write(JSON.stringify(hello) + '\\n'))
    .listen(process.argv[1], () => console.log('ready'));
`;

describe('a socket that no daemon of ours answers', () => {
  it.each([
    ['speaks no JSON', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['speaks JSON of another kind', '[]\nnull\n7\n'],
    ['is of another protocol', '{"busbar":999,"version":"9.9.9","pid":1}\n'],
  ])('is reported when it %s', async (_, greeting) => {
    const bench = setUpWorkbench();
    await serveSocket(bench, (socket) => socket.on('error', () => undefined).end(greeting));
    const { exit, code, stdout } = await bench.failure('daemon', 'status');
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' });
    expect(['daemon_unreachable', 'version_mismatch']).toContain(code);
  });

  it('can be stopped as the hint says when it is of another protocol', async () => {
    const bench = setUpWorkbench();
    prepareHome(bench);
    const oldDaemon = spawn(process.execPath, ['-e', daemonOfAnotherProtocol, socketOf(bench)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((done) => oldDaemon.once('exit', done));
    onTestFinished(() => void oldDaemon.kill('SIGKILL'));
    await new Promise((ready) => oldDaemon.stdout?.once('data', ready));

    const { code, hint } = await bench.failure('daemon', 'start');
    expect(code).toBe('version_mismatch');
    expect(hint).toContain('busbar daemon stop');
    expect(await bench.json('daemon', 'stop')).toMatchObject({ state: 'stopped' });
    await ended;
    await bench.json('daemon', 'start');
  });

  it('is reported when the daemon is frozen, for every command alike', async () => {
    const bench = setUpWorkbench();
    const { pid } = await bench.json<{ pid: number }>('daemon', 'start');
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));

    const commands = [
      ['daemon', 'status'],
      ['daemon', 'start'],
      ['daemon', 'stop'],
      ['web', 'status'],
      ['web', 'start', '--listen=127.0.0.1:0'],
    ];
    const failures = await Promise.all(commands.map((command) => bench.failure(...command)));
    expect(failures.map(({ exit, code }) => [exit, code])).toEqual(
      commands.map(() => [3, 'daemon_unreachable']),
    );

    process.kill(pid, 'SIGCONT');
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running', pid });
  });
});
