import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import {
  checksumAlgorithms,
  type E2eProfile,
  type E2eSettings,
  e2eProfiles,
} from './codec-fields.ts';
import { protectedFields } from './profiles.ts';
import { link, PlacedBytes } from './testing/frames.ts';
import { Uint64Field } from './uint64.ts';

const anyOrder = fc.constantFrom('intel' as const, 'motorola' as const);

const anyBits = (max: number) =>
  fc.record({
    start_bit: fc.integer({ min: 0, max: 150 }),
    bit_length: fc.integer({ min: 1, max }),
    byte_order: anyOrder,
  });

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: 1, maxLength: bytes })
    .map((value) => Buffer.from(value).toString('hex'));

const anyCrc = anyBits(64).chain((place) => {
  const value = fc
    .bigInt(1n, 2n ** BigInt(place.bit_length) - 1n)
    .map((number) => number.toString(16));
  return fc.record({
    start_bit: fc.constant(place.start_bit),
    bit_length: fc.constant(place.bit_length),
    byte_order: fc.constant(place.byte_order),
    algorithm: fc.constant('crc' as const),
    width: fc.constant(place.bit_length),
    polynomial: value,
    initial: value,
    final_xor: value,
    reflect: fc.boolean(),
  });
});

const widths: Readonly<Record<(typeof checksumAlgorithms)[number], number>> = {
  CRC8: 8,
  CRC8_GSM_A: 8,
  CRC8H2F: 8,
  CRC16: 16,
  CRC16_ARC: 16,
  CRC32: 32,
  CRC32P4: 32,
  CRC64: 64,
  sum8: 8,
  xor8: 8,
};

const anyCatalogued = fc
  .tuple(anyBits(1), fc.constantFrom(...checksumAlgorithms))
  .map(([place, algorithm]) => ({ ...place, bit_length: widths[algorithm], algorithm }));

const anyCounter = anyBits(64).chain((place) =>
  fc.bigInt(1n, 2n ** BigInt(place.bit_length) - 1n).map((max) => ({ ...place, max: String(max) })),
);

const anyFree = fc.record(
  {
    profile: fc.constant('free' as const),
    counter: anyCounter,
    checksum: fc.oneof(anyCrc, anyCatalogued),
    prefix: hexOf(20),
    suffix: hexOf(20),
  },
  { requiredKeys: ['profile', 'counter', 'checksum'] },
);

const offset = (step: number) => fc.integer({ min: 0, max: 8 }).map((steps) => step * steps);

const isFor =
  (...profiles: readonly string[]) =>
  (profile: string): boolean =>
    profiles.some((name) => profile === name);

const hasList = isFor('2', '22');
const hasHeader = isFor('2', '22', '4', '5', '6', '7');
const hasNibble = isFor('1C', '11C');

const anyWithProfile = (profile: E2eProfile) =>
  fc
    .record({
      data_id: fc.integer({ min: 0, max: 0xfff }),
      data_id_list: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 16, maxLength: 16 }),
      data_length: fc.option(fc.integer({ min: 24, max: 64 }), { nil: undefined }),
      offset_bits: offset(8),
      crc_offset_bits: offset(8),
      counter_offset_bits: offset(4),
      nibble_offset_bits: offset(4),
      counter_initial: fc.integer({ min: 0, max: 14 }).map(String),
    })
    .map((all): Partial<E2eSettings> => {
      const { data_id, data_id_list, data_length, counter_initial } = all;
      return {
        profile,
        counter_initial,
        ...(data_length !== undefined && { data_length }),
        ...(hasList(profile) ? { data_id_list } : { data_id }),
        ...(hasHeader(profile)
          ? { offset_bits: all.offset_bits }
          : { crc_offset_bits: all.crc_offset_bits, counter_offset_bits: all.counter_offset_bits }),
        ...(hasNibble(profile) && { nibble_offset_bits: all.nibble_offset_bits }),
      };
    });

/** A link with this codec, or undefined if the project is rejected. */
const linkIfAccepted = (fields: Partial<E2eSettings>, length: number) => {
  try {
    return link(fields, length);
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.code === 'invalid_argument') return undefined;
    throw thrown;
  }
};

const bitsOf = ({ segments }: Uint64Field): number[] =>
  segments.flatMap(({ byte, shift, bits }) =>
    Array.from({ length: bits }, (_, bit) => 8 * byte + shift + bit),
  );

const inOrder = (bits: readonly number[]): number[] => bits.toSorted((one, other) => one - other);

describe('every codec that a project is accepted with', () => {
  it.each(e2eProfiles)(
    'protects frames that it accepts, in the bits that are kept free for it: %s',
    (profile) => {
      const anyCodec: fc.Arbitrary<Partial<E2eSettings>> =
        profile === 'free' ? anyFree : anyWithProfile(profile);
      const anyLength = fc.integer({ min: 2, max: 64 });
      const anyBytes = fc.uint8Array({ minLength: 64, maxLength: 64 });
      let accepted = 0;
      fc.assert(
        fc.property(anyCodec, anyLength, anyBytes, (fields, length, bytes) => {
          const made = linkIfAccepted(fields, length);
          if (made === undefined) return;
          accepted += 1;
          const { codec, layout, protector, checker } = made;
          const results = [0, 1, 2].map(() => {
            const frame = new PlacedBytes(bytes.subarray(0, length));
            protector.protect(frame.buffer, frame.at);
            protector.commit();
            expect(frame.data.length).toBe(length);
            return checker.check(frame.buffer, frame.at);
          });
          expect(results).toEqual(['initial', 'ok', 'ok']);
          const written = [
            layout.counter,
            layout.checksum,
            ...layout.constants.map(({ field }) => field),
          ];
          const keptFree = protectedFields(codec).map(
            ({ startBit, length: bitLength, byteOrder }) =>
              new Uint64Field({ startBit, bitLength, byteOrder }),
          );
          expect(inOrder(written.flatMap(bitsOf))).toEqual(inOrder(keptFree.flatMap(bitsOf)));
        }),
        { numRuns: profile === 'free' ? 400 : 60 },
      );
      expect(accepted).toBeGreaterThan(0);
    },
  );
});
