import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import type { LibrarySnapshot } from './library-files.ts';
import { type FailureReason, pluginFailed } from './native-library.ts';
import { type ProbeOrder, probeSteps, standardStepMs } from './probe-contract.ts';

const variable = 'BUSBAR_PLUGIN_TRIAL';
/** Maximum passes over the process list, which can change meanwhile. */
const maxLooks = 10;

/** Environment variable of a trial, inherited by processes that its plugins start. */
export const trialMarker = (path: string): Readonly<Record<string, string>> => ({
  [variable]: path,
});

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    // The process has exited, or must not be killed.
    if (!['ESRCH', 'EPERM'].includes(errnoOf(thrown) ?? '')) throw thrown;
  }
};

const killGroup = (leader: number): void => kill(-leader);

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
};

/** Kills processes that plugins left running in the trials at or below this path. */
export const killMarked = (path: string): void => {
  const mark = `\0${variable}=${Buffer.from(path).toString('latin1')}`;
  // A process can fork after one pass and exit before the next: a second pass finds its child.
  for (let look = 0, foundNone = 0; look < maxLooks && foundNone < 2; look++) {
    const left = readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
      const environment = `\0${environmentOf(name)}`;
      return environment.includes(`${mark}\0`) || environment.includes(`${mark}/`);
    });
    foundNone = left.length === 0 ? foundNone + 1 : 0;
    for (const name of left) kill(Number(name));
  }
};

/** Maximum bytes of a line. The message of a plugin has at most 512. */
const maxLineBytes = 16 * 1024;
const newline = 10;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const errorOf = (error: unknown): BusbarError | undefined => {
  if (!isObject(error)) return undefined;
  const { code, message, details } = error;
  const isOurs = code === 'plugin_failed' || code === 'internal_error';
  if (!isOurs || typeof message !== 'string' || !isObject(details)) return undefined;
  return BusbarError.fromRecord({ code, message, details, retryable: false });
};

/**
 * Parses the reports of a probe in bounded memory. Plugins can write to the same pipe, so only
 * the expected steps in order and one result are accepted.
 */
export class ProbeReports {
  readonly #steps: number;
  readonly #line = Buffer.alloc(maxLineBytes);
  #length = 0;
  begun = 0;
  outcome: BusbarError | 'done' | undefined;

  constructor(steps: number) {
    this.#steps = steps;
  }

  add(bytes: Uint8Array): boolean {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from);
      const piece = bytes.subarray(from, end < 0 ? bytes.length : end);
      if (this.outcome !== undefined || this.#length + piece.length > maxLineBytes) return false;
      this.#line.set(piece, this.#length);
      this.#length += piece.length;
      if (end < 0) return true;
      const isTaken = this.#take(this.#line.toString('utf8', 0, this.#length));
      this.#length = 0;
      if (!isTaken) return false;
      from = end + 1;
    }
    return true;
  }

  #take(line: string): boolean {
    let report: unknown;
    try {
      report = JSON.parse(line);
    } catch {
      return false;
    }
    if (!isObject(report)) return false;
    if ('step' in report) {
      if (report.step !== this.begun || this.begun === this.#steps) return false;
      this.begun += 1;
      return true;
    }
    const isDone = report.done === true && this.begun === this.#steps;
    this.outcome = isDone ? 'done' : errorOf(report.error);
    return this.outcome !== undefined;
  }
}

interface ProbeOptions {
  readonly program: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly stepMs?: number;
  readonly signal?: AbortSignal;
}

const stdioOf = ({ fds }: Pick<LibrarySnapshot, 'fds'>) =>
  ['pipe', 'ignore', 'ignore', 'pipe', ...fds] as const;

/** Tests the plugins in a separate process. An error names the plugin that failed. */
export const probeLibraries = async (
  usedPlugins: readonly UsedPlugin[],
  snapshot: Pick<LibrarySnapshot, 'trialLibraries' | 'fds' | 'directory'>,
  { program, clock, stepMs = standardStepMs, signal }: ProbeOptions,
): Promise<void> => {
  const steps = probeSteps(usedPlugins);
  const order: ProbeOrder = {
    plugins: usedPlugins.map((used) => {
      const its = snapshot.trialLibraries.find(({ library }) => library === used.library);
      return { ...used, path: its?.path ?? '' };
    }),
    parent: process.pid,
    stepSeconds: Math.ceil(stepMs / 1000) + 1,
  };
  const child = spawn(process.execPath, [program], {
    stdio: [...stdioOf(snapshot)],
    env: { ...process.env, ...trialMarker(snapshot.directory) },
    // A separate process group can be killed as a whole.
    detached: true,
  });
  // A child that could not be started has no streams.
  const pipe = child.stdio?.[3] as Readable | undefined;
  const turns = new YieldQueue();
  let timer: Timer | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const reports = new ProbeReports(steps.length);
      const failed = (reason: FailureReason, words: string): BusbarError => {
        const { plugin, action } = steps[reports.begun - 1] ?? {
          plugin: usedPlugins[0]?.id ?? '',
          action: 'starting the trial',
        };
        return pluginFailed(plugin, reason, `${words} while ${action}`);
      };
      const limit = (): void => {
        timer?.cancel();
        timer = clock.after(stepMs, () =>
          reject(failed('timed_out', `did not return within ${stepMs / 1000} s`)),
        );
      };
      const settle = (code: number | null, ended: NodeJS.Signals | null): void => {
        const { outcome } = reports;
        if (outcome === 'done') resolve();
        else reject(outcome ?? failed('crashed', `crashed (${ended ?? `exit code ${code}`})`));
      };
      limit();
      signal?.addEventListener('abort', () => reject(new BusbarError('operation_cancelled')));
      pipe?.on('data', (bytes: Buffer) => {
        const { begun } = reports;
        if (!reports.add(bytes)) {
          reject(failed('interfered', 'wrote to descriptor 3, which reports the trial,'));
        } else if (reports.begun > begun) limit();
      });
      child.on('error', (cause) => reject(new BusbarError('internal_error', { cause })));
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(JSON.stringify(order));
      // The pipe contains everything the probe wrote, but processes it started may hold it
      // open. Two turns of the event loop read it all.
      child.on('exit', async (code, ended) => {
        await turns.next();
        await turns.next();
        settle(code, ended);
      });
    });
  } finally {
    timer?.cancel();
    pipe?.destroy();
    child.stdin?.destroy();
    if (child.pid !== undefined) killGroup(child.pid);
    killMarked(snapshot.directory);
  }
};
