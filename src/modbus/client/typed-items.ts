import { tableRows } from '../pdu/data-tables.ts';
import { addressSpace, limits } from '../pdu/function-codes.ts';
import type { ValueNotation } from '../pdu/hex-values.ts';
import type { ItemAddress } from '../pdu/references.ts';
import { registersOf, requireBool, valueTexts } from '../pdu/register-values.ts';
import { registersPerValue, type ValueType } from '../pdu/value-types.ts';
import type { WordOrder } from '../pdu/word-order.ts';

export interface TypedItems extends ItemAddress {
  readonly type: ValueType;
  readonly order: WordOrder;
}

export const itemsPerValue = ({ table, type }: TypedItems): number =>
  tableRows[table].holdsBits ? 1 : registersPerValue[type];

/** Number of values that one request and the rest of the table have room for. */
export interface ValueRoom {
  readonly inRequest: number;
  readonly inTable: number;
}

const roomFor = (typed: TypedItems, bits: number, registers: number): ValueRoom => {
  const size = itemsPerValue(typed);
  const limit = tableRows[typed.table].holdsBits ? bits : registers;
  return {
    inRequest: Math.floor(limit / size),
    inTable: Math.floor((addressSpace - typed.address) / size),
  };
};

export const roomToRead = (typed: TypedItems): ValueRoom =>
  roomFor(typed, limits.readBits, limits.readRegisters);

export const roomToWrite = (typed: TypedItems): ValueRoom =>
  roomFor(typed, limits.writeBits, limits.writeRegisters);

export const textsOf = (
  { table, type, order }: TypedItems,
  items: Uint16Array,
  notation?: ValueNotation,
): string[] =>
  tableRows[table].holdsBits
    ? Array.from(items, (bit) => String(bit === 1))
    : [...valueTexts(type, order, items, notation)];

/** Items that represent these values. Rejects a value that its type cannot represent exactly. */
export const itemsFor = (
  { table, type, order }: TypedItems,
  texts: readonly string[],
): Uint16Array =>
  tableRows[table].holdsBits
    ? Uint16Array.from(texts, (text, index) => (requireBool(text, index) ? 1 : 0))
    : registersOf(type, order, texts);
