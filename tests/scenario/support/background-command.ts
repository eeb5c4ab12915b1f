import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { busbar, eventually, type Workbench } from '../../support/workbench.ts';

/** How a process ended: one of the two is null. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running command with its output so far. It leads its own process group. */
export class BackgroundCommand {
  readonly pid: number;
  /** Resolves when the process has ended and all its output has been read. */
  readonly ended: Promise<Ending>;
  isRunning = true;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(bench: Workbench, args: readonly string[]) {
    this.#child = spawn(process.execPath, [busbar, ...args], {
      cwd: bench.project,
      env: bench.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.pid = this.#child.pid ?? -1;
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.isRunning = false;
        resolve({ code, signal });
      });
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Like a terminal: every process in the group receives the signal. */
  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** Waits for text; fails immediately if the command ends before it prints the text. */
  async printed(stream: 'stdout' | 'stderr', text: string): Promise<void> {
    await eventually(() => this[stream].includes(text) || !this.isRunning);
    if (!this[stream].includes(text)) {
      throw new Error(`ended without ${text}: ${this.stdout}${this.stderr}`);
    }
  }
}

/** Starts a command that must not outlive the test. */
export const runInBackground = (bench: Workbench, ...args: string[]): BackgroundCommand => {
  const command = new BackgroundCommand(bench, args);
  onTestFinished(async () => {
    if (command.isRunning) command.kill('SIGKILL');
    await command.ended;
  });
  return command;
};

/** A daemon in the foreground that is ready for calls. */
export const runForegroundDaemon = async (bench: Workbench): Promise<BackgroundCommand> => {
  const command = runInBackground(bench, 'daemon', 'start', '--foreground');
  await command.printed('stderr', '"event":"started"');
  return command;
};
