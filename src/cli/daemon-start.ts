import { BusbarError } from '../base/errors/busbar-error.ts';
import type { JsonSchema } from '../base/json-schema/json-schema.ts';
import type { Connection } from '../link/connection.ts';
import type { DaemonStatus } from '../operations/daemon.ts';
import { fieldsOfText, valueOfOption } from '../operations/option-text.ts';
import type { CliCommand, CliParameter } from '../operations/render/cli-table.ts';
import type { CliContext, Outcome } from './context.ts';
import { stopDaemon } from './daemon-end.ts';
import { linkStartingDaemon, openLink } from './daemon-link.ts';
import { spawnDetachedDaemon, spawnForegroundDaemon } from './daemon-process.ts';

const name = { field: 'channel', shown: '--channel' };

const schemaOf = (parameters: readonly CliParameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
  required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
});

/** Parses a channel with its settings: `SIM00001/0,bitrate=500000,lin.role=master`. */
export const channelOptionOf = (
  text: string,
  { parameters }: CliCommand,
): Readonly<Record<string, unknown>> => {
  const comma = text.indexOf(',');
  const selectorText = comma === -1 ? text : text.slice(0, comma);
  const values: Record<string, unknown> = {};
  for (const selector of parameters.filter(({ positional }) => positional)) {
    values[selector.name] = valueOfOption(selector.schema, name, selectorText);
  }
  if (comma === -1) return values;
  const settings = schemaOf(parameters.filter(({ positional }) => !positional));
  return { ...values, ...fieldsOfText(settings, name, text.slice(comma + 1)) };
};

type Values = Readonly<Record<string, unknown>>;

const openCommand = 'channel.open';

const channelsIn = (values: Values, { table }: CliContext): readonly Values[] => {
  const texts = (values.channel as readonly string[] | undefined) ?? [];
  return texts.map((text) => {
    const command = table.commands.find(({ id }) => id === openCommand);
    if (!command) throw new BusbarError('internal_error');
    return channelOptionOf(text, command);
  });
};

const openChannels = async (
  link: Connection,
  channels: readonly Values[],
  { project }: CliContext,
): Promise<void> => {
  for (const channel of channels) await link.call(openCommand, channel, project);
};

const alreadyRunning = (status: DaemonStatus): BusbarError =>
  new BusbarError('already_running', {
    message: `A daemon is already running (pid ${status.pid})`,
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

type Run = (
  context: CliContext,
  realtime: boolean,
  channels: readonly Values[],
) => Promise<Outcome>;

const runForeground: Run = async (context, realtime, channels) => {
  await refuseSecondDaemon(context);
  const daemon = spawnForegroundDaemon({ ...context, realtime });
  const report = await daemon.report;
  if ('error' in report) {
    await refuseSecondDaemon(context);
    throw BusbarError.fromRecord(report.error);
  }
  if (channels.length > 0) {
    try {
      const link = await openLink(context.home, context.clock);
      if (!link) throw new BusbarError('daemon_unreachable');
      await openChannels(link, channels, context);
      link.close();
    } catch (thrown) {
      daemon.stop();
      await daemon.ended;
      throw thrown;
    }
  }
  return { exitCode: await daemon.ended };
};

const runDetached: Run = async (context, realtime, channels) => {
  const { home, clock } = context;
  let started = false;
  const link = await linkStartingDaemon(home, clock, async () => {
    await spawnDetachedDaemon({ ...context, realtime });
    started = true;
  });
  if (!started) throw alreadyRunning(await askStatus(link));
  try {
    await openChannels(link, channels, context);
  } catch (thrown) {
    // Reports the channel error even if stopping the daemon fails.
    await stopDaemon(link, clock).catch(() => undefined);
    throw thrown;
  }
  return { result: await askStatus(link) };
};

/** Starts the daemon and opens its channels; stops it if one fails. */
export const daemonStart = async (values: Values, context: CliContext): Promise<Outcome> => {
  const channels = channelsIn(values, context);
  const realtime = values.realtime === true;
  const run = values.foreground ? runForeground : runDetached;
  return run(context, realtime, channels);
};
