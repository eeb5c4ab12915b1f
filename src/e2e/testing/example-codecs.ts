import type { E2eSettings } from '../codec-fields.ts';

interface Example {
  readonly fields: Partial<E2eSettings>;
  readonly length: number;
}

const idList = [
  0x13, 0x37, 0xa5, 0x5a, 0xc3, 0x3c, 0x01, 0x80, 0xfe, 0x7f, 0x11, 0x22, 0x44, 0x88, 0x99, 0x66,
];

/**
 * Every profile, and free layouts with fields in both orders, across bytes and in shared ones. Wide
 * counters begin shortly before their end, where their values are the largest.
 */
export const exampleCodecs: Readonly<Record<string, Example>> = {
  '1A': { fields: { profile: '1A', data_id: 0x0ca7 }, length: 8 },
  '1B': { fields: { profile: '1B', data_id: 0x0ca7 }, length: 8 },
  '1C': { fields: { profile: '1C', data_id: 0x0ca7 }, length: 8 },
  '1LOW': { fields: { profile: '1LOW', data_id: 0x0ca7 }, length: 8 },
  '1C with its fields apart': {
    fields: {
      profile: '1C',
      data_id: 0x0ca7,
      crc_offset_bits: 24,
      counter_offset_bits: 4,
      nibble_offset_bits: 56,
    },
    length: 8,
  },
  '2': { fields: { profile: '2', data_id_list: idList }, length: 8 },
  '4': { fields: { profile: '4', data_id: 0x1234_5678 }, length: 20 },
  '4 in the middle': {
    fields: { profile: '4', data_id: 0xf234_5678, offset_bits: 64 },
    length: 24,
  },
  '5': { fields: { profile: '5', data_id: 0xbeef }, length: 8 },
  '5 of a part': { fields: { profile: '5', data_id: 0xbeef, data_length: 7 }, length: 12 },
  '6': { fields: { profile: '6', data_id: 0xbeef }, length: 64 },
  '7': {
    fields: { profile: '7', data_id: 0xfedc_ba98, counter_initial: String(2 ** 32 - 10) },
    length: 32,
  },
  '11A': { fields: { profile: '11A', data_id: 0x0ca7 }, length: 8 },
  '11C': { fields: { profile: '11C', data_id: 0x0ca7 }, length: 8 },
  '22': { fields: { profile: '22', data_id_list: idList, offset_bits: 8 }, length: 8 },
  'free, Intel across bytes': {
    fields: {
      profile: 'free',
      counter: { start_bit: 5, bit_length: 6, byte_order: 'intel', max: '49' },
      checksum: { start_bit: 20, bit_length: 16, byte_order: 'intel', algorithm: 'CRC16_ARC' },
      prefix: '0102',
      suffix: 'a5',
    },
    length: 8,
  },
  'free, Motorola across bytes': {
    fields: {
      profile: 'free',
      counter: { start_bit: 2, bit_length: 5, byte_order: 'motorola', max: '31' },
      checksum: {
        start_bit: 19,
        bit_length: 15,
        byte_order: 'motorola',
        algorithm: 'crc',
        width: 15,
        polynomial: '4599',
        initial: '0',
        final_xor: '7FFF',
        reflect: false,
      },
    },
    length: 8,
  },
  'free with a counter of 64 bits': {
    fields: {
      profile: 'free',
      counter: {
        start_bit: 7,
        bit_length: 64,
        byte_order: 'motorola',
        max: String(2n ** 64n - 1n),
      },
      checksum: { start_bit: 64, bit_length: 64, byte_order: 'intel', algorithm: 'CRC64' },
      counter_initial: String(2n ** 64n - 10n),
    },
    length: 24,
  },
  'free with a sum': {
    fields: {
      profile: 'free',
      counter: { start_bit: 48, bit_length: 4, byte_order: 'intel', max: '15' },
      checksum: { start_bit: 56, bit_length: 8, byte_order: 'intel', algorithm: 'sum8' },
    },
    length: 8,
  },
};
