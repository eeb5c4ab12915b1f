import type { E2eCodec } from '../tables/codecs.ts';
import type { BitField } from './binding-bits.ts';

/** A field that a protection writes, named after the field of the codec that places it. */
export interface ProtectedField extends BitField {
  readonly placedBy: string;
}

/** Bytes of the headers that stand in one piece. */
const headerBytes = { '4': 12, '5': 3, '6': 5, '7': 20 } as const;

const intel = (placedBy: string, startBit: number, length: number): ProtectedField => ({
  placedBy,
  startBit,
  length,
  byteOrder: 'intel',
});

const freeLayout = ({ counter, checksum }: E2eCodec): ProtectedField[] =>
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
 * Which bits of the protected data a codec writes. Profiles 1 and 11 have a checksum byte, a counter
 * of four bits and, in the variants C, four bits of the data id; profiles 2 and 22 the first two:
 *
 *     bit     0 1 2 3 4 5 6 7   8 9 10 11  12 13 14 15
 *             checksum          counter    data id (C)
 *
 * The others have a header of whole bytes.
 */
export const protectedFields = (codec: E2eCodec): readonly ProtectedField[] => {
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
