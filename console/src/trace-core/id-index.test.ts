import { describe, expect, it } from 'vitest';
import { IdIndex } from './by-id-table.ts';

describe('IdIndex', () => {
  it('finds what was added by both numbers, and nothing else', () => {
    const index = new IdIndex(4);
    index.add(8, 0x100, 0);
    index.add(10, 0x100, 1);
    index.add(8, 2 ** 29 + 0x100, 2);
    expect([index.find(8, 0x100), index.find(10, 0x100), index.find(8, 2 ** 29 + 0x100)]).toEqual([
      0, 1, 2,
    ]);
    expect([index.find(9, 0x100), index.find(8, 0x101)]).toEqual([-1, -1]);
  });

  it('tells as many apart as it has room for, wherever they meet', () => {
    const index = new IdIndex(4096);
    const keys = Array.from(
      { length: 4096 },
      (_, i) => [(i % 7) * 8, (i * 2 ** 17) >>> 0] as const,
    );
    for (const [row, [place, id]] of keys.entries()) index.add(place, id, row);
    expect(keys.every(([place, id], row) => index.find(place, id) === row)).toBe(true);
  });

  it('can be copied and emptied', () => {
    const index = new IdIndex(4);
    index.add(1, 2, 3);
    const copy = new IdIndex(4);
    copy.copyFrom(index);
    index.clear();
    expect([index.find(1, 2), copy.find(1, 2)]).toEqual([-1, 3]);
  });
});
