import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PluginPlan } from '../plan/plugin-plan.ts';
import type { OpenLibrary } from './library-files.ts';
import { pluginFailed } from './plugin-failure.ts';
import { firstLibraryFd, type ProbeOrder, type ProbeReport } from './probe-contract.ts';

export interface ProbeOptions {
  /** The program that probes. */
  readonly program: string;
  readonly clock: Pick<Clock, 'after'>;
  /** How long one step may take. */
  readonly stepMs?: number;
}

const standardStepMs = 5000;

/** Tries the plugins in a process of their own; refuses with the plugin that failed. */
export const probeLibraries = (
  plans: readonly PluginPlan[],
  libraries: readonly OpenLibrary[],
  { program, clock, stepMs = standardStepMs }: ProbeOptions,
): Promise<void> => {
  const order: ProbeOrder = {
    plugins: plans.map((plan) => {
      const place = libraries.findIndex(({ library }) => library === plan.library);
      return { ...plan, fd: firstLibraryFd + place };
    }),
  };
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe', ...libraries.map(({ fd }) => fd)],
  });
  return new Promise((resolve, reject) => {
    let at: { readonly plugin: string; readonly step: string } | undefined;
    let timer: Timer | undefined;
    let outcome: BusbarError | 'done' | undefined;
    const stepFailure = (reason: 'crashed' | 'timed_out', words: string): BusbarError => {
      const { plugin = plans[0]?.id ?? '', step = 'starting the probe' } = at ?? {};
      return pluginFailed(plugin, reason, `${words} while ${step}`);
    };
    const limit = (): void => {
      timer?.cancel();
      timer = clock.after(stepMs, () => {
        outcome ??= stepFailure('timed_out', `did not return within ${stepMs / 1000} s`);
        child.kill('SIGKILL');
      });
    };
    limit();
    createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
      const report: ProbeReport = JSON.parse(line);
      if ('done' in report) outcome ??= 'done';
      else if ('error' in report) outcome ??= BusbarError.fromRecord(report.error);
      else at = report;
      limit();
    });
    child.on('error', (thrown) => {
      outcome ??= new BusbarError('internal_error', { cause: thrown });
    });
    // A probe that died at once takes no order.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(order));
    child.on('close', (code, signal) => {
      timer?.cancel();
      const ended = outcome ?? stepFailure('crashed', `crashed (${signal ?? `exit code ${code}`})`);
      if (ended === 'done') resolve();
      else reject(ended);
    });
  });
};
