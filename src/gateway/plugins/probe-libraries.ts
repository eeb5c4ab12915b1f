import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import { killGroup, killMarked, trialMarker } from './left-processes.ts';
import type { LibrarySnapshot } from './library-files.ts';
import { type FailureReason, pluginFailed } from './plugin-failure.ts';
import { type ProbeOrder, probeSteps, standardStepMs } from './probe-contract.ts';
import { ProbeReports } from './probe-reports.ts';

export interface ProbeOptions {
  /** The program that probes. */
  readonly program: string;
  readonly clock: Pick<Clock, 'after'>;
  /** How long one step may take. */
  readonly stepMs?: number;
  /** Ends the trial early. */
  readonly signal?: AbortSignal;
}

/** The descriptors of a probe, in their order. */
const stdioOf = ({ fds }: Pick<LibrarySnapshot, 'fds'>) =>
  ['pipe', 'ignore', 'ignore', 'pipe', ...fds] as const;

/** Tries the plugins in a process of their own; refuses with the plugin that failed. */
export const probeLibraries = async (
  plans: readonly UsedPlugin[],
  snapshot: Pick<LibrarySnapshot, 'trialLibraries' | 'fds' | 'directory'>,
  { program, clock, stepMs = standardStepMs, signal }: ProbeOptions,
): Promise<void> => {
  const steps = probeSteps(plans);
  const order: ProbeOrder = {
    plugins: plans.map((plan) => {
      const its = snapshot.trialLibraries.find(({ library }) => library === plan.library);
      return { ...plan, path: its?.path ?? '' };
    }),
    parent: process.pid,
    stepSeconds: Math.ceil(stepMs / 1000) + 1,
  };
  const child = spawn(process.execPath, [program], {
    stdio: [...stdioOf(snapshot)],
    env: { ...process.env, ...trialMarker(snapshot.directory) },
    // A process group of its own, which ends as a whole.
    detached: true,
  });
  // A child that could not be started has no streams.
  const pipe = child.stdio?.[3] as Readable | undefined;
  const turns = new LoopTurns();
  let timer: Timer | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const reports = new ProbeReports(steps.length);
      const failed = (reason: FailureReason, words: string): BusbarError => {
        const { plugin, action } = steps[reports.begun - 1] ?? {
          plugin: plans[0]?.id ?? '',
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
      // A probe that died early reads no order.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(JSON.stringify(order));
      // The pipe has everything that the probe wrote, but processes that it left may hold it open: two turns of the
      // event loop read what is there.
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
