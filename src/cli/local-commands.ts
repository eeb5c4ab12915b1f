import { readSources, versionRecord } from '../link/version-record.ts';
import type { CliContext, Outcome } from './context.ts';
import { findDescriptions, renderCommandHelp, renderOverview } from './help.ts';

type Values = Readonly<Record<string, unknown>>;
type LocalCommand = (values: Values, context: CliContext) => Outcome | Promise<Outcome>;

const defaultColumns = 80;

const help: LocalCommand = async ({ category, action, detail }, context) => {
  const { format, palette, table, write, stdout, env } = context;
  const width = stdout.columns ?? (Number(env.COLUMNS) || defaultColumns);
  if (category === undefined && format === 'text') {
    write(renderOverview(table, palette, width));
    return { exitCode: 0 };
  }
  const found = findDescriptions(
    await context.descriptions(),
    category as string | undefined,
    detail === undefined ? (action as string | undefined) : `${action}-${detail}`,
  );
  if (format !== 'text') return { result: 'id' in found ? found : { operations: found } };
  const pages = 'id' in found ? [found] : found;
  write(pages.map((page) => renderCommandHelp(page, palette, width)).join('\n'));
  return { exitCode: 0 };
};

const version: LocalCommand = (_, { distribution }) => ({
  result: versionRecord(readSources(distribution)),
});

const completion: LocalCommand = async ({ shell }, { table }) => {
  const { renderCompletion } = await import('./completion/render-completion.ts');
  return { result: renderCompletion(shell as 'bash' | 'zsh' | 'fish', table) };
};

export const localCommands: Readonly<Record<string, LocalCommand>> = {
  help,
  version,
  completion,
  doctor: async (_, context) => (await import('./doctor.ts')).runDoctor(context),
  demo: async (values, context) => (await import('./demo.ts')).runDemo(values, context),
  'daemon.start': async (values, context) =>
    (await import('./daemon-start.ts')).daemonStart(values, context),
  'gateway.validate': async (values) =>
    (await import('./gateway-commands.ts')).gatewayValidate(values),
  'gateway.import': async (values, context) =>
    (await import('./gateway-commands.ts')).gatewayImport(values, context),
  'gateway.schema': async (values, context) =>
    (await import('./gateway-commands.ts')).gatewaySchema(values, context),
  'check.run': async (values, context) =>
    (await import('./check-commands.ts')).checkRun(values, context),
  'trace.info': async (values, context) =>
    (await import('./trace-commands.ts')).traceInfo(values, context),
  'trace.pdus': async (values, context) =>
    (await import('./trace-pdus.ts')).tracePdus(values, context),
  'trace.convert': async (values, context) =>
    (await import('./trace-commands.ts')).traceConvert(values, context),
  'trace.cut': async (values, context) =>
    (await import('./trace-cut.ts')).traceCut(values, context),
  'trace.decode': async (values, context) =>
    (await import('./trace-tables.ts')).traceDecode(values, context),
  'trace.signals': async (values, context) =>
    (await import('./trace-tables.ts')).traceSignals(values, context),
};
