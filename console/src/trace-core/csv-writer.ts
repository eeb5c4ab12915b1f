import { csvCell } from '../../../src/base/csv/csv-cell.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import type { RowPlace } from './chunk-view.ts';
import { everyChannel, gapKind } from './frame-chunk.ts';
import { directionText, idText, kindText } from './frame-text.ts';
import { gapRemarkOf } from './gap-text.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

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

/** Seconds with all six digits, from whole microseconds. */
const secondsText = (us: number): string => {
  const seconds = Math.floor(us / 1e6);
  return `${seconds}.${String(us - seconds * 1e6).padStart(6, '0')}`;
};

const lineOf = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/** Comma-separated values (RFC 4180): one line a frame, its data in hex. */
export const csvWriter = (_: number, { channelName, names }: ExportContext): TraceWriter => {
  const line = ({ chunk, row }: RowPlace): string => {
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
      // As in the rows of the CLI, a frame without data has nothing there.
      formatHex(chunk.dataOf(row), ' ') || null,
      look.errors,
    ]);
  };
  return { head: `${columns.join(',')}\r\n`, line, end: () => '' };
};
