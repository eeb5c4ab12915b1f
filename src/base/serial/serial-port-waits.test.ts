import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Plugin } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../testing/bundle-program.ts';
import { compileShared, hasCompiler } from '../testing/compile.ts';
import { eventually } from '../testing/eventually.ts';
import { PtyPair } from './testing/pty-pair.ts';

const here = import.meta.dirname;

/** A bundle elsewhere would not find koffi. */
const koffiFromHere: Plugin = {
  name: 'koffi-from-here',
  setup: ({ onResolve }) => {
    const path = createRequire(import.meta.url).resolve('koffi');
    onResolve({ filter: /^koffi$/ }, () => ({ path, external: true }));
  },
};

/** Name of a call, by its kernel number. */
const names: Readonly<Record<string, string>> = {
  'ioctl 802c542a': 'TCGETS2',
  'ioctl 402c542b': 'TCSETS2',
  'ioctl 402c542c': 'TCSETSW2',
  'ioctl 541e': 'TIOCGSERIAL',
  'ioctl 5421': 'FIONBIO',
  'ioctl 5427': 'TIOCSBRK',
  'ioctl 5428': 'TIOCCBRK',
  'tcflush 2': 'TCIOFLUSH',
  'open 800': 'open O_NONBLOCK',
  'close 0': 'close',
};
const nameOf = (call: string): string => names[call] ?? call;

const lines = (stream: Readable): string[] => {
  const reported: string[] = [];
  createInterface({ input: stream }).on('line', (line) => reported.push(line));
  return reported;
};

/** A process with a port whose device answers a call only when the test allows it. */
class SlowPort {
  readonly calls: string[];
  readonly #process: ChildProcess;
  readonly #said: string[];
  #passed = 0;

  constructor(program: string, library: string, path: string, ...options: string[]) {
    this.#process = spawn(process.execPath, [program, path, ...options], {
      env: { ...process.env, LD_PRELOAD: library, WAITING_DEVICE: path },
      stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
    });
    this.#said = lines(this.#process.stdout as Readable);
    this.calls = lines(this.#process.stdio[3] as Readable);
  }

  report(command: string): void {
    (this.#process.stdin as Writable).write(`${command}\n`);
  }

  get said(): string[] {
    return this.#said.filter((line) => line !== 'pong');
  }

  /** Device calls of the main thread. */
  get onMainThread(): string[] {
    return this.#callsOf('main');
  }

  get onPool(): string[] {
    return this.#callsOf('pool');
  }

  /**
   * Waits for the next blocked call, checks that the main thread still runs, then releases the
   * call.
   */
  async passCall(): Promise<void> {
    const number = this.#passed;
    await eventually(() => this.onPool.length > number);
    const pongs = this.#pongs;
    this.report('ping');
    await eventually(() => this.#pongs > pongs);
    expect(this.onPool).toHaveLength(number + 1);
    this.#passed += 1;
    (this.#process.stdio[4] as Writable).write('.');
  }

  /** Releases calls until the process prints a line with this prefix. */
  async passUntil(said: string): Promise<void> {
    const isSaid = (): boolean => this.said.some((line) => line.startsWith(said));
    while (!isSaid()) {
      await eventually(() => isSaid() || this.onPool.length > this.#passed);
      if (!isSaid()) await this.passCall();
    }
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  get #pongs(): number {
    return this.#said.filter((line) => line === 'pong').length;
  }

  #callsOf(thread: string): string[] {
    return this.calls
      .filter((line) => line.startsWith(thread))
      .map((line) => nameOf(line.slice(thread.length + 1)));
  }
}

describe.runIf(process.platform === 'linux' && hasCompiler)('a thread with a serial port', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'busbar-waits-'));
  const program = join(scratch, 'program.mjs');
  const library = join(scratch, 'waiting-calls.so');
  let pair: PtyPair;
  let port: SlowPort | undefined;

  beforeAll(async () => {
    compileShared(join(here, 'testing', 'waiting-calls.c'), library, '-ldl');
    const source = { file: join(here, 'testing', 'port-program.ts') };
    await bundleProgram(source, program, { plugins: [koffiFromHere] });
  });
  afterAll(() => rmSync(scratch, { recursive: true }));
  beforeEach(async () => {
    pair = await PtyPair.create();
  });
  afterEach(async () => {
    await port?.end();
    await pair.remove();
  });

  const start = (...options: string[]): SlowPort => {
    port = new SlowPort(program, library, realpathSync(pair.one), ...options);
    return port;
  };

  const asking = ['TCGETS2', 'TCSETS2', 'TCGETS2', 'TIOCGSERIAL'];
  const opening = ['open O_NONBLOCK', ...asking, 'TCIOFLUSH'];

  it('goes on while the port is opened and set up', async () => {
    const slow = start();
    slow.report('open');
    for (const _ of opening) {
      expect(slow.said).toEqual([]);
      await slow.passCall();
    }
    await eventually(() => slow.said.length > 0);
    expect(slow.said).toEqual(['opened']);
    expect(slow.onPool).toEqual(opening);
    // A flag of the open file, which only the kernel uses.
    expect(new Set(slow.onMainThread)).toEqual(new Set(['FIONBIO']));
  });

  it.each([
    ['', ['TIOCSBRK', 'TIOCCBRK', 'TCSETSW2'], ['FIONBIO']],
    ['prompt', ['TIOCSBRK', 'TCSETSW2'], ['FIONBIO', 'TIOCCBRK']],
  ])('goes on while the line is controlled: %s', async (option, onPool, onMain) => {
    const slow = start(option);
    slow.report('open');
    await slow.passUntil('opened');
    for (const command of ['low', 'high', 'rate']) {
      slow.report('write');
      slow.report(command);
      await slow.passUntil(command);
    }
    expect(slow.onPool.slice(opening.length)).toEqual(onPool);
    expect(new Set(slow.onMainThread)).toEqual(new Set(onMain));
  });

  it('goes on while the port is closed, and opens it again only then', async () => {
    const slow = start();
    slow.report('open');
    await slow.passUntil('opened');
    slow.report('write');
    slow.report('low');
    await eventually(() => slow.onPool.length > opening.length);
    slow.report('close');
    slow.report('open');
    // The break still waits for the device, which is closed afterwards.
    const closing = ['TIOCSBRK', 'TCIOFLUSH', 'close'];
    for (const _ of closing) await slow.passCall();
    for (const _ of opening) await slow.passCall();
    await eventually(() => slow.said.length > 1);
    expect(slow.said).toEqual(['opened', 'opened']);
    expect(slow.onPool).toEqual([...opening, ...closing, ...opening]);
    expect(new Set(slow.onMainThread)).toEqual(new Set(['FIONBIO']));
  });

  it.each(opening.map((call, at) => [call, at] as const))(
    'hears that the port is gone where it vanishes during %s',
    async (_, at) => {
      const slow = start();
      slow.report('open');
      for (let i = 0; i < at; i++) await slow.passCall();
      await eventually(() => slow.onPool.length > at);
      await pair.cut();
      await slow.passUntil('closed');
      expect(slow.said.filter((line) => line.startsWith('closed'))).toHaveLength(1);
    },
  );
});
