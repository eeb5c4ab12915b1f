import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { DemoFiles } from '../demo/demo-bench.ts';
import { cachedCodeFolder, findCodeFolder } from '../link/code-folder.ts';
import { engineFlags } from '../link/engine-flags.ts';
import { type Home, prepareHome } from '../link/home.ts';
import { type StartReport, type StartStage, starterFd } from '../link/start-report.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import { goneDirectory } from './gone-directory.ts';
import type { Output } from './output.ts';

/** Delay before a slow startup is reported, and interval between reports. */
const firstNoticeMs = 5000;

const nextNoticeMs = 10_000;

interface StartNoticeOptions {
  readonly clock: Clock;
  readonly stderr: Output;
  readonly format: OutputFormat;
}

/** Reports a slow startup on stderr, in text format only. */
export class StartNotice {
  readonly #options: StartNoticeOptions;
  readonly #startedUs: number;
  #stage = 'loading its program';
  #timer: Timer | undefined;

  constructor(options: StartNoticeOptions) {
    this.#options = options;
    this.#startedUs = options.clock.monotonicUs();
    if (options.format === 'text') this.#await(firstNoticeMs);
  }

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
      stderr.write(`The daemon is still starting after ${seconds} s: ${this.#stage}\n`);
      this.#await(nextNoticeMs);
    });
  }
}

interface SpawnOptions extends StartNoticeOptions {
  readonly home: Home;
  readonly workingDirectory: string | null;
  readonly distribution: string;
  readonly env: NodeJS.ProcessEnv;
  readonly realtime: boolean;
  readonly demo?: DemoFiles;
}

const demoFlag = ({ directory }: DemoFiles): string =>
  directory === null ? '--demo' : `--demo=${directory}`;

const daemonArguments = (options: SpawnOptions, ...flags: string[]): string[] => [
  ...engineFlags,
  join(options.distribution, 'daemon.cjs'),
  ...flags,
  ...(options.realtime ? ['--realtime'] : []),
  ...(options.demo ? [demoFlag(options.demo)] : []),
];

/** Limits the free memory that the C library retains after startup. */
const keptFreeBytes = 1024 * 1024;

const environmentFor = ({ home, env }: SpawnOptions): NodeJS.ProcessEnv => {
  // The token is sent over the socket; the daemon's environment would retain it.
  const { BUSBAR_TOKEN: _, ...inherited } = env;
  return {
    MALLOC_TRIM_THRESHOLD_: String(keptFreeBytes),
    ...inherited,
    BUSBAR_HOME: home.directory,
  };
};

/**
 * Reads the startup report of the daemon, or detects its exit. Waits as long as the daemon runs.
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
        message: `The daemon exited before it was ready; see ${home.log}`,
        details: { log: home.log },
      });
      resolve({ error: error.toRecord() });
    });
  }).finally(() => notice.end());
};

const compilerNiceness = 5;

/**
 * Runs after the first startup of an installation: packages contain no V8 code, which is specific
 * to a version. Without a cache directory, the daemon compiles its code at each startup.
 */
const compileForNextStart = ({ distribution, env }: SpawnOptions): void => {
  if (findCodeFolder(distribution, env) !== null) return;
  const folder = cachedCodeFolder(distribution, env);
  if (folder === null) return;
  const child = spawn(process.execPath, [join(distribution, 'compile.cjs'), folder], {
    detached: true,
    stdio: 'ignore',
    // Does not pass on the caller's home and token.
    env: { PATH: env.PATH, TMPDIR: env.TMPDIR },
  });
  child.unref();
  // Low priority, but soon complete on a busy machine.
  if (child.pid !== undefined) setPriority(child.pid, compilerNiceness);
};

/** The daemon starts in the caller's directory. */
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
      message: `Cannot open the daemon's log: ${home.log}`,
      details: { log: home.log, reason: (cause as NodeJS.ErrnoException).code },
      cause,
    });
  }
};

/** Starts a detached daemon. Resolves when it serves callers; rejects with the reason. */
export const spawnDetachedDaemon = async (options: SpawnOptions): Promise<void> => {
  const cwd = startDirectory(options.workingDirectory);
  prepareHome(options.home);
  const log = openLog(options.home);
  const child = spawn(process.execPath, daemonArguments(options), {
    detached: true,
    cwd,
    stdio: ['ignore', log, log, 'pipe'],
    env: environmentFor(options),
  });
  closeSync(log);
  const pipe = child.stdio[starterFd] as Readable;
  const report = await readReport(pipe, options);
  pipe.destroy();
  child.unref();
  if ('error' in report) throw BusbarError.fromRecord(report.error);
  compileForNextStart(options);
};

const hasTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
};

export interface ForegroundDaemon {
  readonly report: Promise<StartReport>;
  readonly ended: Promise<number>;
  stop(): void;
}

export const spawnForegroundDaemon = (options: SpawnOptions): ForegroundDaemon => {
  startDirectory(options.workingDirectory);
  prepareHome(options.home);
  const child = spawn(process.execPath, daemonArguments(options, '--foreground'), {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: environmentFor(options),
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const stop = (): void => void child.kill('SIGTERM');
  // Registered early: otherwise a signal would stop only this process.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  const hadTerminal = hasTerminal();
  let isReady = false;
  process.on('SIGHUP', () => {
    // A closed terminal stops its programs. Otherwise SIGHUP means that log files were rotated.
    if (hadTerminal && !hasTerminal()) stop();
    else if (isReady) child.kill('SIGHUP');
  });
  const report = readReport(child.stdio[starterFd] as Readable, options);
  void report.then((reported) => {
    isReady = 'ready' in reported;
    if (isReady) compileForNextStart(options);
  });
  return { report, ended, stop };
};
