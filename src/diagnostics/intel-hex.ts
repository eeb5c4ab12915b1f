import { hexByte } from '../frame/hex-bytes.ts';
import { uint16At, uintAt } from './big-endian.ts';
import {
  checkFileSize,
  eachLine,
  type Image,
  ImageBuilder,
  imageError,
  readHexLine,
} from './image.ts';

const recordType = {
  data: 0,
  end: 1,
  segmentAddress: 2,
  segmentStart: 3,
  linearAddress: 4,
  linearStart: 5,
} as const;

/** Data bytes of the types that have a fixed number. */
const lengths: Readonly<Record<number, number>> = {
  [recordType.end]: 0,
  [recordType.segmentAddress]: 2,
  [recordType.segmentStart]: 4,
  [recordType.linearAddress]: 2,
  [recordType.linearStart]: 4,
};

/** Bytes of a record besides its data: length, address 2, type, checksum. */
const overhead = 5;

/**
 * Reads Intel HEX. A record:
 *
 *     :  | length n | address 2 | type | data n | checksum |
 *
 * All bytes of a record add up to 0. Addresses of data count from the base of the last record 02
 * (× 16) or 04 (× 65,536). With 02 they wrap after 64 KiB.
 */
export const readIntelHex = (file: Uint8Array): Image => {
  checkFileSize(file);
  const builder = new ImageBuilder(file.length >> 1);
  const bytes = new Uint8Array(255 + overhead);
  let base = 0;
  let isSegmented = false;
  let start: number | null = null;
  let lastLine = 0;
  let isEnded = false;

  const addData = (line: number, length: number): void => {
    const offset = uint16At(bytes, 1);
    const place = { line, column: 4 };
    const data = bytes.subarray(4, 4 + length);
    const untilWrap = 0x10000 - offset;
    if (!isSegmented || length <= untilWrap) {
      builder.add(base + offset, data, place);
      return;
    }
    builder.add(base + offset, data.subarray(0, untilWrap), place);
    builder.add(base, data.subarray(untilWrap), place);
  };

  eachLine(file, (line, from, to) => {
    if (from === to) return;
    lastLine = line;
    if (isEnded) throw imageError(line, 1, 'a record after the end record');
    if (file[from] !== 0x3a) throw imageError(line, 1, 'a record must begin with :');
    const count = readHexLine(file, { from: from + 1, to, line, start: from }, bytes);
    const length = bytes[0] as number;
    if (count !== length + overhead) {
      const words = `the record has ${count} bytes, but its length requires ${length + overhead}`;
      throw imageError(line, 2, words);
    }
    let sum = 0;
    for (let index = 0; index < count; index++) sum += bytes[index] as number;
    if ((sum & 0xff) !== 0) {
      const right = hexByte((bytes[count - 1] as number) - sum);
      throw imageError(line, 2 * count, `wrong checksum; it would be ${right}`);
    }
    const type = bytes[3] as number;
    const fixed = lengths[type];
    if (fixed !== undefined && fixed !== length) {
      const words = `a record of type ${hexByte(type)} has ${fixed} data bytes, not ${length}`;
      throw imageError(line, 2, words);
    }
    switch (type) {
      case recordType.data:
        addData(line, length);
        break;
      case recordType.end:
        isEnded = true;
        break;
      case recordType.segmentAddress:
      case recordType.linearAddress:
        isSegmented = type === recordType.segmentAddress;
        base = uint16At(bytes, 4) * (isSegmented ? 16 : 65_536);
        break;
      case recordType.segmentStart:
        start = uint16At(bytes, 4) * 16 + uint16At(bytes, 6);
        break;
      case recordType.linearStart:
        start = uintAt(bytes, 4, 4);
        break;
      default:
        throw imageError(line, 8, `unknown record type ${hexByte(type)}`);
    }
  });
  if (!isEnded) throw imageError(lastLine + 1, 1, 'the end record is missing');
  return builder.image(start);
};
