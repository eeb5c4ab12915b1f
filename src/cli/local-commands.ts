import { BusbarError } from '../base/errors/busbar-error.ts';
import { product } from '../base/product.ts';
import { renderCompletion } from './completion/render-completion.ts';
import type { CliContext, Outcome } from './context.ts';
import { openLink } from './daemon-link.ts';
import { spawnDetachedDaemon, spawnForegroundDaemon } from './daemon-process.ts';
import { runDemo } from './demo.ts';
import { findDescriptions, renderCommandHelp, renderOverview } from './help.ts';

type Values = Readonly<Record<string, unknown>>;
type LocalCommand = (values: Values, context: CliContext) => Outcome | Promise<Outcome>;

const help: LocalCommand = ({ category, action }, context) => {
  const { format, palette, table, write } = context;
  if (category === undefined && format === 'text') {
    write(renderOverview(table, palette));
    return { exitCode: 0 };
  }
  const found = findDescriptions(
    context.descriptions(),
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

/** `already_running` with the record of the daemon that runs. */
const refuseSecondDaemon = async (context: CliContext): Promise<void> => {
  const link = await openLink(context.home, context.clock);
  if (!link) return;
  const status = (await link.call('daemon.status', {}, null)) as object;
  link.close();
  throw new BusbarError('already_running', {
    message: `A daemon is running already (pid ${link.daemon.pid})`,
    details: { ...status },
  });
};

const runForeground = async (context: CliContext, realtime: boolean): Promise<Outcome> => {
  const daemon = await spawnForegroundDaemon({ ...context, realtime });
  if ('error' in daemon.report) throw BusbarError.fromRecord(daemon.report.error);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, daemon.stop);
  return { exitCode: await daemon.ended };
};

const daemonStart: LocalCommand = async ({ foreground, realtime }, context) => {
  await refuseSecondDaemon(context);
  if (foreground) return runForeground(context, realtime === true);
  const report = await spawnDetachedDaemon({ ...context, realtime: realtime === true });
  if ('error' in report) throw BusbarError.fromRecord(report.error);
  const link = await openLink(context.home, context.clock);
  if (!link) throw new BusbarError('daemon_unreachable');
  const result = await link.call('daemon.status', {}, null);
  link.close();
  return { result };
};

/** Commands that the CLI carries out itself, by operation id. */
export const localCommands: Readonly<Record<string, LocalCommand>> = {
  help,
  version,
  completion,
  demo: runDemo,
  'daemon.start': daemonStart,
};
