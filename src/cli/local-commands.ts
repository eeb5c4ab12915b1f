import { BusbarError } from '../base/errors/busbar-error.ts';
import { product } from '../base/product.ts';
import type { Connection } from '../link/connection.ts';
import type { DaemonStatus } from '../operations/daemon.ts';
import { renderCompletion } from './completion/render-completion.ts';
import type { CliContext, Outcome } from './context.ts';
import { linkStartingDaemon, openLink } from './daemon-link.ts';
import { spawnDetachedDaemon, spawnForegroundDaemon } from './daemon-process.ts';
import { runDemo } from './demo.ts';
import { findDescriptions, renderCommandHelp, renderOverview } from './help.ts';

type Values = Readonly<Record<string, unknown>>;
type LocalCommand = (values: Values, context: CliContext) => Outcome | Promise<Outcome>;

const help: LocalCommand = async ({ category, action }, context) => {
  const { format, palette, table, write } = context;
  if (category === undefined && format === 'text') {
    write(renderOverview(table, palette));
    return { exitCode: 0 };
  }
  const found = findDescriptions(
    await context.descriptions(),
    category as string | undefined,
    action as string | undefined,
  );
  if (format !== 'text') return { result: 'id' in found ? found : { operations: found } };
  const pages = 'id' in found ? [found] : found;
  write(pages.map((page) => renderCommandHelp(page, palette)).join('\n'));
  return { exitCode: 0 };
};

const version: LocalCommand = () => {
  const { name, version: number, contract, api } = product;
  return { result: { product: name, version: number, contract, api } };
};

const completion: LocalCommand = ({ shell }, { table }) => ({
  result: renderCompletion(shell as 'bash' | 'zsh' | 'fish', table),
});

const alreadyRunning = (status: DaemonStatus): BusbarError =>
  new BusbarError('already_running', {
    message: `A daemon is running already (pid ${status.pid})`,
    details: { ...status },
  });

const askStatus = async (link: Connection): Promise<DaemonStatus> => {
  try {
    return (await link.call('daemon.status', {}, null)) as DaemonStatus;
  } finally {
    link.close();
  }
};

const refuseSecondDaemon = async ({ home, clock }: CliContext): Promise<void> => {
  const link = await openLink(home, clock);
  if (link) throw alreadyRunning(await askStatus(link));
};

const runForeground = async (context: CliContext, realtime: boolean): Promise<Outcome> => {
  await refuseSecondDaemon(context);
  const daemon = spawnForegroundDaemon({ ...context, realtime });
  const report = await daemon.report;
  if ('error' in report) {
    // Another one was faster: its record tells more than the lock does.
    await refuseSecondDaemon(context);
    throw BusbarError.fromRecord(report.error);
  }
  return { exitCode: await daemon.ended };
};

const daemonStart: LocalCommand = async (values, context) => {
  const realtime = values.realtime === true;
  if (values.foreground) return runForeground(context, realtime);
  let started = false;
  const link = await linkStartingDaemon(context.home, context.clock, async () => {
    await spawnDetachedDaemon({ ...context, realtime });
    started = true;
  });
  const status = await askStatus(link);
  if (!started) throw alreadyRunning(status);
  return { result: status };
};

/** Commands that the CLI carries out itself, by operation id. */
export const localCommands: Readonly<Record<string, LocalCommand>> = {
  help,
  version,
  completion,
  demo: runDemo,
  'daemon.start': daemonStart,
};
