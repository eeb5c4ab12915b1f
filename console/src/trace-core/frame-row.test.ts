import { describe, expect, it } from 'vitest';
import { bytesOf } from '../codec/testing/models.ts';
import { RowWindow, rowBytes, writeRow } from './frame-row.ts';
import { aChunk } from './testing/records.ts';

const windowOf = (...frames: Parameters<typeof aChunk>): RowWindow => {
  const buffer = new ArrayBuffer(8 * rowBytes);
  const chunk = aChunk(...frames);
  for (let row = 0; row < chunk.count; row++) {
    writeRow(new DataView(buffer), row, { chunk, row }, 100 + row, Number.NaN);
  }
  return new RowWindow(buffer, chunk.count);
};

const rows = windowOf(
  { eventId: 1, id: 0x123, data: 'DEADBEEF' },
  { eventId: 2, id: 0x7ff, data: '' },
  { eventId: 3, id: 0x7ff, data: '01' },
);

describe('RowWindow', () => {
  it('gives rows that can be kept, with no more data than they have', () => {
    expect(rows.all().map(({ eventId }) => eventId)).toEqual([1, 2, 3]);
    expect(rows.at(0)).toMatchObject({ serial: 100, id: 0x123, length: 4 });
    expect(rows.all().map(({ data }) => data)).toEqual(['DEADBEEF', '', '01'].map(bytesOf));
  });

  it('gives glances that the next one overwrites', () => {
    const first = rows.glance(0);
    expect([first.eventId, first.data[0], first.length]).toEqual([1, 0xde, 4]);
    const kept = rows.at(0);
    expect(rows.glance(2)).toBe(first);
    expect([first.eventId, first.data[0], first.length]).toEqual([3, 1, 1]);
    expect(kept?.eventId).toBe(1);
  });

  it('finds rows by their serials', () => {
    expect([rows.serialAt(2), rows.serialAt(3)]).toEqual([102, null]);
    expect([rows.indexOf(101), rows.indexOf(7), rows.indexOf(null)]).toEqual([1, -1, -1]);
    expect([rows.at(-1), rows.at(3)]).toEqual([null, null]);
  });
});
