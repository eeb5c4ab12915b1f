import { describe, expect, it } from 'vitest';
import { eventKindCode } from '../../../src/frame/frm2-layout.ts';
import { ByIdTable } from './by-id-table.ts';
import { aChunk, error, extended } from './testing/records.ts';

type Fields = Parameters<typeof aChunk>[number];

const tableOf = (frames: readonly Fields[], capacity = 8): ByIdTable => {
  const table = new ByIdTable(capacity);
  const chunk = aChunk(...frames);
  for (let row = 0; row < chunk.count; row++) table.take(chunk, row);
  return table;
};

const ids = (table: ByIdTable): number[] =>
  [...table.sorted].map((row) => table.last.id[row] as number);

describe('ByIdTable', () => {
  it('has a row for each channel, identifier and direction, in an order that stays', () => {
    const table = tableOf([
      { id: 0x300, channel: 1 },
      { id: 0x200, channel: 1, kind: eventKindCode.tx_complete },
      { id: 0x200, channel: 1 },
      { id: 0x100, channel: 1, flags: extended },
      { id: 0x100, channel: 1 },
      { id: 0x400, channel: 0 },
      { id: 0, channel: 0, flags: error },
      { id: 0x300, channel: 1 },
    ]);
    expect(ids(table)).toEqual([0x400, 0, 0x100, 0x200, 0x300, 0x100, 0x200]);
    expect(table.counts[table.sorted[4] ?? -1]).toBe(2);
  });

  it('tells the last and the average time between frames', () => {
    const times = [1000, 11_000, 21_000, 29_000];
    const table = tableOf(times.map((timestampUs) => ({ timestampUs })));
    expect(table.cycleUs[0]).toBe(8000);
    expect(table.averageUs[0]).toBe(9750);
    expect(tableOf([{ timestampUs: 5 }]).cycleUs[0]).toBeNaN();
  });

  it('marks the bytes that changed within the last second, and lets the marks fade', () => {
    const frames = [
      { id: 1, timestampUs: 0, data: '00 00 00' },
      { id: 1, timestampUs: 100, data: '00 01 00' },
      { id: 1, timestampUs: 200, data: '00 01 00 05' },
    ];
    expect(tableOf(frames).changedBytes(0)).toEqual([0b1010, 0]);
    expect(tableOf(frames.slice(0, 1)).changedBytes(0)).toEqual([0, 0]);
    const later = [...frames, { id: 2, timestampUs: 1_000_150 }];
    expect(tableOf(later).changedBytes(0)).toEqual([0b1000, 0]);
  });

  it('marks bytes beyond the 32nd too', () => {
    const table = tableOf([
      { timestampUs: 0, data: '00'.repeat(64) },
      { timestampUs: 1, data: `${'00'.repeat(63)}01` },
    ]);
    expect(table.changedBytes(0)).toEqual([0, 2 ** 31]);
  });

  it('takes no more rows than it has room for, and counts what it leaves out', () => {
    const table = tableOf([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 1 }, { id: 3 }], 2);
    expect(ids(table)).toEqual([1, 2]);
    expect(table.unlisted).toBe(2);
  });

  it('can be copied as it is and emptied', () => {
    const table = tableOf([
      { id: 1, data: 'AA', timestampUs: 1 },
      { id: 1, data: 'BB', timestampUs: 2 },
    ]);
    const copy = table.copy();
    table.clear();
    expect(ids(table)).toEqual([]);
    expect(ids(copy)).toEqual([1]);
    expect([...copy.last.dataOf(0)]).toEqual([0xbb]);
    expect([copy.counts[0], copy.cycleUs[0], copy.changedBytes(0)[0]]).toEqual([2, 1, 1]);
  });
});
