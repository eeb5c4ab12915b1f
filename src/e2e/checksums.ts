import type { checksumAlgorithms, E2eSettings } from './codec-fields.ts';
import { Uint64 } from './uint64.ts';

export interface ChecksumAlgorithm {
  compute(input: Uint8Array, result: Uint64): void;
}

/** CRC parameters in catalog notation: values are written most significant bit first. */
export interface CrcParameters {
  readonly width: number;
  readonly polynomial: bigint;
  readonly initial: bigint;
  readonly finalXor: bigint;
  /** True if input bytes and result are processed least significant bit first. */
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
 * Aligns a value in a 64-bit register. A plain CRC starts at the left and shifts left; a reflected
 * CRC is its mirror image.
 *
 *     bit of the register   63 ……… 48 47 …………………………………… 16 15 ………  0
 *     plain, 16 bits        15 ………  0  .                    .  .     .
 *     reflected, 16 bits     .      .  .                    .  0 ……… 15
 */
const inRegister = (value: bigint, { width, reflect }: CrcParameters): Uint64 =>
  Uint64.of(reflect ? reversed(value, width) : value << BigInt(64 - width));

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

export class CrcTables {
  readonly #max: number;
  readonly #tables = new Map<string, Int32Array>();

  constructor(max: number) {
    this.#max = max;
  }

  of(parameters: CrcParameters): Int32Array {
    const { width, polynomial, reflect } = parameters;
    const key = `${width} ${polynomial} ${reflect}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const table = buildTable(parameters);
    const [oldest] = this.#tables.keys();
    if (this.#tables.size === this.#max && oldest !== undefined) this.#tables.delete(oldest);
    this.#tables.set(key, table);
    return table;
  }
}

/** Limited, so that projects with custom polynomials cannot exhaust the daemon's memory. */
const tables = new CrcTables(64);

class Crc implements ChecksumAlgorithm {
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

type CatalogueName = (typeof checksumAlgorithms)[number];
type CrcName = Exclude<CatalogueName, 'sum8' | 'xor8'>;

const all64 = 2n ** 64n - 1n;

const row = (
  width: number,
  polynomial: bigint,
  initial: bigint,
  reflect: boolean,
  finalXor: bigint,
): CrcParameters => ({ width, polynomial, initial, reflect, finalXor });

/**
 * CRCs of the AUTOSAR library. CRC8_GSM_A is for profiles 1 and 11, whose chained CRC8 calls
 * cancel the initial value and the final XOR.
 */
export const crcCatalogue: Readonly<Record<CrcName, CrcParameters>> = {
  CRC8: row(8, 0x1dn, 0xffn, false, 0xffn),
  CRC8_GSM_A: row(8, 0x1dn, 0n, false, 0n),
  CRC8H2F: row(8, 0x2fn, 0xffn, false, 0xffn),
  CRC16: row(16, 0x1021n, 0xffffn, false, 0n),
  CRC16_ARC: row(16, 0x8005n, 0n, true, 0n),
  CRC32: row(32, 0x04c1_1db7n, 0xffff_ffffn, true, 0xffff_ffffn),
  CRC32P4: row(32, 0xf4ac_fb13n, 0xffff_ffffn, true, 0xffff_ffffn),
  CRC64: row(64, 0x42f0_e1eb_a9ea_3693n, all64, true, all64),
};

const sum8: ChecksumAlgorithm = {
  compute(input, result) {
    let sum = 0;
    for (let index = 0; index < input.length; index += 1) sum += input[index] as number;
    result.set(0, sum & 0xff);
  },
};

const xor8: ChecksumAlgorithm = {
  compute(input, result) {
    let mixed = 0;
    for (let index = 0; index < input.length; index += 1) mixed ^= input[index] as number;
    result.set(0, mixed);
  },
};

const catalogueCrcs = new Map<CrcName, Crc>();

export const catalogueChecksum = (name: CatalogueName): ChecksumAlgorithm => {
  if (name === 'sum8') return sum8;
  if (name === 'xor8') return xor8;
  const crc = catalogueCrcs.get(name) ?? new Crc(crcCatalogue[name]);
  catalogueCrcs.set(name, crc);
  return crc;
};

const hexValue = (text: string): bigint => BigInt(text.startsWith('0x') ? text : `0x${text}`);

export const checksumOf = (checksum: NonNullable<E2eSettings['checksum']>): ChecksumAlgorithm => {
  if (checksum.algorithm !== 'crc') return catalogueChecksum(checksum.algorithm);
  return new Crc({
    width: checksum.width,
    polynomial: hexValue(checksum.polynomial),
    initial: hexValue(checksum.initial),
    finalXor: hexValue(checksum.final_xor),
    reflect: checksum.reflect,
  });
};
