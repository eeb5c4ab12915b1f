import { describe, expect, it } from 'vitest';
import { Scratch } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { FrameBatch } from './frame-sink.ts';

const epoch = 0x1_0000_0002;

const hexOf = ({ scratch, length }: FrameBatch): string =>
  scratch.bytes.subarray(0, length).toString('hex');

/** Magic, version, header length, bus, kind and channel; then come payload length and DLC. */
const header = (length: string) =>
  [
    '46524d32',
    '02400201',
    '0003',
    length,
    '08',
    '00000123',
    '00000004',
    '00000000',
    '0000000000000001',
    '0000000000000007',
    '0000000100000002',
    '00060a24181e4000',
    '0102',
    '05',
    'ee',
    '00000000',
  ].join('');

const payload = (length: number): string =>
  Buffer.from(Uint8Array.from({ length }, (_, byte) => 0xf0 + byte)).toString('hex');

describe('FrameBatch', () => {
  it.each([
    [0, '8240', '00'],
    [8, '8248', '08'],
    [61, '827d', '3d'],
    [62, '827e007e', '3e'],
    [64, '827e0080', '40'],
  ])('puts a record with %i bytes of payload in one final binary frame', (length, head, hex) => {
    const batch = new FrameBatch(new Scratch(), epoch);
    batch.addRecord(stagedRecords([length]).view, 0);
    expect(hexOf(batch)).toBe(head + header(hex) + payload(length));
  });

  it('puts frames of any length one right behind the other', () => {
    const lengths = Array.from({ length: 65 }, (_, length) => length);
    const { view } = stagedRecords(lengths);
    const batch = new FrameBatch(new Scratch(), epoch);
    lengths.forEach((_, index) => {
      batch.addRecord(view, index * frm2SlotBytes);
    });
    const alone = lengths.map((_, index) => {
      const one = new FrameBatch(new Scratch(), epoch);
      one.addRecord(view, index * frm2SlotBytes);
      return hexOf(one);
    });
    expect(hexOf(batch)).toBe(alone.join(''));
  });

  it('tells a gap in a text frame', () => {
    const batch = new FrameBatch(new Scratch(), epoch);
    batch.addGap({ oldestAvailable: 41, newestAvailable: 99 });
    const text = '{"event":"gap","oldest_available":41,"newest_available":99}';
    expect(hexOf(batch)).toBe(`813b${Buffer.from(text).toString('hex')}`);
  });

  it('tells a gap of the largest ids in a short frame', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const batch = new FrameBatch(new Scratch(), epoch);
    batch.addGap({ oldestAvailable: max, newestAvailable: max });
    expect(batch.scratch.bytes[1]).toBe(batch.length - 2);
    expect(batch.length).toBeLessThanOrEqual(127);
  });

  it('has room for the largest record and a gap as long as it says so', () => {
    const scratch = new Scratch();
    const { view } = stagedRecords([64]);
    const batch = new FrameBatch(scratch, epoch);
    let records = 0;
    for (; batch.hasRoom; records++) batch.addRecord(view, 0);
    batch.addGap({ oldestAvailable: 1, newestAvailable: 2 });
    expect(batch.length).toBeLessThanOrEqual(scratch.bytes.length);
    expect(records * 132).toBeGreaterThan(scratch.bytes.length - 600);
  });
});
