import { describe, expect, it } from 'vitest';
import { column, nextSorting, sortedRows } from './table-columns.ts';

const columns = [
  column<{ id: number; size: number }>('id', 'ID', 10, String, { order: ({ id }) => id }),
  column<{ id: number; size: number }>('size', 'Size', 10, String, { order: ({ size }) => size }),
  column<{ id: number; size: number }>('text', 'Text', 10, String),
];
const rows = [
  { id: 1, size: Number.NaN },
  { id: 3, size: 5 },
  { id: 2, size: 7 },
  { id: 4, size: 5 },
];
const ids = (id: string, isDescending: boolean): number[] =>
  sortedRows(rows, columns, { column: id, isDescending }).map((row) => row.id);

describe('sortedRows', () => {
  it('keeps the order of equal rows, and puts rows without a number last', () => {
    expect(ids('id', false)).toEqual([1, 2, 3, 4]);
    expect(ids('id', true)).toEqual([4, 3, 2, 1]);
    expect(ids('size', false)).toEqual([3, 4, 2, 1]);
    expect(ids('size', true)).toEqual([2, 3, 4, 1]);
  });

  it('leaves rows as they are without an order', () => {
    expect(ids('text', true)).toEqual([1, 3, 2, 4]);
    expect(sortedRows(rows, columns, null)).toBe(rows);
  });
});

describe('nextSorting', () => {
  it('starts with the largest numbers or the first texts, turns around, and ends', () => {
    const number = { id: 'size', align: 'end' } as const;
    const down = nextSorting(number, { column: 'id', isDescending: false });
    expect(down).toEqual({ column: 'size', isDescending: true });
    const up = nextSorting(number, down);
    expect(up).toEqual({ column: 'size', isDescending: false });
    expect(nextSorting(number, up)).toBeNull();
    const text = nextSorting({ id: 'name' }, null);
    expect(text).toEqual({ column: 'name', isDescending: false });
    expect(nextSorting({ id: 'name' }, text)).toEqual({ column: 'name', isDescending: true });
  });
});
