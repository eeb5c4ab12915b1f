import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../../src/base/native/system-timer.ts';
import { BenchThread } from '../../../src/daemon/compose/bench-thread.ts';
import type { ThreadName } from '../../../src/daemon/threads/supervisor.ts';
import { Connection } from '../../../src/link/connection.ts';
import { locateHome, prepareHome } from '../../../src/link/home.ts';
import { eventually, repository } from '../../support/workbench.ts';

interface InnerDaemon {
  readonly project: string;
  /** Log of the daemon. */
  readonly log: readonly { readonly event: string; readonly thread?: string }[];
  /** Executes an operation as soon as the client thread accepts it. */
  call<T>(operation: string, values?: object): Promise<T>;
  /** The running thread with this name. */
  thread(name: ThreadName): Worker | undefined;
  /**
   * Kills a thread. The client thread is running again, with its Web service, when this
   * resolves.
   */
  kill(name: ThreadName): Promise<void>;
}

/** A daemon inside the test's own process, so that its threads can be killed one by one. */
export const startInnerDaemon = async (): Promise<InnerDaemon> => {
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
    sources: { commit: null, committed_at_us: null },
    packagedConsole: join(repository, 'dist', 'console'),
    packagedSite: join(repository, 'dist', 'site'),
    openTimer: await loadSystemTimer(new SystemClock()),
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

  const clock = new SystemClock();
  const connect = async (): Promise<Connection> => {
    const link = await Connection.open({ socket: home.socket, version: 'test', clock });
    if (link) return link;
    // The client thread is restarting, which takes longer on a busy machine.
    await pause(10);
    return connect();
  };
  const call = async <T>(operation: string, values: object = {}): Promise<T> => {
    const link = await connect();
    try {
      return (await link.call(operation, values, null)) as T;
    } finally {
      link.close();
    }
  };
  const webState = async (): Promise<string> => (await call<{ state: string }>('web.status')).state;
  const kill = async (name: ThreadName): Promise<void> => {
    const before = await webState();
    await threads.get(name)?.terminate();
    // It responds to calls before it has resumed its Web service.
    await eventually(async () => (await webState()) === before);
  };
  return { project, log, call, thread: (name) => threads.get(name), kill };
};
