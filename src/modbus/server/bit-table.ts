import { addressSpace } from '../pdu/function-codes.ts';
import { alignBits, bitAt, packedLength, placeBits, putBit } from '../pdu/packed-bits.ts';

/** Content of unwritten tables, shared and read only. */
const untouched = new Uint8Array(packedLength(addressSpace));

/** Bits of one table, packed. Memory is allocated on the first write. */
export class BitTable {
  #bits = untouched;

  get heldBytes(): number {
    return this.#bits === untouched ? 0 : this.#bits.length;
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
    if (this.#bits === untouched) this.#bits = new Uint8Array(untouched.length);
    return this.#bits;
  }
}
