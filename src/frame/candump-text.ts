/** Parts of a candump output line for the FRM2 record at an offset. */
import { dlcToLength, maxClassicLength } from './dlc.ts';
import { frm2DataLength, frm2ErrorCount } from './error-count.ts';
import { frm2Bus, frm2Dlc, frm2Flags, frm2Id, frm2PayloadLength } from './frm2-codec.ts';
import { busCode, frameFlag, frm2 } from './frm2-layout.ts';
import { hexDigits } from './hex-bytes.ts';
import { formatCanId } from './notation.ts';

/** Width of a 29-bit identifier, so that columns line up. */
const idWidth = 8;

/** 3 digits for 11 bits, 8 for 29 bits and error classes, 2 for LIN. */
export const candumpId = (record: DataView, at: number): string => {
  const flags = frm2Flags(record, at);
  const id = frm2Id(record, at);
  if (frm2Bus(record, at) === busCode.lin) return hexDigits(id, 2);
  return formatCanId(id, (flags & frameFlag.extended) !== 0, (flags & frameFlag.error) !== 0);
};

/** ` [4]` for classic frames, `[08]` for CAN FD frames. */
export const candumpLength = (record: DataView, at: number): string => {
  const flags = frm2Flags(record, at);
  if ((flags & frameFlag.fd) !== 0) {
    return `[${String(frm2PayloadLength(record, at)).padStart(2, '0')}]`;
  }
  const isRemote = (flags & frameFlag.remote) !== 0;
  const length = isRemote ? dlcToLength(frm2Dlc(record, at), false) : frm2DataLength(record, at);
  return ` [${length}]`;
};

/** Data in hex, or the text that candump prints instead. */
export const candumpData = (record: DataView, at: number): string => {
  const flags = frm2Flags(record, at);
  if ((flags & frameFlag.remote) !== 0) return 'remote request';
  const bytes = Array.from({ length: frm2DataLength(record, at) }, (_, i) =>
    hexDigits(record.getUint8(at + frm2.payload + i), 2),
  ).join(' ');
  if ((flags & frameFlag.error) === 0) return bytes;
  const count = frm2ErrorCount(record, at);
  const times = count > 1 ? ` ×${count}` : '';
  return `${bytes.padEnd(3 * maxClassicLength - 1)}   ERRORFRAME${times}`;
};

export const candumpLine = (name: string, record: DataView, at: number): string => {
  const id = candumpId(record, at).padStart(idWidth);
  const line = `  ${name}  ${id}  ${candumpLength(record, at)}  ${candumpData(record, at)}`;
  return line.trimEnd();
};
