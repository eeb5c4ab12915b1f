import { csvCell } from '../../../src/base/csv/csv-cell.ts';
import { maxFdLength } from '../../../src/frame/dlc.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import { AscWriter } from '../../../src/trace/asc/asc-writer.ts';
import { CandumpWriter } from '../../../src/trace/candump/candump-writer.ts';
import { countErrorFrames } from '../../../src/trace/error-frames.ts';
import { detailOfStatus, TraceBatch } from '../../../src/trace/trace-batch.ts';
import type { ByteSink, CreateTrace } from '../../../src/trace/trace-format.ts';
import type { ChannelNames } from './channel-names.ts';
import type { RowPosition } from './chunk-view.ts';
import { everyChannel, gapKind } from './frame-chunk.ts';
import { directionText, gapRemarkOf, idText, kindText } from './frame-text.ts';
import type { MessageNames } from './message-names.ts';
import { type RowNote, rowKey } from './row-note.ts';

interface ExportContext {
  readonly channelName: (slot: number, us: number) => string;
  readonly channelNumber: (slot: number, us: number) => number;
  readonly names: MessageNames;
  readonly notes?: readonly RowNote[];
}

interface RowWriter {
  /** Writes a note about the next row; absent if the format has none. */
  readonly note?: (place: RowPosition, text: string) => void;
  write(place: RowPosition): void;
  /** Bytes that are not in the file yet; absent if there are none. */
  readonly held?: () => number;
  end(): void;
}

type CreateRowWriter = (file: FileParts, startUs: number, context: ExportContext) => RowWriter;

const partBytes = 256 * 1024;

/** A file in memory, whose earlier bytes a writer can overwrite. */
class FileParts implements ByteSink {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  size = 0;

  write(bytes: Uint8Array): void {
    const end = this.size + bytes.length;
    while (this.#parts.length * partBytes < end) this.#parts.push(new Uint8Array(partBytes));
    this.rewrite(this.size, bytes);
    this.size = end;
  }

  rewrite(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const from = (at + done) % partBytes;
      const piece = bytes.subarray(done, done + partBytes - from);
      this.#parts[Math.floor((at + done) / partBytes)]?.set(piece, from);
      done += piece.length;
    }
  }

  get pieces(): Uint8Array<ArrayBuffer>[] {
    return this.#parts.map((part, i) => part.subarray(0, this.size - i * partBytes));
  }
}

export const putRow = (
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
  const errors = chunk.errors[row] as number;
  if ((flags & frameFlag.error) !== 0 && errors !== 1) countErrorFrames(batch, 0, errors);
};

/** Uses the writers of the service. `hasRemarks` writes gaps and notes as remarks. */
const fileWriter =
  (create: CreateTrace, hasRemarks: boolean): CreateRowWriter =>
  (file, startUs, { channelName, channelNumber }) => {
    const names = new Map<number, string>();
    const writer = create(file, {
      startUnixUs: startUs,
      channelName: (channel) => names.get(channel) ?? null,
    });
    const batch = new TraceBatch(1);
    const write = (place: RowPosition): void => {
      const { chunk, row } = place;
      const us = chunk.timestampUs[row] as number;
      if (chunk.kind[row] === gapKind) {
        const remark = gapRemarkOf(chunk.sequence[row] as number);
        if (hasRemarks) writer.note((us - startUs) * 1000, remark);
        return;
      }
      const slot = chunk.channel[row] as number;
      const channel = channelNumber(slot, us);
      const name = channelName(slot, us);
      if (names.get(channel) !== name) writer.rename?.(channel);
      names.set(channel, name);
      putRow(batch, place, startUs, channel);
      writer.write(batch, 0, 1);
    };
    const note = ({ chunk, row }: RowPosition, text: string): void =>
      writer.note(((chunk.timestampUs[row] as number) - startUs) * 1000, `Note: ${text}`);
    const held = (): number => writer.held ?? 0;
    return { write, held, end: () => writer.end(), ...(hasRemarks ? { note } : {}) };
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
  'note',
] as const;

const secondsText = (us: number): string => {
  const seconds = Math.floor(us / 1e6);
  return `${seconds}.${String(us - seconds * 1e6).padStart(6, '0')}`;
};

const lineOf = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** Comma-separated values (RFC 4180): one line per frame. */
const csvWriter: CreateRowWriter = (file, _, { channelName, names }) => {
  const utf8 = new TextEncoder();
  const put = (text: string): void => file.write(utf8.encode(text));
  let note: string | null = null;
  const line = ({ chunk, row }: RowPosition): string => {
    const us = chunk.timestampUs[row] as number;
    const time = secondsText(us);
    const eventId = chunk.eventId[row] as number;
    const channel = chunk.channel[row] as number;
    if (chunk.kind[row] === gapKind) {
      const where = channel === everyChannel ? null : channelName(channel, us);
      const what = gapRemarkOf(chunk.sequence[row] as number);
      return lineOf([time, eventId, null, where, null, null, null, what, ...Array(5).fill(null)]);
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
      note,
    ]);
  };
  put(`${columns.join(',')}\r\n`);
  return {
    note: (_, text) => {
      note = text;
    },
    write: (place) => {
      put(line(place));
      note = null;
    },
    end: () => {},
  };
};

export const exportFormats = {
  candump: { label: 'candump log', extension: 'log', type: 'text/plain', hasNotes: false },
  asc: { label: 'ASC', extension: 'asc', type: 'text/plain', hasNotes: true },
  mf4: { label: 'MF4', extension: 'mf4', type: 'application/octet-stream', hasNotes: true },
  blf: { label: 'BLF', extension: 'blf', type: 'application/octet-stream', hasNotes: true },
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv', hasNotes: true },
} as const;
export type ExportFormat = keyof typeof exportFormats;

const writers: Readonly<Record<ExportFormat, () => Promise<CreateRowWriter>>> = {
  // Some readers of candump logs fail on remarks.
  candump: async () => fileWriter((sink, options) => new CandumpWriter(sink, options, true), false),
  asc: async () => fileWriter((sink, options) => new AscWriter(sink, options), true),
  // Chunks of their own, which are fetched for the first export.
  mf4: async () =>
    fileWriter((await import('../../../src/trace/mf4/create-mf4.ts')).createMf4, true),
  blf: async () => {
    const { BlfWriter } = await import('../../../src/trace/blf/blf-writer.ts');
    return fileWriter((sink, options) => new BlfWriter(sink, options, null), true);
  },
  csv: async () => csvWriter,
};

/** Fails if the script of the writer cannot be fetched. */
export const loadWriter = (format: ExportFormat): Promise<CreateRowWriter> => writers[format]();

const rowsPerTurn = 2048;

interface ExportedTrace {
  readonly pieces: Uint8Array<ArrayBuffer>[];
  readonly written: number;
  /** Rows that the format cannot represent. */
  readonly omitted: number;
  readonly omittedGaps: number;
  readonly notes: number;
}

/** Writes the file and awaits `yieldToEvents` in between. */
export const exportTrace = async (
  rows: Iterable<RowPosition>,
  create: CreateRowWriter,
  startUs: number,
  context: ExportContext,
  yieldToEvents: () => Promise<void>,
): Promise<ExportedTrace> => {
  const file = new FileParts();
  const writer = create(file, startUs, context);
  let read = 0;
  let omitted = 0;
  let omittedGaps = 0;
  let notes = 0;
  const texts = new Map(
    (context.notes ?? []).map(({ eventId, timestampUs, text }) => [
      rowKey(eventId, timestampUs),
      text,
    ]),
  );
  const sizeNow = (): number => file.size + (writer.held?.() ?? 0);
  const noteOf = ({ chunk, row }: RowPosition): string | undefined =>
    chunk.kind[row] === gapKind
      ? undefined
      : texts.get(rowKey(chunk.eventId[row] as number, chunk.timestampUs[row] as number));
  for (const place of rows) {
    const note = writer.note && texts.size > 0 ? noteOf(place) : undefined;
    if (note !== undefined) {
      writer.note?.(place, note);
      notes++;
    }
    const size = sizeNow();
    writer.write(place);
    const isOmitted = sizeNow() === size;
    if (isOmitted && place.chunk.kind[place.row] === gapKind) omittedGaps++;
    else if (isOmitted) omitted++;
    read++;
    if (read % rowsPerTurn === 0) await yieldToEvents();
  }
  writer.end();
  const { pieces } = file;
  return { pieces, written: read - omitted - omittedGaps, omitted, omittedGaps, notes };
};

export interface SavedTrace {
  readonly file: Blob;
  readonly written: number;
  readonly omitted: number;
  readonly omittedGaps: number;
  readonly notes: number;
}

const yieldToEvents = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Returns null if the writer of the format could not be fetched. */
export const saveTrace = async (
  rows: Iterable<RowPosition>,
  format: ExportFormat,
  startUs: number,
  {
    names,
    channels,
    notes,
  }: {
    readonly names: MessageNames;
    readonly channels: ChannelNames;
    readonly notes: readonly RowNote[];
  },
): Promise<SavedTrace | null> => {
  const writer = await loadWriter(format).catch(() => null);
  if (writer === null) return null;
  const context = {
    channelName: (slot: number, us: number) => channels.nameOf(slot, us) ?? `channel${slot}`,
    channelNumber: (slot: number, us: number) => channels.numberOf(slot, us) ?? slot + 1,
    names,
    notes,
  };
  const { pieces, ...counts } = await exportTrace(rows, writer, startUs, context, yieldToEvents);
  return { file: new Blob(pieces, { type: exportFormats[format].type }), ...counts };
};
