import { describe, expect, it } from 'vitest';
import { fitColumns, withRoomFor } from './fit-columns.ts';

const name = { id: 'name', width: 100, least: 60, grows: true };
const count = { id: 'count', width: 50 };
const note = { id: 'note', width: 80, least: 40, spare: 1 };
const kind = { id: 'kind', width: 70, spare: 2 };
const all = [name, count, note, kind];

const widthsIn = (room: number, dragged: Record<string, number> = {}) => {
  const { columns, widths } = fitColumns(all, dragged, room);
  return columns.map(({ id }, at) => [id, widths[at]]);
};

describe('fitColumns', () => {
  it('gives the room that is left to the columns that want it', () => {
    expect(widthsIn(400)).toEqual([
      ['name', 200],
      ['count', 50],
      ['note', 80],
      ['kind', 70],
    ]);
  });

  it('leaves out what can be spared, the highest number first', () => {
    expect(widthsIn(299).map(([id]) => id)).toEqual(['name', 'count', 'note']);
    expect(widthsIn(229).map(([id]) => id)).toEqual(['name', 'count']);
  });

  it('takes what is still missing from the columns that can get narrower', () => {
    expect(widthsIn(130)).toEqual([
      ['name', 80],
      ['count', 50],
    ]);
    const both = [name, { id: 'other', width: 80, least: 40 }];
    expect(fitColumns(both, {}, 140).widths).toEqual([80, 60]);
  });

  it('leaves out what it would rather keep only when narrower columns do not help', () => {
    const kept = [name, { id: 'late', width: 50, spare: 0 }];
    expect(fitColumns(kept, {}, 120).widths).toEqual([70, 50]);
    expect(fitColumns(kept, {}, 100).widths).toEqual([100]);
    const last = [...kept, { id: 'least', width: 50, spare: -1 }];
    expect(fitColumns(last, {}, 160).columns.map(({ id }) => id)).toEqual([
      'name',
      'late',
      'least',
    ]);
    expect(fitColumns(last, {}, 159).columns.map(({ id }) => id)).toEqual(['name', 'least']);
    expect(fitColumns(last, {}, 109).columns.map(({ id }) => id)).toEqual(['name']);
  });

  it('gets no narrower than its columns: the table scrolls then', () => {
    expect(widthsIn(90)).toEqual([
      ['name', 60],
      ['count', 50],
    ]);
  });

  it('keeps a width that the user dragged, and leaves out nothing because of it', () => {
    expect(widthsIn(300, { count: 400 })).toEqual([
      ['name', 60],
      ['count', 400],
      ['note', 40],
      ['kind', 70],
    ]);
  });

  it('lets the other columns take what a dragged one leaves', () => {
    expect(widthsIn(300, { count: 20 })).toEqual([
      ['name', 130],
      ['count', 20],
      ['note', 80],
      ['kind', 70],
    ]);
  });

  it('stays as it is where no column wants more', () => {
    expect(fitColumns([count], {}, 500).widths).toEqual([50]);
  });
});

describe('withRoomFor', () => {
  it('leaves a column as it is that has the room', () => {
    expect(withRoomFor(count, 50)).toBe(count);
    expect(withRoomFor(name, 60)).toBe(name);
  });

  it('widens a column, which does not get narrower then', () => {
    expect(withRoomFor(count, 90)).toEqual({ id: 'count', width: 90, least: 90 });
    expect(withRoomFor(name, 70)).toEqual({ ...name, width: 100, least: 70 });
  });
});
