import type { MessageHistory } from '../broker/history-record.ts';
import { withErrorCount } from '../frame/error-count.ts';
import type { MessageEvent } from '../frame/event-record.ts';
import { encodeFrm2 } from '../frame/frm2-event.ts';
import { parseHex } from '../frame/hex-bytes.ts';
import type { Connection } from '../link/connection.ts';
import type { CliCommand } from '../operations/render/cli-table.ts';
import type { DaemonCommand } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { filledValues } from './filled-values.ts';
import type { StreamChannel } from './render/event-renderer.ts';
import { comment, EventText } from './render/event-text.ts';
import { checkTextOptions, type TextOptions } from './render/event-time.ts';

type Values = Readonly<Record<string, unknown>>;

const maxDataLength = 64;

const dataOf = ({ data, error, count = 1 }: MessageEvent): Uint8Array => {
  const bytes = parseHex(data, { field: 'data', maxLength: maxDataLength });
  return error ? withErrorCount(bytes, count) : bytes;
};

const recordOf = (event: MessageEvent): Uint8Array =>
  encodeFrm2({
    bus: event.bus,
    kind: event.kind,
    channel: event.channel,
    dlc: event.dlc,
    id: event.id,
    flags: event.flags,
    status: event.status,
    eventId: event.event_id,
    sourceSequence: event.source_sequence,
    streamEpoch: event.stream_epoch,
    timestampUs: event.timestamp_us,
    hardwareSequence: event.hardware_sequence,
    filterHit: event.filter_hit,
    checksum: event.checksum,
    data: dataOf(event),
  });

const isFiltered = ({ id, direction }: Values): boolean =>
  id !== undefined || direction !== undefined;

const readHistory = async (
  link: Connection,
  command: CliCommand,
  values: Values,
  project: string | null,
): Promise<MessageHistory> => {
  const wanted = filledValues(command, values).limit as number;
  const events: MessageHistory['events'] = [];
  let query = values;
  for (;;) {
    const page = (await link.call(command.id, query, project)) as MessageHistory;
    events.push(...page.events);
    const limit = wanted - events.length;
    if (!isFiltered(values) || !page.has_more || limit === 0) return { ...page, events };
    query = { ...values, limit, after: page.next_after };
  }
};

const namesOf = async (link: Connection): Promise<readonly StreamChannel[]> => {
  const { channels } = (await link.call('channel.list', {}, null)) as {
    channels: readonly StreamChannel[];
  };
  return channels;
};

const historyText = (
  page: MessageHistory,
  channels: readonly StreamChannel[],
  { time, notation = false }: TextOptions,
): string => {
  const renderer = new EventText(time, notation);
  const shown = new Map(page.events.map(({ channel, selector }) => [channel, selector]));
  renderer.learn(
    [...shown].map(([slot, selector]) => {
      const open = channels.find((known) => known.slot === slot && known.selector === selector);
      return { slot, selector, name: open?.name ?? null };
    }),
  );
  const lines = renderer.render(
    Buffer.concat(page.events.map(recordOf)),
    page.events.map(({ message = null, signals = [] }) => ({ message, signals })),
  );
  const { next_after, oldest_available, newest_available } = page;
  const kept = `oldest available ${oldest_available}, newest ${newest_available}`;
  const more = page.has_more
    ? `continue with --after=${next_after}`
    : `next page: --after=${next_after}`;
  const older = page.older.map(
    ({ selector, oldest_available }) => `--channel=${selector} (from ${oldest_available})`,
  );
  const rest = [`${more}; ${kept}`];
  if (older.length > 0) rest.push(`older events are available for ${older.join(', ')}`);
  return lines + rest.map((line) => `${notation ? comment : ''}${line}\n`).join('');
};

export const history: DaemonCommand = async (command, { time, notation, ...values }, context) => {
  const options = { time, notation } as TextOptions;
  checkTextOptions(options, { format: context.format, isDecoded: values.decode === true });
  const link = await openLink(context.home, context.clock);
  if (!link) throw noLink(context);
  try {
    const page = await readHistory(link, command, values, context.project);
    if (context.format !== 'text') return { result: page };
    return { result: page, text: historyText(page, await namesOf(link), options) };
  } finally {
    link.close();
  }
};
