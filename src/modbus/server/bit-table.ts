import { addressSpace } from '../pdu/function-codes.ts';
import { alignBits, bitAt, packedLength, placeBits, putBit } from '../pdu/packed-bits.ts';

/** What an unwritten table holds. It is read only, so all tables can share it. */
const untouched = new Uint8Array(packedLength(addressSpace));

/** The bits of one table, packed. They take memory from the first write on. */
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

  /** Puts bits at the start of a byte, as the wire has them; returns the bytes written. */
  encode(into: Uint8Array, at: number, address: number, count: number): number {
    return alignBits(this.#bits, address, count, into, at);
  }

  /** Takes bits that begin with the first of a byte. */
  write(address: number, count: number, packed: Uint8Array): void {
    placeBits(packed, 0, count, this.#owned(), address);
  }

  #owned(): Uint8Array {
    if (this.#bits === untouched) this.#bits = new Uint8Array(untouched.length);
    return this.#bits;
  }
}
