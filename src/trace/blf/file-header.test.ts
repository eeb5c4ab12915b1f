import { describe, expect, it } from 'vitest';
import { readTrace } from '../testing/trace-events.ts';
import { readBlf } from './read-blf.ts';
import { container, fileHeader, message } from './testing/blf-bytes.ts';

const read = (header: Uint8Array) =>
  readTrace(readBlf, Buffer.concat([header, container(message(1))]));

const refused = (bytes: Uint8Array) => () => readTrace(readBlf, bytes);
const refusal = expect.objectContaining({ code: 'invalid_trace' });

describe('the header of a BLF file', () => {
  it('tells the start in local time', () => {
    const localMs = new Date(2024, 2, 14, 13, 7, 47, 123).getTime();
    expect(read(fileHeader([2024, 3, 4, 14, 13, 7, 47, 123])).startUnixUs).toBe(localMs * 1000);
  });

  it('tells no start where there is none, or none that exists', () => {
    expect(read(fileHeader([0, 0, 0, 0, 0, 0, 0, 0])).startUnixUs).toBeNull();
    expect(read(fileHeader([2024, 13, 0, 1, 0, 0, 0, 0])).startUnixUs).toBeNull();
    expect(read(fileHeader([2024, 1, 0, 32, 0, 0, 0, 0])).startUnixUs).toBeNull();
    expect(read(fileHeader([99, 1, 0, 1, 0, 0, 0, 0])).startUnixUs).toBeNull();
    expect(read(fileHeader([10_000, 1, 0, 1, 0, 0, 0, 0])).startUnixUs).toBeNull();
  });

  it('is as long as it says', () => {
    for (const size of [56, 72, 144, 208, 0xffff]) {
      const { events, account } = read(fileHeader(undefined, size));
      expect(events).toHaveLength(1);
      expect(account).toMatchObject({ malformed: 0, truncated: false });
    }
  });

  it('may be of an old version, and wrong about everything else', () => {
    const header = fileHeader();
    Buffer.from('0500000002060801', 'hex').copy(header, 8);
    header.fill(0xff, 16, 40);
    header.fill(0xff, 56);
    expect(read(header).events).toHaveLength(1);
  });

  it('is refused where it is none', () => {
    expect(refused(Buffer.from('LOGH'.padEnd(200)))).toThrow(refusal);
    expect(refused(fileHeader().subarray(0, 7))).toThrow(refusal);
    expect(refused(fileHeader().subarray(0, 143))).toThrow(refusal);
    const header = fileHeader();
    for (const size of [0, 55, 0x1_0000, 0xffff_ffff]) {
      header.writeUInt32LE(size, 4);
      expect(refused(header)).toThrow(refusal);
    }
  });
});
