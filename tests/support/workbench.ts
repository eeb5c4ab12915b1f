import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, onTestFinished } from 'vitest';
import { isRunning, recordedDaemon } from '../../src/link/daemon-record.ts';
import { locateHome } from '../../src/link/home.ts';
import { type Finished, runHere } from './cli-here.ts';
import { makePlace, returnSeat, type Seat, startSeat, takeSeat } from './seat.ts';
import { linkDaemon, projectAt } from './started-daemon.ts';

export const repository = resolve(import.meta.dirname, '..', '..');
export const busbar = join(repository, 'bin', 'busbar');

export type { Finished };

interface RunOptions {
  /** The CLI of another build. */
  readonly program?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;

/** Waits for a process that writes to pipes. */
export const endOf = (child: ChildProcessByStdio<null, Readable, Readable>): Promise<Finished> => {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((done) => {
    child.on('close', (code) => done({ code: code ?? -1, stdout, stderr }));
  });
};

const resultOf = (args: readonly string[], { code, stdout, stderr }: Finished): unknown => {
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
};

const failureOf = (args: readonly string[], { code, stdout, stderr }: Finished): CliFailure => {
  if (code === 0) throw new Error(`${args.join(' ')} succeeded: ${stdout}`);
  return { exit: code, stdout, ...JSON.parse(stderr).error };
};

/** Signals a process that may have ended already. */
const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
};

/**
 * A home and a project with the real CLI, separate or from a seat. Ends its daemon with the test.
 */
export class Workbench {
  readonly #seat: Seat | null;
  #isServed = false;
  readonly #directory: string;
  readonly home: string;
  readonly project: string;

  constructor(seat: Seat | null = null) {
    this.#seat = seat;
    this.#directory = seat?.directory ?? makePlace();
    this.home = join(this.#directory, 'home');
    this.project = join(this.#directory, 'project');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...inherited,
      BUSBAR_HOME: this.home,
      // The bench file of the user who runs the tests must not be used.
      XDG_CONFIG_HOME: join(this.#directory, 'config'),
      XDG_CACHE_HOME: join(this.#directory, 'cache'),
    };
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    const child = spawn(process.execPath, [options.program ?? busbar, ...args], {
      cwd: options.cwd ?? this.project,
      env: { ...this.environment, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return endOf(child);
  }

  /**
   * Exit code and output of a command, which is run in this process if possible: `run` is for
   * tests of processes.
   */
  async ask(args: readonly string[]): Promise<Finished> {
    return (await runHere(args, this)) ?? this.run(args);
  }

  /** The JSON result of a command that must succeed. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return resultOf(args, await this.ask([...args, '--format=json'])) as T;
  }

  /** The error of a command that must fail, and its exit code. */
  async failure(...args: string[]): Promise<CliFailure> {
    return failureOf(args, await this.ask([...args, '--format=json']));
  }

  /**
   * Calls an operation of the daemon without a CLI process, which would take longer. A daemon is
   * started if none runs.
   */
  async call<T = Record<string, unknown>>(operation: string, values: object = {}): Promise<T> {
    const link = await linkDaemon(this);
    try {
      return (await link.call(operation, values, projectAt(this.project))) as T;
    } finally {
      link.close();
    }
  }

  /** Starts the Web service on a free port and returns its address. */
  async startWeb(...args: string[]): Promise<WebAddress> {
    const free = '127.0.0.1:0';
    const { listen } =
      args.length === 0
        ? await this.call<WebAddress>('web.start', { listen: free })
        : await this.json<{ listen: string }>('web', 'start', `--listen=${free}`, ...args);
    return { listen, port: Number(listen.slice(listen.lastIndexOf(':') + 1)) };
  }

  /** The Web service of the seat; another one if the seat has none, or if it was stopped. */
  async serve(): Promise<WebAddress> {
    if (this.#seat === null || this.#isServed) return this.startWeb();
    this.#isServed = true;
    return startSeat(this.#seat, this);
  }

  get daemonPid(): number | null {
    const record = join(this.home, 'daemon.json');
    return existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).pid : null;
  }

  get log(): string {
    const path = join(this.home, 'daemon.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async dispose(): Promise<void> {
    if (this.#seat && (await returnSeat(this.#seat, this))) return;
    await this.#endDaemon();
    // If no code was compiled at build time, a process of the first start still writes to the
    // cache.
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  /** An orderly stop, as by `daemon stop`, but without a process if the daemon is known. */
  async #endDaemon(): Promise<void> {
    if (!existsSync(this.home)) return;
    const pid = recordedDaemon(locateHome(this.environment));
    if (pid === null) {
      await this.run(['daemon', 'stop']);
      return;
    }
    signalTo(pid, 'SIGTERM');
    // A stopped process receives no signal before it continues.
    signalTo(pid, 'SIGCONT');
    await eventually(() => !isRunning(pid));
  }
}

export interface CliFailure {
  readonly exit: number;
  readonly stdout: string;
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
  readonly retryable: boolean;
  readonly hint: string | null;
}

export interface WebAddress {
  readonly listen: string;
  readonly port: number;
}

/** A workbench that is removed when the running test ends. */
export const setUpWorkbench = (): Workbench => {
  const bench = new Workbench();
  onTestFinished(() => bench.dispose());
  return bench;
};

/**
 * A workbench for the running test, once it serves. Its daemon has served other tests: slots and
 * event ids continue.
 */
export const borrowWorkbench = (): Workbench => {
  const bench = new Workbench(takeSeat());
  onTestFinished(() => bench.dispose());
  return bench;
};

/**
 * A workbench for all tests of a file. Each test finds a running daemon, no Web service and no files. The record
 * of the Web service still has the options of its last start, and the log continues.
 */
export const reuseWorkbench = (): (() => Promise<Workbench>) => {
  const bench = new Workbench();
  afterAll(() => bench.dispose());
  const reset = async (): Promise<void> => {
    await bench.call('web.stop');
    for (const name of readdirSync(bench.project))
      rmSync(join(bench.project, name), { recursive: true });
  };
  return async () => {
    onTestFinished(reset);
    await bench.call('daemon.status');
    return bench;
  };
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Shorter than the time limit of a test, so that a hang names the line that waits. */
const endlessMs = 150_000;

/** Polls a condition until it is true. */
export const eventually = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const stuck = new Error('The condition never became true');
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > endlessMs) throw stuck;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
