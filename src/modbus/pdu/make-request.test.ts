import { describe, expect, it } from 'vitest';
import type { DataTable } from './data-tables.ts';
import {
  identifyRequest,
  maskWriteRequest,
  readRequest,
  readWriteRequest,
  writeCoilRequest,
  writeCoilsRequest,
  writeRegisterRequest,
  writeRegistersRequest,
} from './make-request.ts';

const refusalOf = (make: () => unknown): unknown => {
  try {
    make();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

const refused = (field: string) => ({ code: 'invalid_argument', details: { field } });

const registers = (count: number): Uint16Array => new Uint16Array(count);
const coils = new Uint8Array(250);

describe('requests of a client', () => {
  it.each<[DataTable, number, number]>([
    ['coil', 1, 2000],
    ['discrete', 2, 2000],
    ['holding', 3, 125],
    ['input', 4, 125],
  ])('read at most what one response holds: %s', (table, code, limit) => {
    expect(readRequest(table, 0, limit)).toMatchObject({ function: code, count: limit });
    expect(readRequest(table, 65_535, 1)).toMatchObject({ address: 65_535 });
    for (const count of [0, -1, 1.5, Number.NaN, limit + 1]) {
      expect(refusalOf(() => readRequest(table, 0, count))).toMatchObject(refused('count'));
    }
  });

  it.each([
    ['coils', (count: number) => writeCoilsRequest(0, count, coils), 1968, 'count'],
    ['registers', (count: number) => writeRegistersRequest(0, registers(count)), 123, 'count'],
    [
      'registers and read',
      (count: number) => readWriteRequest(0, 1, 0, registers(count)),
      121,
      'write_count',
    ],
  ])('write at most what one request holds: %s', (_, make, limit, field) => {
    expect(make(1)).toBeDefined();
    expect(make(limit)).toBeDefined();
    for (const count of [0, limit + 1]) {
      expect(refusalOf(() => make(count))).toMatchObject(refused(field));
    }
  });

  it.each([-1, 65_536, 0.5])('refuse the address %d', (address) => {
    for (const make of [
      () => readRequest('coil', address, 1),
      () => writeCoilRequest(address, true),
      () => writeRegisterRequest(address, 0),
      () => writeCoilsRequest(address, 1, coils),
      () => writeRegistersRequest(address, registers(1)),
      () => maskWriteRequest(address, 0, 0),
      () => readWriteRequest(address, 1, 0, registers(1)),
    ]) {
      expect(refusalOf(make)).toMatchObject(refused('address'));
    }
    expect(refusalOf(() => readWriteRequest(0, 1, address, registers(1)))).toMatchObject(
      refused('write_address'),
    );
  });

  it('refuse to go beyond the last address, and tell how many are left', () => {
    expect(refusalOf(() => readRequest('holding', 65_530, 7))).toMatchObject({
      details: { field: 'count', maximum: 6 },
    });
    expect(refusalOf(() => readWriteRequest(0, 1, 65_535, registers(2)))).toMatchObject({
      details: { field: 'write_count', maximum: 1 },
    });
  });

  it.each([-1, 65_536, 1.5])('refuse %d for a register', (value) => {
    expect(refusalOf(() => writeRegisterRequest(0, value))).toMatchObject(refused('value'));
    expect(refusalOf(() => maskWriteRequest(0, value, 0))).toMatchObject(refused('and_mask'));
    expect(refusalOf(() => maskWriteRequest(0, 0, value))).toMatchObject(refused('or_mask'));
  });

  it('refuse fewer bits than coils', () => {
    expect(refusalOf(() => writeCoilsRequest(0, 9, Uint8Array.of(1)))).toMatchObject(
      refused('value'),
    );
  });

  it('keep their own copy of what is to be written, without bits beyond the last coil', () => {
    const packed = Uint8Array.of(0xff, 0xff, 0xff);
    const words = Uint16Array.of(0x0102);
    const bits = writeCoilsRequest(0, 10, packed);
    const values = writeRegistersRequest(0, words);
    packed.fill(0);
    words.fill(0);
    expect([...bits.data]).toEqual([0xff, 0x03]);
    expect([...values.data]).toEqual([0x01, 0x02]);
  });

  it.each([-1, 256])('refuse the object %d', (objectId) => {
    expect(refusalOf(() => identifyRequest(4, objectId))).toMatchObject(refused('object_id'));
  });
});
