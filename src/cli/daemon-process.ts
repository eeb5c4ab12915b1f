import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { DemoPlace } from '../demo/demo-bench.ts';
import { cachedCodeFolder, findCodeFolder } from '../link/code-folder.ts';
import { engineFlags } from '../link/engine-flags.ts';
import { type Home, prepareHome } from '../link/home.ts';
import { type StartReport, type StartStage, starterFd } from '../link/start-report.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import { goneDirectory } from './gone-directory.ts';
import type { Output } from './output.ts';

/** A start that takes longer deserves a word, and then another one now and then. */
const firstNoticeMs = 5000;

const nextNoticeMs = 10_000;

interface StartNoticeOptions {
  readonly clock: Clock;
  readonly stderr: Output;
  readonly format: OutputFormat;
}

/** Tells people what a daemon that takes its time to start is at. Programs wait without a word. */
export class StartNotice {
  readonly #options: StartNoticeOptions;
  readonly #startedUs: number;
  #stage = 'loads its program';
  #timer: Timer | undefined;

  constructor(options: StartNoticeOptions) {
    this.#options = options;
    this.#startedUs = options.clock.monotonicUs();
    if (options.format === 'text') this.#await(firstNoticeMs);
  }

  /** What it is at, in words that go on from "it". */
  set stage(stage: string) {
    this.#stage = stage;
  }

  end(): void {
    this.#timer?.cancel();
  }

  #await(delayMs: number): void {
    const { clock, stderr } = this.#options;
    this.#timer = clock.after(delayMs, () => {
      const seconds = Math.floor((clock.monotonicUs() - this.#startedUs) / 1e6);
      stderr.write(`The daemon is still starting after ${seconds} s: it ${this.#stage}\n`);
      this.#await(nextNoticeMs);
    });
  }
}

interface SpawnOptions extends StartNoticeOptions {
  readonly home: Home;
  /** Becomes the project root. */
  readonly workingDirectory: string | null;
  /** Directory of the built files. */
  readonly distribution: string;
  readonly realtime: boolean;
  /** Lets the simulated vehicle drive. */
  readonly demo?: DemoPlace;
}

const demoFlag = ({ directory }: DemoPlace): string =>
  directory === null ? '--demo' : `--demo=${directory}`;

const daemonArguments = (options: SpawnOptions, ...flags: string[]): string[] => [
  ...engineFlags,
  join(options.distribution, 'daemon.cjs'),
  ...flags,
  ...(options.realtime ? ['--realtime'] : []),
  ...(options.demo ? [demoFlag(options.demo)] : []),
];

/**
 * Starting takes memory that is not needed any more afterwards. The C library keeps it, of one
 * thread as of the other, unless it is told how much free memory at the end of a heap is too much.
 */
const keptFreeBytes = 1024 * 1024;

const environmentFor = (home: Home): NodeJS.ProcessEnv => {
  // The token goes over the socket; in the environment of the daemon it would stay for good.
  const { BUSBAR_TOKEN: _, ...inherited } = process.env;
  return {
    MALLOC_TRIM_THRESHOLD_: String(keptFreeBytes),
    ...inherited,
    BUSBAR_HOME: home.directory,
  };
};

/**
 * What the daemon says on its pipe, or that it ended without a word. It is waited for as long as it
 * runs: the daemon itself knows whether its start goes on.
 */
const readReport = (pipe: Readable, options: SpawnOptions): Promise<StartReport> => {
  const { home } = options;
  const notice = new StartNotice(options);
  return new Promise<StartReport>((resolve) => {
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const said = JSON.parse(text.slice(0, end)) as StartReport | StartStage;
        text = text.slice(end + 1);
        if ('stage' in said) notice.stage = said.stage;
        else resolve(said);
      }
    });
    pipe.on('error', () => undefined);
    pipe.on('close', () => {
      const error = new BusbarError('daemon_start_failed', {
        message: `The daemon ended before it was ready; see ${home.log}`,
        details: { log: home.log },
      });
      resolve({ error: error.toRecord() });
    });
  }).finally(() => notice.end());
};

const compilerNiceness = 5;

/**
 * Behind the first start of an installation: packages bring no code of V8, because it is of one version of it. A
 * user who has no place for it starts from the sources, which takes longer.
 */
const compileForNextStart = ({ distribution }: SpawnOptions): void => {
  if (findCodeFolder(distribution, process.env) !== null) return;
  const folder = cachedCodeFolder(distribution, process.env);
  if (folder === null) return;
  const child = spawn(process.execPath, [join(distribution, 'compile.cjs'), folder], {
    detached: true,
    stdio: 'ignore',
    // Nothing of the caller's: no home of a daemon, and no token.
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
  });
  child.unref();
  // Behind what the caller does next, and yet done soon on a machine that is never idle.
  if (child.pid !== undefined) setPriority(child.pid, compilerNiceness);
};

/** Where a daemon is started: where its caller stands. */
export const startDirectory = (workingDirectory: string | null): string => {
  if (workingDirectory !== null) return workingDirectory;
  throw new BusbarError('daemon_start_failed', {
    message: `The daemon cannot be started here: ${goneDirectory}`,
    details: { reason: 'no_working_directory' },
  });
};

const openLog = (home: Home): number => {
  try {
    return openSync(home.log, 'a', 0o600);
  } catch (cause) {
    throw new BusbarError('daemon_start_failed', {
      message: `The daemon's log cannot be opened: ${home.log}`,
      details: { log: home.log, reason: (cause as NodeJS.ErrnoException).code },
      cause,
    });
  }
};

/** Starts a daemon that outlives this process; resolves once it serves, rejects with why it cannot. */
export const spawnDetachedDaemon = async (options: SpawnOptions): Promise<void> => {
  startDirectory(options.workingDirectory);
  prepareHome(options.home);
  const log = openLog(options.home);
  const child = spawn(process.execPath, daemonArguments(options), {
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    env: environmentFor(options.home),
  });
  closeSync(log);
  const pipe = child.stdio[starterFd] as Readable;
  const report = await readReport(pipe, options);
  pipe.destroy();
  child.unref();
  if ('error' in report) throw BusbarError.fromRecord(report.error);
  compileForNextStart(options);
};

/** Whether this process has a terminal that can still be opened. */
const hasTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
};

/** A daemon that lives and ends with this process, and gets its signals. */
export interface ForegroundDaemon {
  readonly report: Promise<StartReport>;
  /** Resolves with the daemon's exit code. */
  readonly ended: Promise<number>;
  stop(): void;
}

export const spawnForegroundDaemon = (options: SpawnOptions): ForegroundDaemon => {
  startDirectory(options.workingDirectory);
  prepareHome(options.home);
  const child = spawn(process.execPath, daemonArguments(options, '--foreground'), {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: environmentFor(options.home),
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const stop = (): void => void child.kill('SIGTERM');
  // From the first moment on, or a signal that comes early would end this process alone.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  const hadTerminal = hasTerminal();
  let isReady = false;
  process.on('SIGHUP', () => {
    // A terminal that hangs up takes along what runs in it; else it is about log files.
    if (hadTerminal && !hasTerminal()) stop();
    else if (isReady) child.kill('SIGHUP');
  });
  const report = readReport(child.stdio[starterFd] as Readable, options);
  void report.then((told) => {
    isReady = 'ready' in told;
    if (isReady) compileForNextStart(options);
  });
  return { report, ended, stop };
};
