import { BusbarError } from '../../base/errors/busbar-error.ts';
import { fileHeader, fileHeaderSize, fileMagic } from './blf-layout.ts';
import type { FileWindow } from './file-window.ts';
import { readSystemTime, writeSystemTime } from './system-time.ts';
import { setUint64 } from './uint64.ts';

/** The start time ends here: a shorter header cannot be one. */
const minHeaderSize = 56;
/** A header as long as this is no header. */
const maxHeaderSize = 0xffff;
/** Of the interface whose layouts these are: 4.7.1. */
const apiNumber = 4_070_100;

const refusal = (message: string): BusbarError => new BusbarError('invalid_trace', { message });

/**
 * Passes over the header and answers the start in Unix microseconds. Writers that crashed left the
 * sizes and counts at 0, and old ones have other things in the words before: none of it is used.
 */
export const readFileHeader = (file: FileWindow): number | null => {
  const { window } = file;
  if (!file.fill(fileHeader.apiNumber) || window.view.getUint32(0, true) !== fileMagic) {
    throw refusal('A BLF file begins with LOGG');
  }
  const size = window.view.getUint32(fileHeader.headerSize, true);
  if (size < minHeaderSize || size > maxHeaderSize) {
    throw refusal(`The header of the BLF file claims ${size} bytes`);
  }
  if (!file.fill(size)) throw refusal('The BLF file ends inside its header');
  const start = readSystemTime(window.view, fileHeader.startTime);
  window.start = size;
  return start;
};

export interface FileTotals {
  readonly fileSize: number;
  readonly uncompressedSize: number;
  readonly objectCount: number;
  readonly lastObjectUnixMs: number;
}

/** A header of a file that is being written, or of a finished one with what there is in it. */
export const fileHeaderBytes = (
  startUnixMs: number,
  compressionLevel: number,
  totals?: FileTotals,
): Uint8Array => {
  const bytes = new Uint8Array(fileHeaderSize);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, fileMagic, true);
  view.setUint32(fileHeader.headerSize, fileHeaderSize, true);
  view.setUint32(fileHeader.apiNumber, apiNumber, true);
  view.setUint8(fileHeader.compressionLevel, compressionLevel);
  writeSystemTime(view, fileHeader.startTime, startUnixMs);
  if (totals === undefined) return bytes;
  setUint64(view, fileHeader.fileSize, totals.fileSize);
  setUint64(view, fileHeader.uncompressedSize, totals.uncompressedSize);
  view.setUint32(fileHeader.objectCount, totals.objectCount, true);
  writeSystemTime(view, fileHeader.lastObjectTime, totals.lastObjectUnixMs);
  return bytes;
};
