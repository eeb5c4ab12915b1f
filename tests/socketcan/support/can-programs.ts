import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { eventually } from '../../support/workbench.ts';

const execute = promisify(execFile);

/** Runs a program of another maker until it ends, and returns its output. */
export const program = async (name: string, ...args: string[]): Promise<string> =>
  (await execute(name, args)).stdout;

/**
 * The command for a Python program that needs only the standard library. Python in PATH may be a
 * script of a version manager, which starts twenty times as slowly in an emulated machine.
 */
export const standardPython = (code: string, ...args: string[]): readonly [string, string[]] => [
  '/usr/bin/python3',
  ['-I', '-S', '-c', code, ...args],
];

export class Peer {
  readonly child: ChildProcess;
  output = '';
  /** It has ended, and all its output has been read. */
  hasEnded = false;

  constructor(name: string, ...args: string[]) {
    this.child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.child.once('close', () => {
      this.hasEnded = true;
    });
    onTestFinished(() => this.stop());
  }

  get lines(): string[] {
    return this.output.split('\n').filter((line) => line.trim() !== '');
  }

  stop(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.once('close', () => resolve());
      this.child.kill('SIGKILL');
    });
  }
}

/** Sockets that receive all frames of an interface. */
const listeners = (name: string): number =>
  readFileSync('/proc/net/can/rcvlist_all', 'utf8')
    .split('\n')
    .filter((line) => line.trim().startsWith(`${name} `)).length;

/** candump on an interface, once it listens. */
export const dumpOf = async (name: string): Promise<Peer> => {
  const before = listeners(name);
  const dump = new Peer('candump', '-L', name);
  await eventually(() => listeners(name) > before);
  return dump;
};
