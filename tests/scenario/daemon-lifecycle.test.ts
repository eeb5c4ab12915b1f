import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { product } from '../../src/base/product.ts';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { linkProtocol } from '../../src/link/protocol.ts';
import { setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { anyLateness, sameDaemon } from './support/daemon-records.ts';
import { daemonsOf, hasEnded } from './support/processes.ts';

const thread = (name: string) => ({ name, state: 'running', restarts: 0, last_failure: null });

const runningRecord = (bench: Workbench) => ({
  state: 'running',
  pid: expect.any(Number),
  version: product.version,
  home: bench.home,
  project_root: bench.project,
  started_at_us: expect.any(Number),
  realtime: 'off',
  last_minute_lateness_us: anyLateness,
  web: 'stopped',
  threads: [thread('loader'), thread('client')],
});

const stoppedRecord = (bench: Workbench) => ({
  state: 'stopped',
  pid: null,
  version: null,
  home: bench.home,
  project_root: null,
  started_at_us: null,
  realtime: null,
  last_minute_lateness_us: null,
  web: null,
  threads: [],
});

const permissions = (path: string): number => statSync(path).mode & 0o777;

describe('the life of a daemon', () => {
  it('starts, reports and stops with one record that has the same fields throughout', async () => {
    const bench = setUpWorkbench();
    const before = Date.now() * 1000;

    const started = await bench.json<{ pid: number; started_at_us: number }>('daemon', 'start');
    expect(started).toEqual(runningRecord(bench));
    expect(started.started_at_us).toBeGreaterThanOrEqual(before);
    expect(started.started_at_us).toBeLessThanOrEqual(Date.now() * 1000);
    expect(daemonsOf(bench.home)).toEqual([started.pid]);
    expect(bench.daemonPid).toBe(started.pid);

    expect(await bench.json('daemon', 'status')).toEqual(sameDaemon(started));
    expect(await bench.json('daemon', 'stop')).toEqual(stoppedRecord(bench));
    expect(await bench.json('daemon', 'status')).toEqual(stoppedRecord(bench));
  });

  it('shows in its record whether the Web service runs', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb();
    expect(await bench.json('daemon', 'status')).toEqual({
      ...runningRecord(bench),
      web: 'running',
    });
    await bench.json('web', 'stop');
    expect(await bench.json('daemon', 'status')).toEqual(runningRecord(bench));
  });

  it.each(['status', 'stop'])(
    'is not started by daemon %s, which answers the stopped record',
    async (action) => {
      const bench = setUpWorkbench();
      expect(await bench.json('daemon', action)).toEqual(stoppedRecord(bench));
      expect(existsSync(bench.home)).toBe(false);
      expect(daemonsOf(bench.home)).toEqual([]);
    },
  );

  it('refuses a second daemon with the record of the first and leaves that alone', async () => {
    const bench = setUpWorkbench();
    const first = await bench.json<{ pid: number }>('daemon', 'start');

    expect(await bench.failure('daemon', 'start')).toMatchObject({
      exit: 1,
      stdout: '',
      code: 'already_running',
      message: expect.stringContaining(String(first.pid)),
      details: sameDaemon(first),
    });
    expect(await bench.failure('daemon', 'start', '--foreground')).toMatchObject({
      exit: 1,
      code: 'already_running',
      details: sameDaemon(first),
    });
    expect(await bench.json('daemon', 'status')).toEqual(sameDaemon(first));
    expect(daemonsOf(bench.home)).toEqual([first.pid]);
  });

  it('takes the directory it was started in as project root, whatever --project says', async () => {
    const bench = setUpWorkbench();
    const store = join(bench.project, 'store');
    const elsewhere = join(bench.project, 'elsewhere');
    mkdirSync(store);
    mkdirSync(elsewhere);

    const { code } = await bench.run(['daemon', 'start', '--project=../elsewhere'], { cwd: store });
    expect(code).toBe(0);
    expect(await bench.json('daemon', 'status')).toMatchObject({ project_root: store });
    expect(await bench.json('info', `--project=${elsewhere}`)).toMatchObject({
      service: { project_root: store },
    });
  });

  itLong(
    'takes the directory of the command that needed it, where web start starts it',
    async () => {
      const bench = setUpWorkbench();
      const store = join(bench.project, 'store');
      mkdirSync(store);
      const { code } = await bench.run(['web', 'start', '--listen=127.0.0.1:0'], { cwd: store });
      expect(code).toBe(0);
      expect(await bench.json('daemon', 'status')).toMatchObject({ project_root: store });
    },
  );

  it('stops for good before the command returns, and starts again at once', async () => {
    const bench = setUpWorkbench();
    for (let round = 0; round < 2; round++) {
      const { pid } = await bench.json<{ pid: number }>('daemon', 'start');
      expect(hasEnded(pid)).toBe(false);
      expect((await bench.ask(['daemon', 'stop'])).code).toBe(0);
      expect(hasEnded(pid)).toBe(true);
      expect(readdirSync(bench.home).sort()).toEqual(['daemon.lock', 'daemon.log']);
    }
  });
});

describe('the home of a daemon', () => {
  it('is for its owner alone, with everything in it', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb();
    expect(permissions(bench.home)).toBe(0o700);
    expect(readdirSync(bench.home).sort()).toEqual([
      'busbar.sock',
      'daemon.json',
      'daemon.lock',
      'daemon.log',
      'web.json',
    ]);
    for (const name of readdirSync(bench.home))
      expect(permissions(join(bench.home, name))).toBe(0o600);
  });

  itLong('is closed to others where it was open to them before', async () => {
    const bench = setUpWorkbench();
    mkdirSync(bench.home);
    chmodSync(bench.home, 0o777);
    await bench.json('daemon', 'start');
    expect(permissions(bench.home)).toBe(0o700);
  });

  const refuses = async (bench: Workbench, home: string, message: string): Promise<void> => {
    for (const command of [
      ['daemon', 'start'],
      ['daemon', 'start', '--foreground'],
      ['web', 'start', '--listen=127.0.0.1:0'],
    ]) {
      const { code, stdout, stderr } = await bench.run([...command, '--format=json'], {
        env: { BUSBAR_HOME: home },
      });
      expect(stdout).toBe('');
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'daemon_start_failed',
        message: expect.stringContaining(message),
        details: { home },
      });
      expect(code).toBe(3);
      expect(daemonsOf(home)).toEqual([]);
    }
  };

  it('cannot have a path that is too long for a socket', async () => {
    const bench = setUpWorkbench();
    const home = join(bench.project, 'x'.repeat(120));
    await refuses(bench, home, 'too long');
    expect(existsSync(home)).toBe(false);
  });

  itLong('cannot be a file, or below one', async () => {
    const bench = setUpWorkbench();
    const file = join(bench.project, 'a-file');
    writeFileSync(file, 'kept');
    await refuses(bench, file, 'BUSBAR_HOME');
    await refuses(bench, join(file, 'home'), 'BUSBAR_HOME');
  });

  /**
   * Only root can change the owner of a directory; other users find enough directories owned by
   * root.
   */
  const foreignDirectory = (bench: Workbench): string => {
    if (process.getuid?.() !== 0) return '/usr';
    mkdirSync(bench.home, { mode: 0o777 });
    chownSync(bench.home, 65534, 65534);
    return bench.home;
  };

  it('cannot belong to another user', async () => {
    const bench = setUpWorkbench();
    await refuses(bench, foreignDirectory(bench), 'another user');
  });

  it('is not trusted when it is another user’s, who could pose as the daemon and collect tokens', async ({
    skip,
  }) => {
    if (process.getuid?.() !== 0) skip();
    const bench = setUpWorkbench();
    const home = foreignDirectory(bench);
    let received = '';
    const impostor = createServer((socket) => {
      socket.on('data', (chunk) => {
        received += chunk;
        socket.write(
          `${JSON.stringify({ busbar: linkProtocol, version: product.version, pid: 1 })}\n`,
        );
        if (received.includes('"operation"')) socket.write('{"id":1,"result":{}}\n');
      });
    });
    await new Promise<void>((done) => impostor.listen(join(home, 'busbar.sock'), done));
    onTestFinished(() => void impostor.close());

    const { code, stdout } = await bench.ask(['web', 'start', '--token=a-secret-of-mine']);
    expect(received).not.toContain('a-secret-of-mine');
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });
});
