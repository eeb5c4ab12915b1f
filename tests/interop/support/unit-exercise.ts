import { expect } from 'vitest';
import { discreteAt, inputAt, tableSize } from '../../support/modbus-rig.ts';
import { type UnitClient, UnitException } from './unit-client.ts';

/** Properties of the other side. */
export interface ServedTables {
  /** Items in each table. */
  readonly size: number;
  readonly discreteAt: (address: number) => number;
  readonly inputAt: (address: number) => number;
  /** Whether a write beyond the end is applied as far as possible, and reported as success. */
  readonly writesPartly?: boolean;
}

export const filledTables: ServedTables = { size: tableSize, discreteAt, inputAt };
/** Initial contents of a server started from the command line. */
export const emptyTables: ServedTables = {
  size: 65_536,
  discreteAt: () => 0,
  inputAt: () => 0,
};

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

/** Unrelated words, the same in every run. */
const words = (count: number, seed: number): number[] => {
  let state = seed;
  return range(0, count).map(() => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
};

const bits = (count: number, seed: number): number[] => words(count, seed).map((word) => word & 1);

/** The exception code of a failed call. */
export const exceptionOf = async (call: Promise<unknown>): Promise<number | string> => {
  try {
    await call;
    return 'no exception';
  } catch (error) {
    return error instanceof UnitException ? error.exception : String(error);
  }
};

const exerciseBits = async (client: UnitClient, tables: ServedTables): Promise<void> => {
  await client.write(5, 20, [1]);
  expect(await client.read(1, 19, 3)).toEqual([0, 1, 0]);
  await client.write(5, 20, [0]);
  expect(await client.read(1, 20, 1)).toEqual([0]);
  const max = bits(1968, 1);
  await client.write(15, 101, max);
  expect(await client.read(1, 100, 2000)).toEqual([0, ...max, ...bits(31, 0).fill(0)]);
  await client.write(15, 103, [1, 1, 1]);
  expect(await client.read(1, 101, 7)).toEqual([...max.slice(0, 2), 1, 1, 1, ...max.slice(5, 7)]);
  expect(await client.read(2, 5, 2000)).toEqual(range(5, 2000).map(tables.discreteAt));
  expect(await client.read(2, 9, 1)).toEqual([tables.discreteAt(9)]);
};

const exerciseRegisters = async (client: UnitClient, tables: ServedTables): Promise<void> => {
  for (const value of [0xffff, 0, 0x8000, 0x1234]) {
    await client.write(6, 7, [value]);
    expect(await client.read(3, 6, 3)).toEqual([0, value, 0]);
  }
  const max = words(123, 2);
  await client.write(16, 1001, max);
  expect(await client.read(3, 1000, 125)).toEqual([0, ...max, 0]);
  await client.write(16, 1001, [1]);
  expect(await client.read(3, 1001, 2)).toEqual([1, max[1]]);
  expect(await client.read(4, 1, 125)).toEqual(range(1, 125).map(tables.inputAt));
  expect(await client.read(4, 2999, 1)).toEqual([tables.inputAt(2999)]);
};

const exerciseChanges = async (client: UnitClient): Promise<void> => {
  if (client.mask) {
    await client.write(6, 30, [0x12]);
    await client.mask(30, 0xf2, 0x25);
    expect(await client.read(3, 30, 1)).toEqual([0x17]);
  }
  if (client.readWrite) {
    const max = words(121, 3);
    // The write comes first, so that the read includes it.
    expect(await client.readWrite(1998, 125, 2000, max)).toEqual([0, 0, ...max, 0, 0]);
    expect(await client.readWrite(2000, 1, 2000, [5])).toEqual([5]);
  }
};

const exerciseExceptions = async (
  client: UnitClient,
  { size, writesPartly = false }: ServedTables,
): Promise<void> => {
  for (const code of [1, 2, 3, 4] as const) {
    expect(await exceptionOf(client.read(code, size - 1, 2))).toBe(2);
    expect(await client.read(code, size - 1, 1)).toHaveLength(1);
  }
  if (writesPartly) return;
  for (const code of [15, 16] as const) {
    expect(await exceptionOf(client.write(code, size - 1, [1, 1]))).toBe(2);
  }
  // The rejected write has changed nothing, not even the existing addresses.
  expect(await client.read(1, size - 1, 1)).toEqual([0]);
  expect(await client.read(3, size - 1, 1)).toEqual([0]);
  if (size < 65_536) {
    expect(await exceptionOf(client.write(5, size, [1]))).toBe(2);
    expect(await exceptionOf(client.write(6, size, [1]))).toBe(2);
  }
};

/**
 * Everything a client can do with a unit: every function with its maximum size, and errors at
 * the end of the tables. Skips functions the client lacks.
 */
export const exerciseUnit = async (client: UnitClient, tables: ServedTables): Promise<void> => {
  await exerciseBits(client, tables);
  await exerciseRegisters(client, tables);
  await exerciseChanges(client);
  await exerciseExceptions(client, tables);
};

/** Texts at the limits of each type; all peers read them the same way. */
export const valuesOfTypes = {
  u16: ['0', '65535', '4660'],
  s16: ['-32768', '32767', '-2'],
  u32: ['4294967295', '305419896'],
  s32: ['-2147483648', '2147483647', '-559038737'],
  u64: ['18446744073709551615', '81985529216486895'],
  s64: ['-9223372036854775808', '9223372036854775807', '-81985529216486895'],
  f32: ['123456', '-0.15625', '3.1415927'],
  f64: ['3.141592653589793', '-1e-300', '1.7976931348623157e+308'],
} as const;

/** Whether two texts are the same value; peers print floats with more or fewer digits. */
export const isSameValue = (type: string, one: string, other: string): boolean => {
  if (type === 'f64') return Number(one) === Number(other);
  return type === 'f32' ? Math.fround(Number(one)) === Math.fround(Number(other)) : one === other;
};
