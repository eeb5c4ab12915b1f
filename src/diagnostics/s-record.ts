import { hexByte } from '../frame/hex-bytes.ts';
import { uintAt } from './big-endian.ts';
import {
  checkFileSize,
  eachLine,
  type Image,
  ImageBuilder,
  imageError,
  readHexLine,
} from './image.ts';

/** Address bytes of the types; 4 is reserved. */
const addressBytes: Readonly<Record<number, number>> = {
  0: 2,
  1: 2,
  2: 3,
  3: 4,
  5: 2,
  6: 3,
  7: 4,
  8: 3,
  9: 2,
};

const isEnd = (type: number): boolean => type >= 7;
const isData = (type: number): boolean => type >= 1 && type <= 3;

/**
 * Reads Motorola S-records:
 *
 *     S type | count n | address 2, 3 or 4 | data | checksum |
 *
 * The count is that of the bytes after it, and the checksum the complement of the sum of count,
 * address and data. S5 and S6 contain the number of data records so far. A file ends with S7, S8 or
 * S9, which srecord omits without a start address, or with such a count.
 */
export const readSRecords = (file: Uint8Array): Image => {
  checkFileSize(file);
  const builder = new ImageBuilder(file.length >> 1);
  const bytes = new Uint8Array(256);
  let records = 0;
  let start: number | null = null;
  let lastLine = 0;
  let isEnded = false;
  let isCounted = false;

  eachLine(file, (line, from, to) => {
    if (from === to) return;
    lastLine = line;
    if (isEnded) throw imageError(line, 1, 'a record after the end record');
    if (((file[from] as number) | 0x20) !== 0x73) {
      throw imageError(line, 1, 'a record must begin with S');
    }
    const type = (file[from + 1] ?? 0) - 0x30;
    const width = addressBytes[type];
    if (width === undefined) throw imageError(line, 2, 'the type must be a digit other than 4');
    const count = readHexLine(file, { from: from + 2, to, line, start: from }, bytes);
    const announced = bytes[0] as number;
    if (count !== announced + 1 || announced < width + 1) {
      const words =
        announced < width + 1
          ? `a record S${type} has at least ${width + 1} bytes, not ${announced}`
          : `the record has ${count - 1} bytes, but its count requires ${announced}`;
      throw imageError(line, 3, words);
    }
    let sum = 0;
    for (let index = 0; index < count - 1; index++) sum += bytes[index] as number;
    if (((sum + (bytes[count - 1] as number)) & 0xff) !== 0xff) {
      throw imageError(line, 2 * count + 1, `wrong checksum; it would be ${hexByte(~sum)}`);
    }
    const address = uintAt(bytes, 1, width);
    isCounted = type === 5 || type === 6;
    if (isData(type)) {
      records += 1;
      builder.add(address, bytes.subarray(1 + width, count - 1), { line, column: 5 });
    } else if (isEnd(type)) {
      start = address;
      isEnded = true;
    } else if (isCounted && address !== records % 256 ** width) {
      throw imageError(line, 5, `the file has ${records} data records so far, not ${address}`);
    }
  });
  if (!isEnded && !isCounted) {
    throw imageError(lastLine + 1, 1, 'the end record S7, S8 or S9 is missing');
  }
  return builder.image(start);
};
