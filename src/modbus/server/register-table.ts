import { addressSpace } from '../pdu/function-codes.ts';
import { writeRegisters } from '../pdu/wire-words.ts';

const pageShift = 10;
const pageLength = 1 << pageShift;
const pageMask = pageLength - 1;

/** Content of unwritten pages, shared and read only. */
const untouched = new Uint16Array(pageLength);

/** Registers of one table. Pages are allocated on their first write. */
export class RegisterTable {
  readonly #pages: Uint16Array[] = new Array(addressSpace >> pageShift).fill(untouched);

  get heldBytes(): number {
    return this.#pages.filter((page) => page !== untouched).length * untouched.byteLength;
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
    if (page !== untouched) return page;
    const owned = new Uint16Array(pageLength);
    this.#pages[address >> pageShift] = owned;
    return owned;
  }
}
