import { describe, expect, it } from 'vitest';
import { type MappedRange, mapAccess } from './register-map.ts';

describe('mapAccess', () => {
  it('gives everything without a map, with the tables for reading not writable', () => {
    const access = mapAccess();
    expect(access.coil.writable.covers(0, 65_536)).toBe(true);
    expect(access.holding.writable.covers(0, 65_536)).toBe(true);
    expect(access.discrete.readable.covers(0, 65_536)).toBe(true);
    expect(access.input.readable.covers(0, 65_536)).toBe(true);
    expect(access.discrete.writable.covers(0, 1)).toBe(false);
    expect(access.input.writable.covers(0, 1)).toBe(false);
  });

  it('lets a range be read only where the table could be written', () => {
    const { holding } = mapAccess([
      { table: 'holding', address: 10, count: 4 },
      { table: 'holding', address: 14, count: 2, writable: false },
    ]);
    expect(holding.readable.covers(10, 6)).toBe(true);
    expect(holding.writable.covers(10, 4)).toBe(true);
    expect(holding.writable.covers(13, 2)).toBe(false);
  });

  it('has nothing in the tables that the map leaves out', () => {
    expect(mapAccess([]).coil.readable.covers(0, 1)).toBe(false);
  });

  it.each<[Partial<MappedRange>, string]>([
    [{ address: -1 }, 'address'],
    [{ address: 65_536 }, 'address'],
    [{ address: 0.5 }, 'address'],
    [{ count: 0 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ address: 65_535, count: 2 }, 'count'],
    [{ table: 'input', writable: true }, 'writable'],
    [{ table: 'discrete', writable: true }, 'writable'],
  ])('refuses %o by the name of what is wrong', (part, field) => {
    const good: MappedRange = { table: 'coil', address: 0, count: 1 };
    expect(() => mapAccess([good, { ...good, ...part }])).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field: `map[1].${field}` }),
      }),
    );
  });
});
