import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { ConditionOverTrace } from '../condition/trace-condition.ts';
import { compilePduFilter, type PduChoice } from '../pdu/pdu-filter.ts';
import { pduRecord } from '../pdu/pdu-record.ts';
import { TracePdus } from '../pdu/trace-pdus.ts';
import { channelKeyAt, channelKeysOf, channelText } from '../trace/channel-key.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import { walkRows } from '../trace/trace-gap.ts';
import { eventsPerBatch } from '../trace/trace-summary.ts';
import type { CliContext, Outcome } from './context.ts';
import { onInterruption } from './interruption.ts';
import { pduLine } from './pdu-watch.ts';
import { csvLine } from './render/csv.ts';
import { filterIn } from './trace-databases.ts';
import { TraceInput } from './trace-files.ts';
import { openInput, underBar } from './trace-work.ts';

type Values = Readonly<Record<string, unknown>>;

const channelsOf = (texts: readonly string[] | undefined): readonly number[] | null =>
  texts?.flatMap((text, index) => {
    const keys = channelKeysOf(text);
    if (keys.length > 0) return [...keys];
    throw invalidArgument(`channel[${index}]`, `No such channel: ${text}`);
  }) ?? null;

const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Prints PDUs while the file is read. */
export const tracePdus = async (values: Values, context: CliContext): Promise<Outcome> => {
  const path = values.file as string;
  const channels = channelsOf(values.channel as readonly string[] | undefined);
  const isWanted = compilePduFilter(values as PduChoice, channels);
  const condition = filterIn(values, context);
  const named = { path, field: 'file' };
  const input = new TraceInput(named);
  let isInterrupted = false;
  const forget = onInterruption(() => {
    isInterrupted = true;
  });
  const { format, stdout } = context;
  let sequence = 0;
  let hasHead = false;
  try {
    const reader = openInput(input, named);
    const over = condition?.over(reader);
    const met = new Set<number>();
    /** Whether the filter passes the current event. */
    let passes = over === undefined;
    const pdus = new TracePdus(reader.startUnixUs, (pdu) => {
      sequence += 1;
      if (!isWanted(pdu) || !(passes || pdu.isMarked)) return;
      const { channel } = pdu;
      const selector = reader.channelNames?.get(channel) ?? channelText(channel);
      const record = pduRecord(pdu, { sequence, channel, selector, channel_name: null });
      if (format === 'csv' && !hasHead) stdout.write(csvLine(Object.keys(record)));
      hasHead = true;
      if (format === 'text') stdout.write(pduLine(record));
      else if (format === 'csv') stdout.write(csvLine(Object.values(record).map(cellOf)));
      else stdout.write(`${JSON.stringify(record)}\n`);
    });
    const batch = new TraceBatch(eventsPerBatch);
    const filterBatch = ({ filter }: ConditionOverTrace): void =>
      walkRows(
        batch,
        (row) => {
          met.add(channelKeyAt(batch, row));
          passes = filter.passes(batch, row);
          pdus.takeRow(batch, row, passes);
        },
        ({ timeNs }) => {
          passes = false;
          filter.gap(timeNs);
          pdus.missed();
        },
      );
    await underBar(input, context, async (progress) => {
      for (let more = true; more && !isInterrupted && !stdout.isAbandoned; ) {
        more = reader.read(batch);
        if (over) filterBatch(over);
        else pdus.take(batch);
        await progress(reader.position);
      }
    });
    if (isInterrupted || stdout.isAbandoned) return { exitCode: 0 };
    passes = over === undefined;
    pdus.end();
    over?.check(met);
    return { exitCode: 0 };
  } finally {
    forget();
    input.close();
  }
};
