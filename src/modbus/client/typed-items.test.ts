import { describe, expect, it } from 'vitest';
import type { DataTable } from '../pdu/data-tables.ts';
import type { ValueType } from '../pdu/value-types.ts';
import {
  itemsFor,
  itemsPerValue,
  roomToRead,
  roomToWrite,
  type TypedItems,
  textsOf,
} from './typed-items.ts';

const typed = (table: DataTable, type: ValueType, address = 0): TypedItems => ({
  table,
  address,
  type,
  order: 'ABCD',
});

describe('typed items', () => {
  it('are exact texts, and items again', () => {
    const wide = typed('holding', 'u64');
    const registers = Uint16Array.of(0xffff, 0xffff, 0xffff, 0xffff);
    expect(textsOf(wide, registers)).toEqual(['18446744073709551615']);
    expect(itemsFor(wide, ['18446744073709551615'])).toEqual(registers);
    const swapped: TypedItems = { ...typed('holding', 's32'), order: 'CDAB' };
    expect(itemsFor(swapped, ['-2', '1'])).toEqual(Uint16Array.of(0xfffe, 0xffff, 1, 0));
    expect(textsOf(swapped, Uint16Array.of(0xfffe, 0xffff, 1, 0))).toEqual(['-2', '1']);
  });

  it.each(['coil', 'discrete'] as const)('of the %s table are true and false', (table) => {
    const bits = typed(table, 'bool');
    expect(textsOf(bits, Uint16Array.of(0, 1))).toEqual(['false', 'true']);
    expect(itemsFor(bits, ['true', '0'])).toEqual(Uint16Array.of(1, 0));
    expect(() => itemsFor(bits, ['1', '2'])).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'value', index: 1 }) }),
    );
  });

  it.each<[DataTable, ValueType, size: number, read: number, write: number]>([
    ['coil', 'bool', 1, 2000, 1968],
    ['holding', 'bool', 1, 125, 123],
    ['holding', 'u16', 1, 125, 123],
    ['holding', 'f32', 2, 62, 61],
    ['holding', 'u64', 4, 31, 30],
  ])('of %s and %s take %i items a value, of which a request reads %i and writes %i', (...row) => {
    const [table, type, size, read, write] = row;
    const items = typed(table, type);
    expect(itemsPerValue(items)).toBe(size);
    expect(roomToRead(items)).toEqual({ inRequest: read, inTable: Math.floor(65_536 / size) });
    expect(roomToWrite(items)).toMatchObject({ inRequest: write });
  });

  it.each<[ValueType, address: number, values: number]>([
    ['u16', 65_535, 1],
    ['u32', 65_534, 1],
    ['u32', 65_535, 0],
    ['f64', 65_529, 1],
    ['f64', 65_533, 0],
  ])('of %s at %i are %i before the table ends', (type, address, values) => {
    expect(roomToRead(typed('input', type, address)).inTable).toBe(values);
    expect(roomToWrite(typed('holding', type, address)).inTable).toBe(values);
  });
});
