import { describe, expect, it } from 'vitest';
import { DataModel } from '../server/data-model.ts';
import { writeBits, writeRegisters } from '../server/testing/held-data.ts';
import { heldItems } from './held-items.ts';

const model = new DataModel([
  { table: 'holding', address: 10, count: 3 },
  { table: 'holding', address: 20, count: 2 },
  { table: 'coil', address: 0, count: 2 },
]);
writeRegisters(model, 'holding', 10, Uint16Array.of(0x0001, 0x86a0, 7));
writeBits(model, 'coil', 0, [true, false]);

const holding = { table: 'holding', type: 'u16', order: 'ABCD' } as const;

describe('heldItems', () => {
  it('tells values in the type and order asked for, with what they were made of', () => {
    const wide = { ...holding, address: 10, type: 'u32' } as const;
    expect(heldItems(model, wide, 1, undefined)).toEqual({
      values: ['100000'],
      registers: [1, 0x86a0],
      ranges: [
        { table: 'coil', address: 0, count: 2 },
        { table: 'holding', address: 10, count: 3 },
        { table: 'holding', address: 20, count: 2 },
      ],
      range_total: 3,
    });
    const swapped = { ...wide, order: 'CDAB' } as const;
    expect(heldItems(model, swapped, 1, 'hex').values).toEqual(['0x86A00001']);
  });

  it('has null for what the unit does not have, also where a value would reach over its end', () => {
    expect(heldItems(model, { ...holding, address: 9 }, 5, undefined)).toMatchObject({
      values: [null, '1', '34464', '7', null],
      registers: [null, 1, 34464, 7, null],
    });
    const wide = { ...holding, address: 12, type: 's32' } as const;
    expect(heldItems(model, wide, 1, undefined)).toMatchObject({
      values: [null],
      registers: [7, null],
    });
  });

  it('tells bits as such', () => {
    const coils = { table: 'coil', address: 0, type: 'bool', order: 'ABCD' } as const;
    expect(heldItems(model, coils, 3, undefined)).toMatchObject({
      values: ['true', 'false', null],
      registers: [1, 0, null],
    });
  });
});
