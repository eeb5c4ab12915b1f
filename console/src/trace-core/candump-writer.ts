import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import { errorCountRemark } from './asc-errors.ts';
import type { RowPlace } from './chunk-view.ts';
import { type FrameChunk, gapKind } from './frame-chunk.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

const errorBit = 0x20000000;
/** The class that other tools give an error of which nothing is known. */
const busError = 0x80;
/** Error frames that get a line each. No bus makes more in the time for which a driver holds them back. */
const mostErrorLines = 10_000;

/** Seconds with all six digits, from whole microseconds. */
export const secondsText = (us: number): string => {
  const seconds = Math.floor(us / 1e6);
  return `${seconds}.${String(us - seconds * 1e6).padStart(6, '0')}`;
};

const hexId = (id: number, flags: number): string => {
  const isError = (flags & frameFlag.error) !== 0;
  const isWide = isError || (flags & frameFlag.extended) !== 0;
  const bits = isError ? (id || busError) + errorBit : id;
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
  const bits = ((flags & frameFlag.brs) !== 0 ? 1 : 0) | ((flags & frameFlag.esi) !== 0 ? 2 : 0);
  return `#${bits}${data}`;
};

/** Error frames have a line each, since the format has no counts; a device that goes or comes has none. */
const errorLines = (chunk: FrameChunk, row: number, line: string): string => {
  const errors = chunk.errors[row] as number;
  if (errors > mostErrorLines) return `# ${errorCountRemark(errors)}\n${line}`;
  const isDevice = errors === 0 && chunk.id[row] === 0;
  return isDevice ? '' : line.repeat(Math.max(errors, 1));
};

/** What `candump -l -x` writes. It has no form for LIN, and none for remarks such as gaps. */
export const candumpWriter = (_: number, { channelName }: ExportContext): TraceWriter => {
  const lineOf = ({ chunk, row }: RowPlace): string => {
    if (chunk.kind[row] === gapKind || chunk.bus[row] === busCode.lin) return '';
    const flags = chunk.flags[row] as number;
    const data = formatHex(chunk.dataOf(row));
    const isFd = (flags & frameFlag.fd) !== 0 && (flags & frameFlag.error) === 0;
    const body = isFd ? fdBody(data, flags) : classicBody(data, flags, chunk.dlc[row] as number);
    const us = chunk.timestampUs[row] as number;
    const name = channelName(chunk.channel[row] as number, us).replaceAll(/[^!-~]/g, '_');
    const direction = chunk.kind[row] === eventKindCode.tx_complete ? 'T' : 'R';
    const time = secondsText(us);
    const frame = `${hexId(chunk.id[row] as number, flags)}#${body}`;
    const line = `(${time}) ${name} ${frame} ${direction}\n`;
    return (flags & frameFlag.error) === 0 ? line : errorLines(chunk, row, line);
  };
  return { head: '', line: lineOf, tail: '' };
};
