import { BusbarError } from '../../../src/base/errors/busbar-error.ts';
import type { ModbusClient } from '../../../src/modbus/client/modbus-client.ts';
import {
  identify,
  maskWrite,
  readWrite,
} from '../../../src/modbus/client/testing/rare-functions.ts';
import { registersOf, valueTexts } from '../../../src/modbus/pdu/register-values.ts';
import { registersPerValue, type ValueType } from '../../../src/modbus/pdu/value-types.ts';
import type { WordOrder } from '../../../src/modbus/pdu/word-order.ts';

export type ReadFunction = 1 | 2 | 3 | 4;
export type WriteFunction = 5 | 6 | 15 | 16;

/** Methods of any client, ours or another; bits are 0 and 1. */
export interface UnitClient {
  read(code: ReadFunction, address: number, count: number): Promise<readonly number[]>;
  write(code: WriteFunction, address: number, items: readonly number[]): Promise<void>;
  mask?(address: number, andMask: number, orMask: number): Promise<void>;
  readWrite?(
    address: number,
    count: number,
    writeAddress: number,
    items: readonly number[],
  ): Promise<readonly number[]>;
  /** Objects by id. */
  identify?(code: 1 | 2 | 3, first: number): Promise<Record<number, string>>;
}

/** Exception response, as every client reports it. */
export class UnitException extends Error {
  readonly exception: number;

  constructor(exception: number) {
    super(`exception ${exception}`);
    this.exception = exception;
  }
}

const tables = { 1: 'coil', 2: 'discrete', 3: 'holding', 4: 'input' } as const;

const reporting = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof BusbarError) || error.code !== 'modbus_exception') throw error;
    throw new UnitException(Number(error.details.exception));
  }
};

/** Our client with the common interface. */
export const asUnitClient = (client: ModbusClient): Required<UnitClient> => ({
  read: async (code, address, count) => [
    ...(await reporting(client.read(tables[code], address, count))),
  ],
  write: (code, address, items) => {
    const table = code === 5 || code === 15 ? 'coil' : 'holding';
    const asMultiple = code === 15 || code === 16;
    return reporting(client.write(table, address, Uint16Array.from(items), { asMultiple }));
  },
  mask: (address, andMask, orMask) => reporting(maskWrite(client, address, { andMask, orMask })),
  readWrite: async (address, count, writeAddress, items) => [
    ...(await reporting(readWrite(client, address, count, writeAddress, Uint16Array.from(items)))),
  ],
  identify: async (code) => {
    const { objects } = await reporting(identify(client, code));
    return Object.fromEntries(
      objects.map(({ id, value }) => [id, Buffer.from(value).toString('latin1')]),
    );
  },
});

/** Holding registers of our client as values. */
export const holdingValues = (
  client: ModbusClient,
  type: ValueType,
  order: WordOrder = 'ABCD',
) => ({
  read: async (address: number, count: number): Promise<readonly string[]> => {
    const registers = await client.read('holding', address, count * registersPerValue[type]);
    return valueTexts(type, order, registers);
  },
  write: (address: number, ...texts: readonly string[]): Promise<void> =>
    client.write('holding', address, registersOf(type, order, texts)),
});
