import { describe, expect, it } from 'vitest';
import { frm2StreamEpoch, isFrm2 } from '../../../src/frame/frm2-codec.ts';
import { busCode, eventKindCode } from '../../../src/frame/frm2-layout.ts';
import { bytesOf } from '../codec/testing/models.ts';
import { FrameChunk } from './frame-chunk.ts';
import { extended } from './testing/records.ts';

/** A record written byte by byte from the published table. */
const published = bytesOf(
  [
    '46524D32 02 40 02 02 0007 03 03 18FF50E5 00000001 00000000',
    '001FFFFFFFFFFFFF 0000000100000002 0000000000000009 0006000000000001',
    '0000 00 5A 00000000 AABBCC',
  ].join(' '),
);

describe('a record in a chunk', () => {
  it('reads every field where the published table puts it', () => {
    const record = new DataView(published.buffer);
    expect(isFrm2(record)).toBe(true);
    const chunk = new FrameChunk(1);
    chunk.addRecord(record);
    expect(chunk.bus[0]).toBe(busCode.canfd);
    expect(chunk.kind[0]).toBe(eventKindCode.tx_complete);
    expect(chunk.channel[0]).toBe(7);
    expect(chunk.id[0]).toBe(0x18ff50e5);
    expect(chunk.flags[0]).toBe(extended);
    expect(chunk.eventId[0]).toBe(Number.MAX_SAFE_INTEGER);
    expect(chunk.sequence[0]).toBe(2 ** 32 + 2);
    expect(frm2StreamEpoch(record, 0)).toBe(9);
    expect(chunk.timestampUs[0]).toBe(6 * 2 ** 48 + 1);
    expect(chunk.checksum[0]).toBe(0x5a);
    expect([...chunk.dataOf(0)]).toEqual([0xaa, 0xbb, 0xcc]);
  });
});
