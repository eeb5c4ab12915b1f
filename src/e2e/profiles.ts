import type { Signal } from '../database/model.ts';
import type { E2eProfile, E2eSettings } from './codec-fields.ts';

type BitField = Pick<Signal, 'startBit' | 'length' | 'byteOrder'>;

export const optionalFields = [
  'data_id',
  'data_id_list',
  'data_length',
  'offset_bits',
  'crc_offset_bits',
  'counter_offset_bits',
  'nibble_offset_bits',
  'max_no_new_or_repeated',
  'sync_counter_init',
  'counter',
  'checksum',
  'prefix',
  'suffix',
] as const;
type E2eField = (typeof optionalFields)[number];

interface ProfileRule {
  readonly required: readonly E2eField[];
  readonly allowed: readonly E2eField[];
  readonly maxId: number;
  readonly maxCounter: bigint;
  readonly checksumBits: number;
  readonly maxBytes: number;
}

const frameBytes = 64;
const offsets: readonly E2eField[] = ['data_length', 'crc_offset_bits', 'counter_offset_bits'];
const sequence: readonly E2eField[] = ['max_no_new_or_repeated', 'sync_counter_init'];

const profile1: ProfileRule = {
  required: ['data_id'],
  allowed: [...offsets, ...sequence],
  maxId: 0xffff,
  maxCounter: 14n,
  checksumBits: 8,
  maxBytes: 30,
};
const withNibble = (rule: ProfileRule): ProfileRule => ({
  ...rule,
  allowed: [...rule.allowed, 'nibble_offset_bits'],
  maxId: 0xfff,
});
const profile11: ProfileRule = { ...profile1, allowed: offsets };
const profile22: ProfileRule = {
  required: ['data_id_list'],
  allowed: ['data_length', 'offset_bits'],
  maxId: 0xff,
  maxCounter: 15n,
  checksumBits: 8,
  maxBytes: frameBytes,
};
const withHeader = (maxId: number, counterBits: bigint, checksumBits: number): ProfileRule => ({
  required: ['data_id'],
  allowed: ['data_length', 'offset_bits'],
  maxId,
  maxCounter: 2n ** counterBits - 1n,
  checksumBits,
  maxBytes: frameBytes,
});

export const profileRules: Readonly<Record<Exclude<E2eProfile, 'free'>, ProfileRule>> = {
  '1A': profile1,
  '1B': profile1,
  '1C': withNibble(profile1),
  '1LOW': profile1,
  '2': { ...profile22, allowed: [...profile22.allowed, ...sequence] },
  '4': withHeader(0xffff_ffff, 16n, 32),
  '5': withHeader(0xffff, 8n, 16),
  '6': withHeader(0xffff, 8n, 16),
  '7': withHeader(0xffff_ffff, 32n, 64),
  '11A': profile11,
  '11C': withNibble(profile11),
  '22': profile22,
};

export const freeFields = {
  required: ['counter', 'checksum'],
  allowed: ['prefix', 'suffix'],
} as const satisfies Pick<ProfileRule, 'required' | 'allowed'>;

export const firstCounterOf = (profile: E2eProfile): bigint =>
  profile === '2' || profile === '22' ? 1n : 0n;

export const maxCounterOf = ({ profile, counter }: E2eSettings): bigint | undefined => {
  if (profile !== 'free') return profileRules[profile].maxCounter;
  return counter && BigInt(counter.max);
};

export const checksumBitsOf = ({ profile, checksum }: E2eSettings): number | undefined =>
  profile === 'free' ? checksum?.bit_length : profileRules[profile].checksumBits;

interface ProtectedField extends BitField {
  readonly placedBy: string;
}

const headerBytes = { '4': 12, '5': 3, '6': 5, '7': 20 } as const;

const intel = (placedBy: string, startBit: number, length: number): ProtectedField => ({
  placedBy,
  startBit,
  length,
  byteOrder: 'intel',
});

const freeLayout = ({ counter, checksum }: E2eSettings): ProtectedField[] =>
  Object.entries({ counter, checksum }).flatMap(([placedBy, field]) =>
    field === undefined
      ? []
      : [
          {
            placedBy,
            startBit: field.start_bit,
            length: field.bit_length,
            byteOrder: field.byte_order,
          },
        ],
  );

/**
 * Returns the bits that a codec writes. Profiles 1 and 11 have a checksum byte, a 4-bit counter and,
 * in variant C, 4 bits of the data id. Profiles 2 and 22 have only checksum and counter:
 *
 *     bit     0 1 2 3 4 5 6 7   8 9 10 11  12 13 14 15
 *             checksum          counter    data id (C)
 *
 * Other profiles have a header of whole bytes.
 */
export const protectedFields = (codec: E2eSettings): readonly ProtectedField[] => {
  const { profile, offset_bits = 0 } = codec;
  switch (profile) {
    case 'free':
      return freeLayout(codec);
    case '2':
    case '22':
      return [intel('offset_bits', offset_bits, 8), intel('offset_bits', offset_bits + 8, 4)];
    case '4':
    case '5':
    case '6':
    case '7':
      return [intel('offset_bits', offset_bits, 8 * headerBytes[profile])];
    default: {
      const { crc_offset_bits = 0, counter_offset_bits = 8, nibble_offset_bits = 12 } = codec;
      const fields = [
        intel('crc_offset_bits', crc_offset_bits, 8),
        intel('counter_offset_bits', counter_offset_bits, 4),
      ];
      const hasNibble = profile === '1C' || profile === '11C';
      return hasNibble ? [...fields, intel('nibble_offset_bits', nibble_offset_bits, 4)] : fields;
    }
  }
};
