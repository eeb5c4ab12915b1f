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
export const inRegister = (value: bigint, { width, reflect }: CrcParameters): Uint64 =>
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

/** The tables that were made last: equal polynomials share one. */
export class CrcTables {
  readonly #most: number;
  readonly #tables = new Map<string, Int32Array>();

  constructor(most: number) {
    this.#most = most;
  }

  of(parameters: CrcParameters): Int32Array {
    const { width, polynomial, reflect } = parameters;
    const key = `${width} ${polynomial} ${reflect}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const table = buildTable(parameters);
    const [oldest] = this.#tables.keys();
    if (this.#tables.size === this.#most && oldest !== undefined) this.#tables.delete(oldest);
    this.#tables.set(key, table);
    return table;
  }
}
