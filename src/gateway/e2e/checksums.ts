import type { checksumAlgorithms, E2eCodec } from '../project/tables/codecs.ts';
import type { ChecksumAlgorithm } from './checksum-algorithm.ts';
import { Crc } from './crc.ts';
import type { CrcParameters } from './crc-tables.ts';

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
 * The CRCs of AUTOSAR's library, and CRC8_GSM_A, which profiles 1 and 11 compute: they call CRC8
 * as if it went on, which takes its initial value and its final XOR away.
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

/** A checksum of the catalogue; all that use it share it, and it is made for the first of them. */
export const catalogueChecksum = (name: CatalogueName): ChecksumAlgorithm => {
  if (name === 'sum8') return sum8;
  if (name === 'xor8') return xor8;
  const crc = catalogueCrcs.get(name) ?? new Crc(crcCatalogue[name]);
  catalogueCrcs.set(name, crc);
  return crc;
};

const hexValue = (text: string): bigint => BigInt(text.startsWith('0x') ? text : `0x${text}`);

/** The checksum of a free layout: one of the catalogue, or a CRC with parameters of its own. */
export const checksumOf = (checksum: NonNullable<E2eCodec['checksum']>): ChecksumAlgorithm => {
  if (checksum.algorithm !== 'crc') return catalogueChecksum(checksum.algorithm);
  return new Crc({
    width: checksum.width,
    polynomial: hexValue(checksum.polynomial),
    initial: hexValue(checksum.initial),
    finalXor: hexValue(checksum.final_xor),
    reflect: checksum.reflect,
  });
};
