import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { BenchThread } from '../../src/daemon/compose/bench-thread.ts';
import type { ThreadName } from '../../src/daemon/threads/supervisor.ts';
import { Connection } from '../../src/link/connection.ts';
import { locateHome, prepareHome } from '../../src/link/home.ts';
import { ask } from '../support/http.ts';
import { eventually, repository } from '../support/workbench.ts';

interface Health {
  readonly status: string;
  readonly daemon: {
    readonly threads: { name: string; state: string; restarts: number; last_failure: string }[];
    readonly scheduler: { readonly lateness_us: { readonly count: number } };
  };
}

/** A daemon inside the test's own process, so that its threads can be killed one by one. */
const startDaemon = async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-test-')));
  const project = join(directory, 'project');
  mkdirSync(project);
  const home = locateHome({ BUSBAR_HOME: join(directory, 'home') });
  prepareHome(home);
  const threads = new Map<ThreadName, Worker>();
  const log: { event: string; thread?: string }[] = [];
  const bench = new BenchThread({
    home,
    projectRoot: project,
    packagedConsole: join(repository, 'console', 'public'),
    realtime: false,
    startThread: (name, workerData) => {
      const file = join(repository, 'dist', `${name}.cjs`);
      const worker = new Worker(file, { name, workerData, stderr: true });
      threads.set(name, worker);
      return worker;
    },
    writeLog: (line) => log.push(JSON.parse(line)),
    onStopped: () => undefined,
  });
  await bench.start();
  onTestFinished(async () => {
    await bench.stop();
    rmSync(directory, { recursive: true });
  });

  const call = async <T>(operation: string, values: object = {}): Promise<T> => {
    for (;;) {
      const link = await Connection.open({
        socket: home.socket,
        version: 'test',
        clock: new SystemClock(),
      });
      // Null while the client thread is on its way up again.
      if (!link) continue;
      try {
        return (await link.call(operation, values, null)) as T;
      } finally {
        link.close();
      }
    }
  };
  const kill = async (name: ThreadName): Promise<void> => {
    await threads.get(name)?.terminate();
  };
  return { call, kill, log };
};

const threadIn = (health: Health, name: string) =>
  health.daemon.threads.find((thread) => thread.name === name);

describe('a thread of the daemon that dies', () => {
  it('is restarted and reported, if it serves the clients, with the Web service as it was', async () => {
    const { call, kill } = await startDaemon();
    const before = await call<{ listen: string; stream_epoch: number }>('web.start', {
      listen: '127.0.0.1:0',
      history_capacity: 100,
      log_level: 'off',
    });
    await kill('client');
    const health = await call<Health>('health');
    expect(threadIn(health, 'client')).toMatchObject({ restarts: 1, state: 'running' });
    expect(threadIn(health, 'client')?.last_failure).toContain('ended');
    const after = await call<{ listen: string; stream_epoch: number }>('web.status');
    expect(after).toMatchObject({ state: 'running', listen: before.listen, history_capacity: 100 });
    expect(after.stream_epoch).not.toBe(before.stream_epoch);
    const port = Number(before.listen.split(':')[1]);
    expect((await ask({ port, path: '/api/v1/info' })).status).toBe(200);
  });

  it('is restarted without a Web service where none ran', async () => {
    const { call, kill } = await startDaemon();
    await call('web.start', { listen: '127.0.0.1:0', log_level: 'off' });
    await call('web.stop');
    await kill('client');
    expect(await call('web.status')).toMatchObject({ state: 'stopped' });
  });

  it('is restarted and reported, if it keeps the time, and deadlines go on', async () => {
    const { call, kill } = await startDaemon();
    await kill('metronome');
    await eventually(async () => {
      const thread = threadIn(await call<Health>('health'), 'metronome');
      return thread?.restarts === 1 && thread.state === 'running';
    });
    const runs = async () => (await call<Health>('health')).daemon.scheduler.lateness_us.count;
    const soFar = await runs();
    await eventually(async () => (await runs()) > soFar);
  });

  it('is restarted and reported, if it loads files', async () => {
    const { call, kill, log } = await startDaemon();
    await kill('loader');
    await eventually(async () => {
      const health = await call<Health>('health');
      return threadIn(health, 'loader')?.restarts === 1 && health.status === 'ok';
    });
    expect(log.filter(({ event }) => event === 'thread_died')).toEqual([
      expect.objectContaining({ thread: 'loader', failure: 'ended with code 1' }),
    ]);
  });
});
