import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../../src/base/clock/system-clock.ts';
import { BenchThread } from '../../../src/daemon/compose/bench-thread.ts';
import { Connection } from '../../../src/link/connection.ts';
import { locateHome, prepareHome } from '../../../src/link/home.ts';
import { repository } from '../../support/workbench.ts';

interface InnerDaemon {
  /** Carries out an operation, as soon as the client thread is there to take it. */
  call<T>(operation: string, values?: object): Promise<T>;
  killClientThread(): Promise<void>;
}

/** A daemon inside the test's own process, so that the thread of its clients can be killed. */
export const startInnerDaemon = async (): Promise<InnerDaemon> => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-test-')));
  const project = join(directory, 'project');
  mkdirSync(project);
  const home = locateHome({ BUSBAR_HOME: join(directory, 'home') });
  prepareHome(home);
  const clients: Worker[] = [];
  const bench = new BenchThread({
    home,
    projectRoot: project,
    packagedConsole: join(repository, 'console', 'public'),
    realtime: false,
    startThread: (name, workerData) => {
      const file = join(repository, 'dist', `${name}.cjs`);
      const worker = new Worker(file, { name, workerData, stderr: true });
      if (name === 'client') clients.push(worker);
      return worker;
    },
    writeLog: () => undefined,
    onStopped: () => undefined,
  });
  await bench.start();
  onTestFinished(async () => {
    await bench.stop();
    rmSync(directory, { recursive: true });
  });

  const call = async <T>(operation: string, values: object = {}): Promise<T> => {
    const clock = new SystemClock();
    for (;;) {
      const link = await Connection.open({ socket: home.socket, version: 'test', clock });
      // Null while the client thread is on its way up again.
      if (!link) continue;
      try {
        return (await link.call(operation, values, null)) as T;
      } finally {
        link.close();
      }
    }
  };
  return {
    call,
    killClientThread: async () => {
      await clients.at(-1)?.terminate();
    },
  };
};
