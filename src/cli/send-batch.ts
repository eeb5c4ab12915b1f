import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Connection } from '../link/connection.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { type CallWatch, callDaemon } from './daemon-commands.ts';
import { onInterruption } from './interruption.ts';
import { ProgressBar } from './progress-bar.ts';

const usualColumns = 80;

interface BatchProgress {
  readonly accepted: number;
  readonly count: number;
}

const barFor = ({ stderr, env, clock, format }: CliContext): ProgressBar | undefined => {
  if (format !== 'text' || !stderr.isTerminal || env.TERM === 'dumb') return undefined;
  const columns = (): number => process.stderr.columns ?? usualColumns;
  return new ProgressBar({ output: stderr, clock, columns });
};

const interruption = (
  accepted: number,
  { count, channel }: Readonly<Record<string, unknown>>,
): BusbarError =>
  new BusbarError('operation_cancelled', {
    message: `Interrupted: at least ${accepted} of ${count} frames were accepted`,
    details: { cancelled: true, reason: 'interrupted', accepted, failed_index: accepted, channel },
  });

/**
 * Sends many frames with one call and shows how far it has come. Interrupted, it hangs up, which
 * ends the batch in the daemon.
 */
export const sendBatch = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<Outcome> => {
  const bar = barFor(context);
  let link: Connection | undefined;
  let accepted = 0;
  const watch: CallWatch = {
    linked: (opened) => {
      link = opened;
    },
    progress: (progress) => {
      const { accepted: sofar, count } = progress as BatchProgress;
      accepted = sofar;
      bar?.show(sofar, count);
    },
  };
  let forget = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    forget = onInterruption(resolve);
  });
  const giveUp = (): never => {
    link?.close();
    throw interruption(accepted, values);
  };
  try {
    return await Promise.race([
      callDaemon(command, values, context, watch),
      interrupted.then(giveUp),
    ]);
  } finally {
    forget();
    bar?.clear();
  }
};
