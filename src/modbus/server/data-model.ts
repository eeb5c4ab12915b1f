import { addressSpace } from '../pdu/function-codes.ts';
import { alignBits, bitAt, packedLength, placeBits, putBit } from '../pdu/packed-bits.ts';
import { writeRegisters } from '../pdu/wire-words.ts';
import { type MapAccess, mapAccess, type RegisterMap } from './register-map.ts';

const pageShift = 10;
const pageLength = 1 << pageShift;
const pageMask = pageLength - 1;

const untouchedPage = new Uint16Array(pageLength);

/** Registers of one table. Pages are allocated on the first write. */
export class RegisterTable {
  readonly #pages: Uint16Array[] = new Array(addressSpace >> pageShift).fill(untouchedPage);

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

/**
 * Data of a server. Its owner may write every table. No request is served while the owner's code
 * runs, so clients see all changes of one turn together.
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
}
