import { describe, expect, it } from 'vitest';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { everyChannel, FrameChunk } from '../trace-core/frame-chunk.ts';
import { aChunk, error, extended, fd } from '../trace-core/testing/records.ts';
import { PackedChunk } from './packed-chunk.ts';

const fieldsOf = (chunk: FrameChunk, row: number) => ({
  timestampUs: chunk.timestampUs[row],
  id: chunk.id[row],
  flags: chunk.flags[row],
  status: chunk.status[row],
  channel: chunk.channel[row],
  kind: chunk.kind[row],
  bus: chunk.bus[row],
  dlc: chunk.dlc[row],
  checksum: chunk.checksum[row],
  errors: chunk.errors[row],
  data: [...chunk.dataOf(row)],
});

describe('a packed chunk', () => {
  it('returns every kind of frame as it was added', () => {
    const rows = aChunk(
      { id: 0x123, data: 'DEADBEEF', timestampUs: 1_700_000_000_123_456 },
      { id: 0x18ff50e5, flags: extended, kind: 2, channel: 9 },
      { bus: busCode.canfd, flags: fd, dlc: 15, data: '22'.repeat(64) },
      { bus: busCode.lin, id: 0x21, data: '0102', checksum: 0x9a, flags: 1 << 8 },
      { bus: busCode.lin, flags: frameFlag.noResponse, status: 1 },
      { flags: error, id: 0x2a0, dlc: 8, data: '000000190000800000005208', status: 1 },
      { flags: error, id: 0, dlc: 0, status: 8, data: '00000000' },
    );
    const packed = new PackedChunk(100);
    for (let row = 0; row < rows.count; row++) packed.add(rows, row);
    packed.trim();
    const back = new FrameChunk(rows.count);
    for (let row = 0; row < rows.count; row++) packed.unpack(row, back, row);
    for (let row = 0; row < rows.count; row++) {
      expect(fieldsOf(back, row)).toEqual(fieldsOf(rows, row));
    }
    expect([...back.serial]).toEqual([100, 101, 102, 103, 104, 105, 106]);
  });

  it('returns gaps of known and unknown size', () => {
    const gaps = new FrameChunk(2);
    for (const missing of [7, Number.NaN]) {
      gaps.addGap({ eventId: 0, missing, channel: everyChannel, timestampUs: 5 });
    }
    const packed = new PackedChunk(0);
    for (let row = 0; row < 2; row++) packed.add(gaps, row);
    const back = new FrameChunk(2);
    for (let row = 0; row < 2; row++) packed.unpack(row, back, row);
    expect([...back.sequence]).toEqual([7, Number.NaN]);
    expect([...back.kind]).toEqual([0, 0]);
  });

  it('grows beyond the usual payload', () => {
    const long = aChunk({ bus: busCode.canfd, flags: fd, dlc: 15, data: '5A'.repeat(64) });
    const packed = new PackedChunk(0);
    while (!packed.isFull) packed.add(long, 0);
    const back = new FrameChunk(1);
    packed.unpack(packed.count - 1, back, 0);
    expect(back.dataOf(0)).toEqual(long.dataOf(0));
  });
});
