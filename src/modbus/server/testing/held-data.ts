import { dataTables } from '../../pdu/data-tables.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import { packBits } from '../../pdu/packed-bits.ts';
import { registersOf, valueTexts } from '../../pdu/register-values.ts';
import { registersPerValue, type ValueType } from '../../pdu/value-types.ts';
import type { WordOrder } from '../../pdu/word-order.ts';
import type { DataModel } from '../data-model.ts';

type BitTable = 'coil' | 'discrete';
type RegisterTable = 'input' | 'holding';

const itemsOf = <Item>(count: number, itemAt: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => itemAt(index));

export const readBits = (
  { tables }: DataModel,
  table: BitTable,
  address: number,
  count: number,
): boolean[] => itemsOf(count, (index) => tables[table].get(address + index));

export const writeBits = (
  { tables }: DataModel,
  table: BitTable,
  address: number,
  bits: readonly boolean[],
): void => tables[table].write(address, bits.length, packBits(bits));

export const readRegisters = (
  { tables }: DataModel,
  table: RegisterTable,
  address: number,
  count: number,
): Uint16Array => Uint16Array.from(itemsOf(count, (index) => tables[table].get(address + index)));

export const writeRegisters = (
  { tables }: DataModel,
  table: RegisterTable,
  address: number,
  registers: Uint16Array,
): void => tables[table].write(address, registers);

export const readValues = (
  model: DataModel,
  table: RegisterTable,
  address: number,
  count: number,
  type: ValueType,
  order: WordOrder,
): readonly string[] =>
  valueTexts(type, order, readRegisters(model, table, address, count * registersPerValue[type]));

export const writeValues = (
  model: DataModel,
  table: RegisterTable,
  address: number,
  values: readonly string[],
  type: ValueType,
  order: WordOrder,
): void => writeRegisters(model, table, address, registersOf(type, order, values));

/** Whether no item of the model was ever set. */
export const isZero = ({ tables }: DataModel): boolean =>
  dataTables.every(
    (table) => !itemsOf(addressSpace, (index) => tables[table].get(index)).some(Boolean),
  );
