import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChecksumAlgorithm,
  type CrcParameters,
  CrcTables,
  catalogueChecksum,
  checksumOf,
  crcCatalogue,
} from './checksums.ts';
import type { checksumAlgorithms } from './codec-fields.ts';
import { Uint64 } from './uint64.ts';

const computed = (algorithm: ChecksumAlgorithm, input: Uint8Array): bigint => {
  const result = new Uint64();
  algorithm.compute(input, result);
  return result.toBigInt();
};

const ofHex = (hex: string): Buffer => Buffer.from(hex, 'hex');
const digits = Buffer.from('123456789', 'latin1');

/** A custom CRC, as a project declares it. */
const ownCrc = ({ width, polynomial, initial, finalXor, reflect }: CrcParameters) =>
  checksumOf({
    start_bit: 0,
    bit_length: width,
    byte_order: 'intel',
    algorithm: 'crc',
    width,
    polynomial: polynomial.toString(16),
    initial: `0x${initial.toString(16)}`,
    final_xor: finalXor.toString(16).toUpperCase(),
    reflect,
  });

/** The CRC by its definition: bit by bit, most significant bit first. */
const bitwise = (parameters: CrcParameters, input: Uint8Array): bigint => {
  const { width, polynomial, initial, finalXor, reflect } = parameters;
  const mirrored = (value: bigint, bits: number): bigint =>
    BigInt(`0b${[...value.toString(2).padStart(bits, '0')].reverse().join('')}`);
  let register = initial;
  for (const byte of input) {
    const entering = reflect ? mirrored(BigInt(byte), 8) : BigInt(byte);
    for (let bit = 7n; bit >= 0n; bit -= 1n) {
      const out = (register >> BigInt(width - 1)) ^ ((entering >> bit) & 1n);
      register = BigInt.asUintN(width, register << 1n) ^ (out === 1n ? polynomial : 0n);
    }
  }
  return (reflect ? mirrored(register, width) : register) ^ finalXor;
};

const anyParameters = fc.integer({ min: 1, max: 64 }).chain((width) => {
  const value = fc.bigInt(0n, 2n ** BigInt(width) - 1n);
  return fc.record({
    width: fc.constant(width),
    polynomial: value,
    initial: value,
    finalXor: value,
    reflect: fc.boolean(),
  });
});

describe('the catalogue of checksums', () => {
  it.each([
    ['CRC8', 0x4bn],
    ['CRC8_GSM_A', 0x37n],
    ['CRC8H2F', 0xdfn],
    ['CRC16', 0x29b1n],
    ['CRC16_ARC', 0xbb3dn],
    ['CRC32', 0xcbf4_3926n],
    ['CRC32P4', 0x1697_d06an],
    ['CRC64', 0x995d_c9bb_df19_39fan],
    ['sum8', 0xddn],
    ['xor8', 0x31n],
  ] as const)('has for %s the check that is published', (name, check) => {
    expect(computed(catalogueChecksum(name), digits)).toBe(check);
  });

  const columns = [
    'CRC8',
    'CRC8H2F',
    'CRC16',
    'CRC16_ARC',
    'CRC32',
    'CRC32P4',
    'CRC64',
  ] as const satisfies readonly (typeof checksumAlgorithms)[number][];

  it.each([
    ['00000000', '59 12 84c0 0000 2144df1c 6fb32240 f4a586351e1b9f4b'],
    ['f20183', '37 c2 d374 c2e1 24ab9d77 4f721a25 319c27668164f1c6'],
    ['0faa0055', '79 c6 2023 0be3 b6c9b287 20662df8 54c5d0f7667c1575'],
    ['00ff5511', 'b8 77 b8f9 6ccf 32a06212 9bd7996e a63822be7e0704e6'],
    ['332255aabbccddeeff', 'cb 11 f53f ae98 b0ae863d a65a343d 701eceb219a8e5d5'],
    ['926b55', '8c 33 0745 e24e 9cdea29b ee688a78 5faa96a9b59f3e4e'],
    ['ffffffff', '74 6c 1d0f 9401 ffffffff ffffffff ffffffff00000000'],
  ])('computes of %s what AUTOSAR tells', (data, expected) => {
    const results = columns.map((name) =>
      computed(catalogueChecksum(name), ofHex(data)).toString(16),
    );
    const reported = expected.split(' ').map((hex) => BigInt(`0x${hex}`).toString(16));
    expect(results).toEqual(reported);
  });

  it('adds and mixes bytes of which the sum is large', () => {
    const bytes = new Uint8Array(64).fill(0xff);
    expect(computed(catalogueChecksum('sum8'), bytes)).toBe(BigInt((64 * 255) % 256));
    expect(computed(catalogueChecksum('xor8'), bytes.subarray(1))).toBe(0xffn);
  });
});

describe('a CRC with parameters of its own', () => {
  it.each(Object.entries(crcCatalogue))('is %s where it says the same', (name, parameters) => {
    const algorithm = catalogueChecksum(name as keyof typeof crcCatalogue);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        expect(computed(ownCrc(parameters), input)).toBe(computed(algorithm, input));
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['CRC-3/GSM', 3, 0x3n, 0x0n, false, 0x7n, 0x4n],
    ['CRC-5/USB', 5, 0x05n, 0x1fn, true, 0x1fn, 0x19n],
    ['CRC-7/MMC', 7, 0x09n, 0x0n, false, 0x0n, 0x75n],
    ['CRC-8/BLUETOOTH', 8, 0xa7n, 0x0n, true, 0x0n, 0x26n],
    ['CRC-15/CAN', 15, 0x4599n, 0x0n, false, 0x0n, 0x059en],
    ['CRC-16/RIELLO', 16, 0x1021n, 0xb2aan, true, 0x0n, 0x63d0n],
    ['CRC-24/OPENPGP', 24, 0x864cfbn, 0xb704cen, false, 0x0n, 0x21cf02n],
    ['CRC-31/PHILIPS', 31, 0x04c11db7n, 0x7fffffffn, false, 0x7fffffffn, 0x0ce9e46cn],
    ['CRC-40/GSM', 40, 0x0004820009n, 0x0n, false, 0xffffffffffn, 0xd4164fc646n],
    ['CRC-64/ECMA-182', 64, 0x42f0e1eba9ea3693n, 0x0n, false, 0x0n, 0x6c40df5f0b497347n],
  ] as const)(
    'is %s of the catalogues',
    (_, width, polynomial, initial, reflect, finalXor, check) => {
      const parameters = { width, polynomial, initial, reflect, finalXor };
      expect(computed(ownCrc(parameters), digits)).toBe(check);
    },
  );

  it('is what the definition says, in every width', () => {
    fc.assert(
      fc.property(anyParameters, fc.uint8Array({ maxLength: 20 }), (parameters, input) => {
        expect(computed(ownCrc(parameters), input)).toBe(bitwise(parameters, input));
      }),
      { numRuns: 400 },
    );
  });

  it('shares its table with equal ones, as long as no more are kept than allowed', () => {
    const tables = new CrcTables(2);
    const { CRC8, CRC8_GSM_A, CRC8H2F, CRC32 } = crcCatalogue;
    const first = tables.of(CRC8);
    expect(tables.of(CRC8_GSM_A)).toBe(first);
    expect(tables.of({ ...CRC8, reflect: true })).not.toBe(first);
    expect(tables.of(CRC8)).toBe(first);
    tables.of(CRC8H2F);
    expect(tables.of(CRC8)).not.toBe(first);
    expect(tables.of(CRC8)).toEqual(first);
    expect(tables.of(CRC32)).not.toEqual(first);
  });
});
