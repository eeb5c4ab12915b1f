import { csvCell } from '../../../src/base/csv/csv-cell.ts';
import { maxFdLength } from '../../../src/frame/dlc.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import { AscWriter } from '../../../src/trace/asc/asc-writer.ts';
import { CandumpWriter } from '../../../src/trace/candump/candump-writer.ts';
import { countErrorFrames } from '../../../src/trace/error-frames.ts';
import { detailOfStatus, TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { CreateTrace } from '../../../src/trace/trace-format.ts';
import type { RowPosition } from './chunk-view.ts';
import { everyChannel, gapKind } from './frame-chunk.ts';
import { directionText, gapRemarkOf, idText, kindText } from './frame-text.ts';
import type { MessageNames } from './message-names.ts';

interface ExportContext {
  readonly channelName: (slot: number, us: number) => string;
  readonly channelNumber: (slot: number, us: number) => number;
  readonly names: MessageNames;
}

interface TraceWriter {
  readonly head: string;
  line(place: RowPosition): string;
  end(): string;
}

const putRow = (
  batch: TraceBatch,
  { chunk, row }: RowPosition,
  startUs: number,
  channel: number,
): void => {
  const flags = chunk.flags[row] as number;
  const detail = detailOfStatus(chunk.status[row] as number);
  batch.clear();
  batch.count = 1;
  batch.timeNs[0] = ((chunk.timestampUs[row] as number) - startUs) * 1000;
  batch.id[0] = chunk.id[row] as number;
  batch.flags[0] = flags;
  batch.channel[0] = channel;
  batch.kind[0] = chunk.kind[row] as number;
  batch.bus[0] = chunk.bus[row] as number;
  batch.dlc[0] = chunk.dlc[row] as number;
  batch.length[0] = chunk.length[row] as number;
  batch.checksum[0] = chunk.checksum[row] as number;
  batch.detail[0] = detail;
  batch.payload.set(chunk.payload.subarray(row * maxFdLength, (row + 1) * maxFdLength));
  const isError = (flags & frameFlag.error) !== 0 && chunk.bus[row] !== busCode.lin;
  if (isError && detail === 0) countErrorFrames(batch, 0, chunk.errors[row] as number);
};

/** Uses the writers of the service. `hasRemarks` writes gaps as remarks. */
const fileWriter =
  (create: CreateTrace, hasRemarks: boolean) =>
  (startUs: number, { channelName, channelNumber }: ExportContext): TraceWriter => {
    const utf8 = new TextDecoder();
    let text = '';
    const taken = (): string => {
      const all = text;
      text = '';
      return all;
    };
    const names = new Map<number, string>();
    const writer = create(
      { write: (bytes) => (text += utf8.decode(bytes)) },
      { startUnixUs: startUs, channelName: (channel) => names.get(channel) ?? null },
    );
    const batch = new TraceBatch(1);
    const lineOf = (place: RowPosition): string => {
      const { chunk, row } = place;
      const us = chunk.timestampUs[row] as number;
      if (chunk.kind[row] === gapKind) {
        const remark = gapRemarkOf(chunk.sequence[row] as number);
        if (hasRemarks) writer.note((us - startUs) * 1000, remark);
        return taken();
      }
      const slot = chunk.channel[row] as number;
      const channel = channelNumber(slot, us);
      const name = channelName(slot, us);
      if (names.get(channel) !== name) writer.rename?.(channel);
      names.set(channel, name);
      putRow(batch, place, startUs, channel);
      writer.write(batch, 0, 1);
      return taken();
    };
    return {
      head: taken(),
      line: lineOf,
      end: () => {
        writer.end();
        return taken();
      },
    };
  };

const columns = [
  'timestamp_s',
  'event_id',
  'sequence',
  'channel',
  'direction',
  'id',
  'name',
  'kind',
  'dlc',
  'length',
  'data',
  'error_frames',
] as const;

const secondsText = (us: number): string => {
  const seconds = Math.floor(us / 1e6);
  return `${seconds}.${String(us - seconds * 1e6).padStart(6, '0')}`;
};

const lineOf = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** Comma-separated values (RFC 4180): one line per frame. */
const csvWriter = (_: number, { channelName, names }: ExportContext): TraceWriter => {
  const line = ({ chunk, row }: RowPosition): string => {
    const us = chunk.timestampUs[row] as number;
    const time = secondsText(us);
    const eventId = chunk.eventId[row] as number;
    const channel = chunk.channel[row] as number;
    if (chunk.kind[row] === gapKind) {
      const where = channel === everyChannel ? null : channelName(channel, us);
      const what = gapRemarkOf(chunk.sequence[row] as number);
      return lineOf([time, eventId, null, where, null, null, null, what, ...Array(4).fill(null)]);
    }
    const look = {
      bus: chunk.bus[row] as number,
      kind: chunk.kind[row] as number,
      id: chunk.id[row] as number,
      flags: chunk.flags[row] as number,
      dlc: chunk.dlc[row] as number,
      length: chunk.length[row] as number,
      errors: chunk.errors[row] as number,
    };
    return lineOf([
      time,
      eventId,
      chunk.sequence[row] as number,
      channelName(channel, us),
      directionText(look),
      idText(look),
      names.nameOf(channel, us, look.bus, look.id, look.flags),
      kindText(look),
      look.dlc,
      look.length,
      // As in the CLI, the data of an empty frame is null.
      formatHex(chunk.dataOf(row), ' ') || null,
      look.errors,
    ]);
  };
  return { head: `${columns.join(',')}\r\n`, line, end: () => '' };
};

export const exportFormats = {
  candump: { label: 'candump log', extension: 'log', type: 'text/plain' },
  asc: { label: 'ASC', extension: 'asc', type: 'text/plain' },
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

const writers = {
  // Some readers of candump logs fail on remarks.
  candump: fileWriter((sink, options) => new CandumpWriter(sink, options, true), false),
  asc: fileWriter((sink, options) => new AscWriter(sink, options), true),
  csv: csvWriter,
} as const;

const piece = 2048;

interface ExportedTrace {
  readonly pieces: string[];
  readonly written: number;
  /** Rows that the format cannot represent. */
  readonly omitted: number;
  readonly omittedGaps: number;
}

/** Writes the file in pieces and awaits `yieldToEvents` between them. */
export const exportTrace = async (
  rows: Iterable<RowPosition>,
  format: ExportFormat,
  startUs: number,
  context: ExportContext,
  yieldToEvents: () => Promise<void>,
): Promise<ExportedTrace> => {
  const writer: TraceWriter = writers[format](startUs, context);
  const pieces = [writer.head];
  let text = '';
  let read = 0;
  let omitted = 0;
  let omittedGaps = 0;
  for (const place of rows) {
    const line = writer.line(place);
    if (line === '' && place.chunk.kind[place.row] === gapKind) omittedGaps++;
    else if (line === '') omitted++;
    text += line;
    read++;
    if (read % piece !== 0) continue;
    pieces.push(text);
    text = '';
    await yieldToEvents();
  }
  pieces.push(text, writer.end());
  return { pieces, written: read - omitted - omittedGaps, omitted, omittedGaps };
};
