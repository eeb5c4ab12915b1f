import type { ChecksumAlgorithm } from './checksum-algorithm.ts';
import { type CrcParameters, CrcTables, inRegister } from './crc-tables.ts';
import { Uint64 } from './uint64.ts';

/** Projects with polynomials of their own must not fill the memory of a daemon. */
const tables = new CrcTables(64);

/** A CRC of 1 to 64 bits, byte by byte from a table that equal polynomials share. */
export class Crc implements ChecksumAlgorithm {
  readonly #reflect: boolean;
  readonly #unused: number;
  readonly #initial: Uint64;
  readonly #finalXor: Uint64;
  readonly #table: Int32Array;

  constructor(parameters: CrcParameters) {
    this.#reflect = parameters.reflect;
    this.#unused = 64 - parameters.width;
    this.#initial = inRegister(parameters.initial, parameters);
    this.#finalXor = Uint64.of(parameters.finalXor);
    this.#table = tables.of(parameters);
  }

  compute(input: Uint8Array, result: Uint64): void {
    if (this.#reflect) this.#computeReflected(input, result);
    else this.#computePlain(input, result);
    result.xor(this.#finalXor);
  }

  #computePlain(input: Uint8Array, result: Uint64): void {
    const table = this.#table;
    let { high, low } = this.#initial;
    for (let index = 0; index < input.length; index += 1) {
      const entry = 2 * ((high >>> 24) ^ (input[index] as number));
      high = ((high << 8) | (low >>> 24)) ^ (table[entry] as number);
      low = (low << 8) ^ (table[entry + 1] as number);
    }
    const unused = this.#unused;
    if (unused >= 32) result.set(0, high >>> (unused - 32));
    else if (unused > 0) result.set(high >>> unused, (low >>> unused) | (high << (32 - unused)));
    else result.set(high, low);
  }

  #computeReflected(input: Uint8Array, result: Uint64): void {
    const table = this.#table;
    let { high, low } = this.#initial;
    for (let index = 0; index < input.length; index += 1) {
      const entry = 2 * ((low ^ (input[index] as number)) & 0xff);
      low = ((low >>> 8) | (high << 24)) ^ (table[entry + 1] as number);
      high = (high >>> 8) ^ (table[entry] as number);
    }
    result.set(high, low);
  }
}
