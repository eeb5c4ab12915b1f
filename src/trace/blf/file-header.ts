import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ByteSource } from '../trace-format.ts';
import { firstYear, isRepresentable, lastYear } from '../trace-start.ts';
import { setUint64 } from '../uint64.ts';
import { fileHeader, fileHeaderSize, fileMagic } from './blf-layout.ts';
import { ByteWindow } from './byte-window.ts';

const readBytes = 0x1_0000;

export class FileWindow {
  readonly window = new ByteWindow(4 * readBytes);
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get position(): number {
    return this.window.offsetOf(this.window.start);
  }

  more(): boolean {
    const { window } = this;
    window.reserve(readBytes);
    const place = window.bytes.subarray(window.end, window.end + window.room);
    const count = this.#source.read(place);
    window.end += count;
    return count > 0;
  }

  fill(count: number): boolean {
    const { window } = this;
    window.reserve(count - window.available);
    while (window.available < count) {
      if (!this.more()) return false;
    }
    return true;
  }
}

/**
 * SYSTEMTIME: eight 16-bit words (year, month, weekday, day, hour, minute, second, millisecond)
 * without a time zone. Vector's tools write local time, and so does Busbar: a recording shows
 * the same time of day in both. A file from another zone is off by whole hours, which cannot be
 * detected.
 */
const word = (view: DataView, at: number, index: number): number =>
  view.getUint16(at + 2 * index, true);

const readSystemTime = (view: DataView, at: number): number | null => {
  const year = word(view, at, 0);
  const month = word(view, at, 1);
  const day = word(view, at, 3);
  if (year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1 || day > 31)
    return null;
  const time = new Date(
    year,
    month - 1,
    day,
    word(view, at, 4),
    word(view, at, 5),
    word(view, at, 6),
    word(view, at, 7),
  );
  return time.getTime() * 1000;
};

const writeSystemTime = (view: DataView, at: number, unixMs: number): void => {
  if (!isRepresentable(unixMs)) return;
  const time = new Date(unixMs);
  const words = [
    time.getFullYear(),
    time.getMonth() + 1,
    time.getDay(),
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
    time.getMilliseconds(),
  ];
  words.forEach((value, index) => {
    view.setUint16(at + 2 * index, value, true);
  });
};

const minHeaderSize = 56;
const maxHeaderSize = 0xffff;
const apiNumber = 4_070_100;

const refusal = (message: string): BusbarError => new BusbarError('invalid_trace', { message });

/**
 * Skips the header and returns the start in Unix microseconds. Sizes and counts are ignored:
 * crashed writers leave them at 0.
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
  if (!file.fill(size)) throw refusal('The BLF file is truncated within its header');
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
