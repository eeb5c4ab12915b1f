import type { ChecksumAlgorithm } from './checksum-algorithm.ts';
import { Uint64 } from './uint64.ts';

/** A CRC as catalogues describe it: all values as if the most significant bit went first. */
export interface CrcParameters {
  readonly width: number;
  readonly polynomial: bigint;
  readonly initial: bigint;
  readonly finalXor: bigint;
  /** Whether bytes go in, and the result comes out, least significant bit first. */
  readonly reflect: boolean;
}

const reversed = (value: bigint, width: number): bigint => {
  let result = 0n;
  for (let bit = 0; bit < width; bit += 1) {
    result = (result << 1n) | ((value >> BigInt(bit)) & 1n);
  }
  return result;
};

/**
 * A value in a register of 64 bits. That of a plain CRC is filled from the left, and shifts to the
 * left; that of a reflected one is its mirror image.
 *
 *     bit of the register   63 ……… 48 47 …………………………………… 16 15 ………  0
 *     plain, 16 bits        15 ………  0  .                    .  .     .
 *     reflected, 16 bits     .      .  .                    .  0 ……… 15
 */
const inRegister = (value: bigint, { width, reflect }: CrcParameters): Uint64 =>
  Uint64.of(reflect ? reversed(value, width) : value << BigInt(64 - width));

/** What each byte does to the register: two halves for each of the 256. */
const buildTable = (parameters: CrcParameters): Int32Array => {
  const polynomial = inRegister(parameters.polynomial, parameters);
  const table = new Int32Array(512);
  for (let byte = 0; byte < 256; byte += 1) {
    let high = parameters.reflect ? 0 : byte << 24;
    let low = parameters.reflect ? byte : 0;
    for (let bit = 0; bit < 8; bit += 1) {
      const isDivided = parameters.reflect ? (low & 1) === 1 : high < 0;
      if (parameters.reflect) {
        low = (low >>> 1) | (high << 31);
        high >>>= 1;
      } else {
        high = (high << 1) | (low >>> 31);
        low <<= 1;
      }
      if (isDivided) {
        high ^= polynomial.high;
        low ^= polynomial.low;
      }
    }
    table[2 * byte] = high;
    table[2 * byte + 1] = low;
  }
  return table;
};

/** More than the catalogue has; projects with polynomials of their own must not fill the memory. */
const mostTables = 64;
const tables = new Map<string, Int32Array>();

const tableOf = (parameters: CrcParameters): Int32Array => {
  const { width, polynomial, reflect } = parameters;
  const key = `${width} ${polynomial} ${reflect}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = buildTable(parameters);
    const [oldest] = tables.keys();
    if (tables.size >= mostTables && oldest !== undefined) tables.delete(oldest);
    tables.set(key, table);
  }
  return table;
};

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
    this.#table = tableOf(parameters);
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
