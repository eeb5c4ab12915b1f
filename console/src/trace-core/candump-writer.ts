import { canErrorClass, canErrorLength } from '../../../src/frame/can-error-frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import { errorBit, fdBit, mostErrorLines } from '../../../src/trace/candump/candump-layout.ts';
import { InterfaceNames } from '../../../src/trace/candump/interface-names.ts';
import { errorCountRemark } from '../../../src/trace/error-frames.ts';
import { detailOfStatus } from '../../../src/trace/trace-batch.ts';
import type { RowPlace } from './chunk-view.ts';
import { type FrameChunk, gapKind } from './frame-chunk.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

/** What stands for details where the event has none. */
const noDetails = '00'.repeat(canErrorLength);

/** Seconds with all six digits, from whole microseconds. */
export const secondsText = (us: number): string => {
  const seconds = Math.floor(us / 1e6);
  return `${seconds}.${String(us - seconds * 1e6).padStart(6, '0')}`;
};

const hexId = (id: number, flags: number): string => {
  const isError = (flags & frameFlag.error) !== 0;
  const isWide = isError || (flags & frameFlag.extended) !== 0;
  const bits = isError ? (id || canErrorClass.busError) + errorBit : id;
  return bits
    .toString(16)
    .toUpperCase()
    .padStart(isWide ? 8 : 3, '0');
};

const classicBody = (data: string, flags: number, dlc: number): string => {
  // Codes above 8 mean eight bytes as well; candump tells them apart by a tail.
  const tail = dlc > 8 ? `_${dlc.toString(16).toUpperCase()}` : '';
  if ((flags & frameFlag.remote) === 0) return `${data}${tail}`;
  return `R${dlc > 0 ? Math.min(dlc, 8) : ''}${tail}`;
};

const fdBody = (data: string, flags: number): string => {
  const bits =
    ((flags & frameFlag.brs) !== 0 ? fdBit.brs : 0) |
    ((flags & frameFlag.esi) !== 0 ? fdBit.esi : 0);
  return `#${bits}${data}`;
};

/** Error frames have a line each, since the format has no counts; a device that goes or comes has none. */
const errorLines = (chunk: FrameChunk, row: number, line: string): string => {
  const errors = chunk.errors[row] as number;
  if (errors > mostErrorLines) return `# ${errorCountRemark(errors)}\n${line}`;
  const isDevice = detailOfStatus(chunk.status[row] as number) !== 0;
  return isDevice ? '' : line.repeat(Math.max(errors, 1));
};

/**
 * What `candump -l` writes, with a mark at sent frames. It has no form for LIN, and none for remarks
 * such as gaps.
 */
export const candumpWriter = (
  _: number,
  { channelName, channelNumber }: ExportContext,
): TraceWriter => {
  const interfaces = new InterfaceNames();
  const spellings = new Map<string, string>();
  const spellingOf = (slot: number, us: number): string => {
    const [number, name] = [channelNumber(slot, us), channelName(slot, us)];
    const key = `${number} ${name}`;
    const spelling = spellings.get(key) ?? interfaces.spellingFor(number, name);
    spellings.set(key, spelling);
    return spelling;
  };
  const lineOf = ({ chunk, row }: RowPlace): string => {
    if (chunk.kind[row] === gapKind || chunk.bus[row] === busCode.lin) return '';
    const flags = chunk.flags[row] as number;
    const isError = (flags & frameFlag.error) !== 0;
    const data = formatHex(chunk.dataOf(row)) || (isError ? noDetails : '');
    const isFd = (flags & frameFlag.fd) !== 0 && !isError;
    const body = isFd ? fdBody(data, flags) : classicBody(data, flags, chunk.dlc[row] as number);
    const us = chunk.timestampUs[row] as number;
    const name = spellingOf(chunk.channel[row] as number, us);
    const direction = chunk.kind[row] === eventKindCode.tx_complete ? ' T' : '';
    const time = secondsText(us);
    const frame = `${hexId(chunk.id[row] as number, flags)}#${body}`;
    const line = `(${time}) ${name} ${frame}${direction}\n`;
    return isError ? errorLines(chunk, row, line) : line;
  };
  return { head: '', line: lineOf, tail: '' };
};
