import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { binaryImage, type Image } from './image.ts';
import { readIntelHex } from './intel-hex.ts';
import { readImage } from './read-image.ts';
import { readSRecords } from './s-record.ts';
import { hexRecord, intelHexOf, sRecord, sRecordsOf } from './testing/write-image.ts';

const file = (...lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.join('\n'));
const end = ':00000001FF';

const shown = ({ segments, size, start }: Image) => ({
  segments: segments.map(({ address, data }) => [address, formatHex(data)]),
  size,
  start,
});

describe('an Intel HEX file', () => {
  it('has segments for the bytes of its records', () => {
    const read = readIntelHex(
      file(':0300300002337A1E', ':02003300AABB66', '', ':04000005000000CD2A\r', end),
    );
    expect(shown(read)).toEqual({ segments: [[0x30, '02337AAABB']], size: 5, start: 0xcd });
  });

  it('places data by the last extended address', () => {
    const read = readIntelHex(
      file(
        hexRecord(4, 0, [0x08, 0x00]),
        hexRecord(0, 0x10, [1]),
        hexRecord(2, 0, [0x10, 0x00]),
        hexRecord(0, 0xffff, [2, 3]),
        hexRecord(3, 0, [0x10, 0, 0, 5]),
        end,
      ),
    );
    expect(shown(read)).toEqual({
      segments: [
        [0x10000, '03'],
        [0x1ffff, '02'],
        [0x08000010, '01'],
      ],
      size: 3,
      start: 0x10005,
    });
  });

  it('may have records in any order, which are joined', () => {
    const read = readIntelHex(
      file(hexRecord(0, 2, [3]), hexRecord(0, 0, [1, 2]), hexRecord(0, 9, [4]), end),
    );
    expect(shown(read).segments).toEqual([
      [0, '010203'],
      [9, '04'],
    ]);
  });

  it.each<[string[], string]>([
    [['0300300002337A1E'], 'Line 1, column 1: a record must begin with :'],
    [[end, end], 'Line 2, column 1: a record after the end record'],
    [[':0300300002337A1F'], 'Line 1, column 16: wrong checksum; it would be 1E'],
    [[':0300300002337G1E'], 'Line 1, column 15: not a hex digit'],
    [[':0300300002337A1'], 'Line 1, column 16: half a byte at the end'],
    [[':0400300002337A1E'], 'Line 1, column 2: the record has 8 bytes, but its length requires 9'],
    [[`:${'00'.repeat(261)}`], 'Line 1, column 523: the record is too long'],
    [[hexRecord(6, 0, [])], 'Line 1, column 8: unknown record type 06'],
    [[hexRecord(4, 0, [1])], 'Line 1, column 2: a record of type 04 has 2 data bytes, not 1'],
    [[hexRecord(0, 0, [1])], 'Line 2, column 1: the end record is missing'],
    [[], 'Line 1, column 1: the end record is missing'],
    [
      [hexRecord(0, 4, [1, 2]), hexRecord(0, 2, [1, 2, 3]), end],
      'Line 2, column 4: the bytes overlap those from line 1 at 0x00000004',
    ],
    [
      [hexRecord(0, 4, [1, 2]), hexRecord(0, 9, [1]), hexRecord(0, 5, [1]), end],
      'Line 3, column 4: the bytes overlap those from line 1 at 0x00000005',
    ],
    [
      [hexRecord(4, 0, [0xff, 0xff]), hexRecord(0, 0xffff, [1, 2]), end],
      'Line 2, column 4: the bytes extend beyond the address 0xFFFFFFFF',
    ],
  ])('is refused: %j', (lines, message) => {
    expect(() => readIntelHex(file(...lines))).toThrow(
      expect.objectContaining({ code: 'invalid_diagnostics_file', message }),
    );
  });
});

describe('a file of S-records', () => {
  it('has segments for the bytes of its records, with addresses of two to four bytes', () => {
    const read = readSRecords(
      file(
        sRecord(0, 0, [0x48, 0x44]),
        sRecord(1, 0x1000, [1]),
        sRecord(2, 0x121000, [2]),
        sRecord(3, 0x08000000, [3]),
        sRecord(5, 3, []),
        sRecord(7, 0x08000001, []),
      ),
    );
    expect(shown(read)).toEqual({
      segments: [
        [0x1000, '01'],
        [0x121000, '02'],
        [0x08000000, '03'],
      ],
      size: 3,
      start: 0x08000001,
    });
  });

  it('may end with the number of its records', () => {
    expect(readSRecords(file(sRecord(1, 0, [1]), sRecord(5, 1, []))).size).toBe(1);
  });

  it.each<[string[], string]>([
    [['T1'], 'Line 1, column 1: a record must begin with S'],
    [['S4'], 'Line 1, column 2: the type must be a digit other than 4'],
    [['S'], 'Line 1, column 2: the type must be a digit other than 4'],
    [['S1'], 'Line 1, column 3: a record S1 has at least 3 bytes, not 0'],
    [['S1021000ED'], 'Line 1, column 3: a record S1 has at least 3 bytes, not 2'],
    [['S1051000ED'], 'Line 1, column 3: the record has 3 bytes, but its count requires 5'],
    [['S104100001EB'], 'Line 1, column 11: wrong checksum; it would be EA'],
    [
      [sRecord(1, 0, [1]), sRecord(5, 2, [])],
      'Line 2, column 5: the file has 1 data records so far, not 2',
    ],
    [[sRecord(9, 0, []), sRecord(9, 0, [])], 'Line 2, column 1: a record after the end record'],
    [[sRecord(1, 0, [1])], 'Line 2, column 1: the end record S7, S8 or S9 is missing'],
    [
      [sRecord(1, 0, [1]), sRecord(1, 0, [1]), sRecord(9, 0, [])],
      'Line 2, column 5: the bytes overlap those from line 1 at 0x00000000',
    ],
  ])('is refused: %j', (lines, message) => {
    expect(() => readSRecords(file(...lines))).toThrow(
      expect.objectContaining({ code: 'invalid_diagnostics_file', message }),
    );
  });
});

describe('an image', () => {
  const memory = fc
    .array(
      fc.tuple(
        fc.integer({ min: 0, max: 0xffff }),
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
      ),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    .map((parts) => {
      // Each in a megabyte of its own, so that none overlaps.
      return parts.map(([offset, data], index) => ({ address: index * 0x200000 + offset, data }));
    });

  it.each([
    ['Intel HEX', intelHexOf, readIntelHex],
    ['S-records', sRecordsOf, readSRecords],
  ])('of %s has the bytes that were written', (_, write, read) => {
    fc.assert(
      fc.property(memory, fc.integer({ min: 1, max: 250 }), (segments, width) => {
        const image = read(file(...write(segments, width)));
        expect(shown(image).segments).toEqual(
          segments.map(({ address, data }) => [address, formatHex(data)]),
        );
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('of any bytes is read or refused with its place', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(readIntelHex, readSRecords),
        fc.string({ maxLength: 80 }),
        fc.constantFrom(':', 'S1', '', ':00000001FF\n'),
        (read, text, start) => {
          try {
            read(file(start + text));
          } catch (thrown) {
            const { code, details } = BusbarError.from(thrown);
            expect(code).toBe('invalid_diagnostics_file');
            expect(details.line).toBeGreaterThan(0);
          }
        },
      ),
      { seed: 1, numRuns: 1000 },
    );
  });

  it('may be spread over all of memory, but not without limit', () => {
    const scattered = (count: number): Uint8Array =>
      file(
        ...Array.from({ length: count }, (_, index) => sRecord(3, index * 0xfff0, [1])),
        sRecord(7, 0, []),
      );
    expect(readSRecords(scattered(65_536)).segments).toHaveLength(65_536);
    expect(() => readSRecords(scattered(65_537))).toThrow(
      expect.objectContaining({
        message: 'Line 65537, column 5: the file has more than 65536 separate ranges',
      }),
    );
  });

  it('of many records is one segment', () => {
    const count = 300_000;
    const text = Array.from({ length: count }, (_, index) => sRecord(3, index, [index & 0xff]));
    const { segments } = readSRecords(file(text.join('\n'), sRecord(7, 0, [])));
    expect(segments.map(({ address, data }) => [address, data.length])).toEqual([[0, count]]);
  });

  it('of bytes needs an address', () => {
    const data = Uint8Array.of(1, 2);
    expect(shown(readImage('app.bin', data, 0x100))).toEqual({
      segments: [[0x100, '0102']],
      size: 2,
      start: null,
    });
    expect(() => readImage('app.bin', data)).toThrow(
      expect.objectContaining({ details: { field: 'address' } }),
    );
    expect(() => binaryImage(data, 0xffffffff)).toThrow(
      expect.objectContaining({ code: 'invalid_diagnostics_file' }),
    );
  });

  it.each([
    ['app.hex', [end], undefined],
    ['app.s19', [sRecord(9, 0, [])], undefined],
    ['app.bin', [''], 0x100],
  ])('without bytes is refused: %s', (name, lines, address) => {
    expect(() => readImage(name, file(...lines), address)).toThrow(
      expect.objectContaining({
        code: 'invalid_diagnostics_file',
        message: 'The image is empty',
      }),
    );
  });

  it('is read by the end of its name', () => {
    const bytes = sRecord(1, 0, [1, 2, 3]);
    expect(readImage('APP.HEX', file(':0100000011EE', end)).size).toBe(1);
    expect(readImage('app.s19', file(bytes, sRecord(9, 0, []))).size).toBe(3);
    expect(() => readImage('app.hex', file(end), 5)).toThrow(
      expect.objectContaining({ details: { field: 'address' } }),
    );
    expect(() => readImage('app.elf', file(end))).toThrow(
      expect.objectContaining({ details: { field: 'file' } }),
    );
  });
});
