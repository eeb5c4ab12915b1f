import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, dataTables } from '../pdu/data-tables.ts';
import { addressSpace } from '../pdu/function-codes.ts';
import { alignBits, bitAt, packBits, packedLength, placeBits, putBit } from '../pdu/packed-bits.ts';
import { registersOf, valueTexts } from '../pdu/register-values.ts';
import { registersPerValue, type ValueType } from '../pdu/value-types.ts';
import { writeRegisters } from '../pdu/wire-words.ts';
import type { WordOrder } from '../pdu/word-order.ts';
import { type MapAccess, mapAccess, type RegisterMap } from './register-map.ts';

const pageShift = 10;
const pageLength = 1 << pageShift;
const pageMask = pageLength - 1;

const untouchedPage = new Uint16Array(pageLength);

/** Registers of one table. Pages are allocated on the first write. */
export class RegisterTable {
  readonly #pages: Uint16Array[] = new Array(addressSpace >> pageShift).fill(untouchedPage);

  get heldBytes(): number {
    return this.#pages.filter((page) => page !== untouchedPage).length * untouchedPage.byteLength;
  }

  get(address: number): number {
    return this.#page(address)[address & pageMask] as number;
  }

  put(address: number, value: number): void {
    this.#ownedPage(address)[address & pageMask] = value;
  }

  encode(into: Uint8Array, at: number, address: number, count: number): number {
    const first = address & pageMask;
    const here = Math.min(count, pageLength - first);
    writeRegisters(into, at, this.#page(address), first, here);
    // No request spans three pages.
    if (here < count) {
      writeRegisters(into, at + 2 * here, this.#page(address + here), 0, count - here);
    }
    return 2 * count;
  }

  read(address: number, count: number, into: Uint16Array): void {
    for (let i = 0; i < count; i++) into[i] = this.get(address + i);
  }

  write(address: number, registers: Uint16Array): void {
    for (let i = 0; i < registers.length; i++) this.put(address + i, registers[i] as number);
  }

  #page(address: number): Uint16Array {
    return this.#pages[address >> pageShift] as Uint16Array;
  }

  #ownedPage(address: number): Uint16Array {
    const page = this.#page(address);
    if (page !== untouchedPage) return page;
    const owned = new Uint16Array(pageLength);
    this.#pages[address >> pageShift] = owned;
    return owned;
  }
}

const untouchedBits = new Uint8Array(packedLength(addressSpace));

/** Packed bits of one table. Memory is allocated on the first write. */
class BitTable {
  #bits = untouchedBits;

  get heldBytes(): number {
    return this.#bits === untouchedBits ? 0 : this.#bits.length;
  }

  get(address: number): boolean {
    return bitAt(this.#bits, address);
  }

  put(address: number, on: boolean): void {
    putBit(this.#owned(), address, on);
  }

  encode(into: Uint8Array, at: number, address: number, count: number): number {
    return alignBits(this.#bits, address, count, into, at);
  }

  write(address: number, count: number, packed: Uint8Array): void {
    placeBits(packed, 0, count, this.#owned(), address);
  }

  #owned(): Uint8Array {
    if (this.#bits === untouchedBits) this.#bits = new Uint8Array(untouchedBits.length);
    return this.#bits;
  }
}

export type BitTableName = 'coil' | 'discrete';
export type RegisterTableName = 'input' | 'holding';

/**
 * Data of a server. Its owner may write every table. A call writes all its items or none. No
 * request is served while the owner's code runs, so clients see all changes of one turn together.
 */
export class DataModel {
  readonly access: MapAccess;
  readonly tables = {
    coil: new BitTable(),
    discrete: new BitTable(),
    input: new RegisterTable(),
    holding: new RegisterTable(),
  } as const;

  constructor(map?: RegisterMap) {
    this.access = mapAccess(map);
  }

  get heldBytes(): number {
    return dataTables.reduce((sum, table) => sum + this.tables[table].heldBytes, 0);
  }

  readBits(table: BitTableName, address: number, count: number): boolean[] {
    this.#requireItems(table, address, count);
    return Array.from({ length: count }, (_, index) => this.tables[table].get(address + index));
  }

  writeBits(table: BitTableName, address: number, bits: readonly boolean[]): void {
    this.#requireItems(table, address, bits.length);
    this.tables[table].write(address, bits.length, packBits(bits));
  }

  readRegisters(
    table: RegisterTableName,
    address: number,
    count: number,
    into = new Uint16Array(count),
  ): Uint16Array {
    this.#requireItems(table, address, count);
    this.tables[table].read(address, count, into);
    return into;
  }

  writeRegisters(table: RegisterTableName, address: number, registers: Uint16Array): void {
    this.#requireItems(table, address, registers.length);
    this.tables[table].write(address, registers);
  }

  changeBits(table: RegisterTableName, address: number, mask: number, bits: number): void {
    this.#requireItems(table, address, 1);
    const registers = this.tables[table];
    registers.put(address, (registers.get(address) & ~mask) | (bits & mask));
  }

  readValues(
    table: RegisterTableName,
    address: number,
    count: number,
    type: ValueType,
    order: WordOrder,
  ): readonly string[] {
    const registers = this.readRegisters(table, address, count * registersPerValue[type]);
    return valueTexts(type, order, registers);
  }

  writeValues(
    table: RegisterTableName,
    address: number,
    values: readonly string[],
    type: ValueType,
    order: WordOrder,
  ): void {
    this.writeRegisters(table, address, registersOf(type, order, values));
  }

  #requireItems(table: DataTable, address: number, count: number): void {
    if (!Number.isInteger(address) || address < 0 || address >= addressSpace) {
      throw invalidArgument('address', 'address is an integer from 0 to 65535', {
        reason: 'range',
      });
    }
    if (!Number.isInteger(count) || count < 0 || count > addressSpace - address) {
      throw invalidArgument(
        'count',
        `${count} items from address ${address} exceed address 65535`,
        { reason: 'range', maximum: addressSpace - address },
      );
    }
    if (this.access[table].readable.covers(address, count)) return;
    throw invalidArgument('address', `The server does not define all ${count} items`, {
      reason: 'unmapped',
      table,
      address,
    });
  }
}
