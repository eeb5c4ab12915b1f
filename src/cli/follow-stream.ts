import type { StreamListener } from '../link/connection.ts';
import type { OutputFormat } from '../operations/global-options.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { onInterruption } from './interruption.ts';

export interface StreamEnd {
  readonly reason:
    | 'count'
    | 'duration'
    | 'channel_closed'
    | 'plans_removed'
    | 'unloaded'
    | 'shut_down';
}

export interface StreamPrinter extends StreamListener {
  /** True if every result was a failure, so the command fails. */
  readonly hasFailed?: boolean;
  end(end: StreamEnd): void;
}

const unexpectedEnds: Readonly<Partial<Record<StreamEnd['reason'], string>>> = {
  channel_closed: 'end: the channel was closed\n',
  plans_removed: 'end: the signal plans were deleted\n',
  unloaded: 'end: the instance was unloaded\n',
  shut_down: 'end: the service shut down\n',
};

export const endText = ({ reason }: StreamEnd, format: OutputFormat): string =>
  format === 'text' || format === 'csv' ? (unexpectedEnds[reason] ?? '') : '';

const limits = ['count', 'polls', 'duration_ms'];

const isTooEarly = ({ reason }: StreamEnd, values: Readonly<Record<string, unknown>>): boolean =>
  unexpectedEnds[reason] !== undefined && limits.some((limit) => values[limit] !== undefined);

export const followStream = async (
  command: CliCommand,
  values: Readonly<Record<string, unknown>>,
  context: CliContext,
  printerFor: (stop: () => void) => StreamPrinter,
): Promise<Outcome> => {
  const link = await openLink(context.home, context.clock);
  if (!link) throw noLink(context);
  let isEnough = false;
  const stop = (): void => {
    isEnough = true;
    link.close();
  };
  const forget = onInterruption(stop);
  const printer = printerFor(stop);
  try {
    const end = (await link.stream(command.id, values, context.project, printer)) as StreamEnd;
    printer.end(end);
    if (isTooEarly(end, values)) return { exitCode: 1 };
  } catch (thrown) {
    if (!isEnough) throw thrown;
  } finally {
    forget();
    link.close();
  }
  return { exitCode: printer.hasFailed ? 1 : 0 };
};
