import { BusbarError } from '../base/errors/busbar-error.ts';
import { hexDigits } from '../frame/hex-bytes.ts';

/** A range of memory without gaps. */
export interface Segment {
  readonly address: number;
  readonly data: Uint8Array;
}

export interface Image {
  /** Ascending, without overlaps; segments do not touch. */
  readonly segments: readonly Segment[];
  /** Bytes of all segments. */
  readonly size: number;
  /** Entry point, if the file has one. */
  readonly start: number | null;
}

/** Bytes of an image file. */
export const maxImageFile = 128 * 1024 * 1024;
/** Ranges before those that touch are joined. */
const maxRanges = 65_536;
export const addressLimit = 2 ** 32;

export const imageError = (line: number, column: number, words: string): BusbarError =>
  new BusbarError('invalid_diagnostics_file', {
    message: `Line ${line}, column ${column}: ${words}`,
    details: { line, column, reason: words },
  });

/** Where the bytes are in the file. */
interface Place {
  readonly line: number;
  readonly column: number;
}

interface Range extends Place {
  readonly address: number;
  readonly at: number;
  length: number;
}

const hexAddress = (address: number): string => `0x${hexDigits(address, 8)}`;

/** Collects the bytes of records in any order. */
export class ImageBuilder {
  readonly #bytes: Uint8Array;
  #length = 0;
  readonly #ranges: Range[] = [];

  /** `capacity` is the number of bytes that the file can contain. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  add(address: number, bytes: Uint8Array, place: Place): void {
    const { length } = bytes;
    if (length === 0) return;
    if (address + length > addressLimit) {
      throw imageError(place.line, place.column, 'the bytes extend beyond the address 0xFFFFFFFF');
    }
    this.#bytes.set(bytes, this.#length);
    const last = this.#ranges.at(-1);
    if (last !== undefined && last.address + last.length === address) last.length += length;
    else this.#begin({ address, at: this.#length, length, ...place });
    this.#length += length;
  }

  image(start: number | null): Image {
    const ranges = [...this.#ranges].sort((one, other) => one.address - other.address);
    const segments: Segment[] = [];
    for (let first = 0; first < ranges.length; ) {
      const next = this.#endOfSegment(ranges, first);
      segments.push(this.#segment(ranges.slice(first, next)));
      first = next;
    }
    return { segments, size: this.#length, start };
  }

  #begin(range: Range): void {
    if (this.#ranges.length === maxRanges) {
      const words = `the file has more than ${maxRanges} separate ranges`;
      throw imageError(range.line, range.column, words);
    }
    this.#ranges.push(range);
  }

  /** Index after the ranges that touch. */
  #endOfSegment(ranges: readonly Range[], first: number): number {
    let index = first;
    for (;;) {
      const { address, length, line } = ranges[index] as Range;
      index += 1;
      const next = ranges[index];
      if (next === undefined || next.address > address + length) return index;
      if (next.address < address + length) {
        const [later, earlier] =
          next.line > line ? [next, line] : [ranges[index - 1] as Range, next.line];
        const words = `the bytes overlap those from line ${earlier} at ${hexAddress(next.address)}`;
        throw imageError(later.line, later.column, words);
      }
    }
  }

  #segment(ranges: readonly Range[]): Segment {
    const [{ address, at, length }] = ranges as [Range];
    if (ranges.length === 1) return { address, data: this.#bytes.subarray(at, at + length) };
    const data = new Uint8Array(ranges.reduce((sum, range) => sum + range.length, 0));
    for (const range of ranges) {
      const bytes = this.#bytes.subarray(range.at, range.at + range.length);
      data.set(bytes, range.address - address);
    }
    return { address, data };
  }
}

/**
 * Lines of a text file as positions in its bytes, without blanks at the end. The line number
 * counts from 1.
 */
export const eachLine = (
  file: Uint8Array,
  take: (line: number, from: number, to: number) => void,
): void => {
  for (let from = 0, line = 1; from < file.length; line++) {
    let end = file.indexOf(0x0a, from);
    if (end < 0) end = file.length;
    let to = end;
    while (to > from && (file[to - 1] as number) <= 0x20) to -= 1;
    take(line, from, to);
    from = end + 1;
  }
};

const nibble = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** Reads pairs of hex digits into `into`; returns their number. */
export const readHexLine = (
  file: Uint8Array,
  { from, to, line, start }: { from: number; to: number; line: number; start: number },
  into: Uint8Array,
): number => {
  const count = (to - from) / 2;
  if (count > into.length) throw imageError(line, to - start, 'the record is too long');
  for (let at = from; at < to; at++) {
    const value = nibble(file[at] as number);
    if (value < 0) throw imageError(line, at - start + 1, 'not a hex digit');
    const index = (at - from) >> 1;
    into[index] = ((into[index] as number) << 4) | value;
  }
  if (!Number.isInteger(count)) throw imageError(line, to - start, 'half a byte at the end');
  return count;
};

export const checkFileSize = (file: Uint8Array): void => {
  if (file.length <= maxImageFile) return;
  throw new BusbarError('invalid_diagnostics_file', {
    message: `The image has more than ${maxImageFile} bytes`,
    details: { limit: maxImageFile },
  });
};

/** A file of bytes for one address. */
export const binaryImage = (file: Uint8Array, address: number): Image => {
  checkFileSize(file);
  if (address + file.length > addressLimit) {
    throw new BusbarError('invalid_diagnostics_file', {
      message: `The image extends beyond the address 0xFFFFFFFF`,
      details: { address, size: file.length },
    });
  }
  return { segments: [{ address, data: file }], size: file.length, start: null };
};
