import type { CheckResult } from './check-state.ts';
import { type ChecksumAlgorithm, catalogueChecksum } from './checksums.ts';
import type { E2eProfile, E2eSettings } from './codec-fields.ts';
import { Uint64, Uint64Field } from './uint64.ts';

/**
 * Protects the frames of one sender. Implementations: built-in profiles, free layouts and plugins.
 */
export interface FrameProtector {
  protect(bytes: Uint8Array, at: number): boolean;
  /** The transport accepted the last frame. */
  commit(): void;
  /** The transport rejected the last frame: the next frame gets the same protection. */
  discard(): void;
  /** Writes the initial values into the protection fields. */
  bypass(bytes: Uint8Array, at: number): void;
}

/** A protector whose fields are known, so faults can be injected. */
export interface FieldProtector extends FrameProtector {
  freezeCounter(bytes: Uint8Array, at: number, value?: number | bigint): void;
  jumpCounter(bytes: Uint8Array, at: number, by: number | bigint): void;
  corruptChecksum(bytes: Uint8Array, at: number, mask: number | bigint): void;
}

export interface FrameChecker {
  /** True if the last received data can be trusted. */
  readonly isValid: boolean;
  /** Does not change the bytes. */
  check(bytes: Uint8Array, at: number): CheckResult;
  reset(): void;
}

export interface ConstantField {
  readonly field: Uint64Field;
  readonly value: Uint64;
}

/** Data ids of which the counter selects one. It becomes the first byte of the prefix or suffix. */
interface IdsByCounter {
  readonly place: 'prefix' | 'suffix';
  /** The length is a power of two. */
  readonly ids: Uint8Array;
}

export interface ChecksumInput {
  readonly algorithm: ChecksumAlgorithm;
  readonly prefix: Uint8Array;
  readonly suffix: Uint8Array;
  readonly idsByCounter?: IdsByCounter;
}

export interface Protection {
  readonly counter: Uint64Field;
  readonly checksum: Uint64Field;
  readonly constants: readonly ConstantField[];
  readonly input: ChecksumInput;
}

const littleEndian = (startBit: number, bitLength: number): Uint64Field =>
  new Uint64Field({ startBit, bitLength, byteOrder: 'intel' });

const bigEndian = (byte: number, bytes: number): Uint64Field =>
  new Uint64Field({ startBit: 8 * byte + 7, bitLength: 8 * bytes, byteOrder: 'motorola' });

const constant = (field: Uint64Field, value: number): ConstantField => ({
  field,
  value: Uint64.of(value),
});

const none = new Uint8Array(0);

type Profile = Exclude<E2eProfile, 'free'>;

const idPrefix = (profile: Profile, id: number): Pick<ChecksumInput, 'prefix' | 'idsByCounter'> => {
  const [low, high] = [id & 0xff, id >>> 8];
  switch (profile) {
    case '1B':
      // Even counters use the low byte, odd counters the high byte.
      return {
        prefix: Uint8Array.of(low),
        idsByCounter: { place: 'prefix', ids: Uint8Array.of(low, high) },
      };
    case '1C':
    case '11C':
      return { prefix: Uint8Array.of(low, 0) };
    case '1LOW':
      return { prefix: Uint8Array.of(low) };
    default:
      return { prefix: Uint8Array.of(low, high) };
  }
};

/**
 * Profiles 1 and 11, with the default offsets:
 *
 *     bit        7   6   5   4   3   2   1   0
 *     byte 0     checksum
 *     byte 1     data id 11…8    counter            (data id in variant C only)
 *
 * The checksum covers the data id, the bytes before it and the bytes after it.
 */
const profile1 = (profile: Profile, codec: E2eSettings): Protection => {
  const { data_id = 0, crc_offset_bits = 0, counter_offset_bits = 8 } = codec;
  const hasNibble = profile === '1C' || profile === '11C';
  const nibble = littleEndian(codec.nibble_offset_bits ?? 12, 4);
  return {
    counter: littleEndian(counter_offset_bits, 4),
    checksum: littleEndian(crc_offset_bits, 8),
    constants: hasNibble ? [constant(nibble, data_id >>> 8)] : [],
    input: {
      algorithm: catalogueChecksum('CRC8_GSM_A'),
      suffix: none,
      ...idPrefix(profile, data_id),
    },
  };
};

/**
 * Profiles 2 and 22:
 *
 *     bit        7   6   5   4   3   2   1   0
 *     byte 0     checksum
 *     byte 1     data            counter
 *
 * The checksum covers all other bytes, then the data id that the counter selects.
 */
const profile2 = ({ data_id_list = [], offset_bits = 0 }: E2eSettings): Protection => ({
  counter: littleEndian(offset_bits + 8, 4),
  checksum: littleEndian(offset_bits, 8),
  constants: [],
  input: {
    algorithm: catalogueChecksum('CRC8H2F'),
    prefix: none,
    suffix: new Uint8Array(1),
    idsByCounter: { place: 'suffix', ids: Uint8Array.from(data_id_list) },
  },
});

/**
 * Profile 4, big-endian:
 *
 *     byte    0  1  2  3  4  5  6  7  8  9 10 11
 *             length      data id
 *                   counter           checksum
 */
const profile4 = ({ data_id = 0 }: E2eSettings, header: number, length: number): Protection => ({
  counter: bigEndian(header + 2, 2),
  checksum: bigEndian(header + 8, 4),
  constants: [constant(bigEndian(header, 2), length), constant(bigEndian(header + 4, 4), data_id)],
  input: { algorithm: catalogueChecksum('CRC32P4'), prefix: none, suffix: none },
});

/**
 * Profile 5. The checksum is little-endian and covers the data id last, low byte first:
 *
 *     byte    0  1  2
 *             checksum
 *                   counter
 */
const profile5 = ({ data_id = 0 }: E2eSettings, header: number): Protection => ({
  counter: bigEndian(header + 2, 1),
  checksum: littleEndian(8 * header, 16),
  constants: [],
  input: {
    algorithm: catalogueChecksum('CRC16'),
    prefix: none,
    suffix: Uint8Array.of(data_id & 0xff, data_id >>> 8),
  },
});

/**
 * Profile 6, big-endian. The checksum covers the data id last, high byte first:
 *
 *     byte    0  1  2  3  4
 *             checksum    counter
 *                   length
 */
const profile6 = ({ data_id = 0 }: E2eSettings, header: number, length: number): Protection => ({
  counter: bigEndian(header + 4, 1),
  checksum: bigEndian(header, 2),
  constants: [constant(bigEndian(header + 2, 2), length)],
  input: {
    algorithm: catalogueChecksum('CRC16'),
    prefix: none,
    suffix: Uint8Array.of(data_id >>> 8, data_id & 0xff),
  },
});

/**
 * Profile 7, big-endian:
 *
 *     byte    0 … 7     8 … 11   12 … 15   16 … 19
 *             checksum  length   counter   data id
 */
const profile7 = ({ data_id = 0 }: E2eSettings, header: number, length: number): Protection => ({
  counter: bigEndian(header + 12, 4),
  checksum: bigEndian(header, 8),
  constants: [
    constant(bigEndian(header + 8, 4), length),
    constant(bigEndian(header + 16, 4), data_id),
  ],
  input: { algorithm: catalogueChecksum('CRC64'), prefix: none, suffix: none },
});

export const profileProtection = (
  profile: Profile,
  codec: E2eSettings,
  length: number,
): Protection => {
  const header = (codec.offset_bits ?? 0) / 8;
  switch (profile) {
    case '2':
    case '22':
      return profile2(codec);
    case '4':
      return profile4(codec, header, length);
    case '5':
      return profile5(codec, header);
    case '6':
      return profile6(codec, header, length);
    case '7':
      return profile7(codec, header, length);
    default:
      return profile1(profile, codec);
  }
};
