import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pause } from '../../src/base/clock/pause.ts';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { BusbarError } from '../../src/base/errors/busbar-error.ts';
import { product } from '../../src/base/product.ts';
import { Connection } from '../../src/link/connection.ts';
import { recordedDaemon } from '../../src/link/daemon-record.ts';
import { engineFlags } from '../../src/link/engine-flags.ts';
import { type Home, locateHome, prepareHome } from '../../src/link/home.ts';
import { type StartReport, type StartStage, starterFd } from '../../src/link/start-report.ts';

const program = resolve(import.meta.dirname, '..', '..', 'dist', 'daemon.cjs');
const clock = new SystemClock();

/** Environment and working directory of a started daemon. */
export interface ProcessEnvironment {
  readonly environment: NodeJS.ProcessEnv;
  readonly project: string;
}

const readReport = async (pipe: Readable): Promise<StartReport | undefined> => {
  for await (const line of createInterface(pipe)) {
    const said = JSON.parse(line) as StartReport | StartStage;
    if (!('stage' in said)) return said;
  }
  return undefined;
};

/** Starts a daemon as the CLI does; resolves once it serves. */
const spawnDaemon = async (
  home: Home,
  { environment, project }: ProcessEnvironment,
): Promise<void> => {
  prepareHome(home);
  const log = openSync(home.log, 'a', 0o600);
  const child = spawn(process.execPath, [...engineFlags, program], {
    cwd: project,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    env: environment,
  });
  closeSync(log);
  const pipe = child.stdio[starterFd] as Readable;
  const report = await readReport(pipe);
  pipe.destroy();
  child.unref();
  if (!report) throw new Error(`the daemon ended before it was ready; see ${home.log}`);
  if ('error' in report) throw BusbarError.fromRecord(report.error);
};

/** Long enough for a busy machine and a busy process. */
const helloTimeoutMs = 60_000;

/** Whether another daemon is starting or stopping: it has the lock, or closes the connection. */
const isRacing = ({ code, details }: BusbarError): boolean =>
  code === 'already_running' || details.reason === 'hung_up';

/** The link to the daemon of a home, which is started if none runs. */
export const linkDaemon = async (around: ProcessEnvironment): Promise<Connection> => {
  const home = locateHome(around.environment);
  const { socket } = home;
  const options = { socket, version: product.version, clock, helloTimeoutMs };
  for (;;) {
    try {
      const link = await Connection.open(options);
      if (link) return link;
      // A running daemon that cannot be reached now will be reachable soon.
      if (recordedDaemon(home) === null) await spawnDaemon(home, around);
    } catch (thrown) {
      if (!isRacing(BusbarError.from(thrown))) throw thrown;
    }
    await pause(clock, 10);
  }
};

/** The project of a command that runs in a folder. */
export const projectAt = (folder: string): string | null =>
  existsSync(join(folder, 'busbar.bench.json')) ? folder : null;
