/**
 * Number of error frames that one event represents. A bus can produce thousands of equal error frames
 * a second, so repeats are combined. The payload contains the error frame, `dlc` bytes, and an
 * optional count:
 *
 *     payload_length = dlc        one error frame
 *     payload_length = dlc + 4    the last four bytes are the count, big-endian; 0 if the event
 *                                 reports something else, such as a state change
 */
import { frm2Dlc, frm2Flags, frm2PayloadLength } from './frm2-codec.ts';
import { frameFlag, frm2 } from './frm2-layout.ts';

export const errorCountBytes = 4;

export const putErrorCount = (bytes: Uint8Array, at: number, count: number): void => {
  bytes[at] = count >>> 24;
  bytes[at + 1] = count >>> 16;
  bytes[at + 2] = count >>> 8;
  bytes[at + 3] = count;
};

export const errorCountIn = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;

/** Appends the count to the error details unless it is 1. */
export const withErrorCount = (details: Uint8Array, count: number): Uint8Array => {
  if (count === 1) return details;
  const bytes = new Uint8Array(details.length + errorCountBytes);
  bytes.set(details);
  putErrorCount(bytes, details.length, count);
  return bytes;
};

export const hasErrorCount = (flags: number, dlc: number, length: number): boolean =>
  (flags & frameFlag.error) !== 0 && length === dlc + errorCountBytes;

const hasFrm2ErrorCount = (record: DataView, at: number): boolean =>
  hasErrorCount(frm2Flags(record, at), frm2Dlc(record, at), frm2PayloadLength(record, at));

/** Number of error frames that a record represents, if its status is an error. */
export const frm2ErrorCount = (record: DataView, at: number): number =>
  hasFrm2ErrorCount(record, at) ? record.getUint32(at + frm2.payload + frm2Dlc(record, at)) : 1;

export const frm2DataLength = (record: DataView, at: number): number =>
  frm2PayloadLength(record, at) - (hasFrm2ErrorCount(record, at) ? errorCountBytes : 0);
