import { type Static, Type } from 'typebox';
import { type ByteOrder, byteOrders } from '../../../database/model.ts';
import { wordOrders } from '../../../modbus/pdu/word-order.ts';
import {
  choice,
  decimalText,
  flag,
  freeText,
  hexBytes,
  hexText,
  integer,
  integerText,
  maxFrameBytes,
  optional,
  parameter,
  record,
  reference,
  row,
  variants,
} from '../fields.ts';

export type { ByteOrder };

export const rawKinds = ['unsigned', 'signed', 'float32', 'float64', 'bool'] as const;

const byteOrder = () => choice(byteOrders, 'Order of the bits in a frame, as in a DBC file');

const Special = record({
  raw: decimalText('Raw value'),
  state: choice(['invalid', 'not_available', 'error'], 'What it means'),
  label: optional(freeText('What it is called')),
});

const LinearCodec = row({
  kind: choice(['linear'], 'Physical value = factor × raw + offset'),
  raw: choice(rawKinds, 'What the bits are'),
  bit_length: optional(integer('Bits of the raw; float and bool have theirs', 1, 64)),
  byte_order: optional(byteOrder()),
  word_order: optional(choice(wordOrders, 'Order of the bytes in registers')),
  factor: parameter('Physical value of one raw step', { default: 1 }),
  offset: parameter('Physical value of raw 0', { default: 0 }),
  raw_min: optional(decimalText('Least raw to encode')),
  raw_max: optional(decimalText('Largest raw to encode')),
  special: optional(Type.Array(Special, { description: 'Raw values with a special meaning' })),
  invalid_raw: optional(decimalText('Raw value to encode for an invalid signal')),
});
export type LinearCodec = Static<typeof LinearCodec>;

export const e2eProfiles = [
  '1A',
  '1B',
  '1C',
  '1LOW',
  '2',
  '4',
  '5',
  '6',
  '7',
  '11A',
  '11C',
  '22',
  'free',
] as const;
export type E2eProfile = (typeof e2eProfiles)[number];

export const firstCounterOf = (profile: E2eProfile): bigint =>
  profile === '2' || profile === '22' ? 1n : 0n;

const frameBits = 8 * maxFrameBytes;
const bitOffset = (description: string) => optional(integer(description, 0, frameBits - 1));

const bitField = () => ({
  start_bit: integer('Where it begins', 0, frameBits - 1),
  bit_length: integer('Bits', 1, 64),
  byte_order: byteOrder(),
});

export const checksumAlgorithms = [
  'CRC8',
  'CRC8_GSM_A',
  'CRC8H2F',
  'CRC16',
  'CRC16_ARC',
  'CRC32',
  'CRC32P4',
  'CRC64',
  'sum8',
  'xor8',
] as const;

const CatalogueChecksum = record({
  ...bitField(),
  algorithm: choice(checksumAlgorithms, 'Which checksum'),
});

const AnyCrcChecksum = record({
  ...bitField(),
  algorithm: choice(['crc'], 'A CRC with parameters of its own'),
  width: integer('Bits of the CRC', 1, 64),
  reflect: flag('Whether bits go in and come out least significant first', { default: false }),
  polynomial: hexText('Polynomial'),
  initial: hexText('What the register begins with, as catalogues of CRCs write it'),
  final_xor: hexText('What is put over the result'),
});

const FreeChecksum = variants('algorithm', [CatalogueChecksum, AnyCrcChecksum], {
  description: 'The checksum of the free layout',
});

const FreeCounter = record(
  { ...bitField(), max: integerText('Maximum count, after which the counter wraps to 0') },
  { description: 'The counter of the free layout' },
);

const dataId = () => integer('Data id', 0, 0xffff_ffff);

const E2eCodec = row({
  kind: choice(['e2e'], 'End-to-end protection'),
  profile: choice(e2eProfiles, 'AUTOSAR profile, or a free layout'),
  data_id: optional(dataId()),
  data_id_list: optional(
    Type.Array(integer('Data id', 0, 0xff), {
      description: 'Data ids, one for each counter',
      minItems: 16,
      maxItems: 16,
    }),
  ),
  data_length: optional(
    integer('Protected bytes; default: the whole message or PDU', 1, maxFrameBytes),
  ),
  offset_bits: bitOffset('Where the protection begins'),
  crc_offset_bits: bitOffset('Where the checksum is'),
  counter_offset_bits: bitOffset('Where the counter is'),
  nibble_offset_bits: bitOffset('Where the high nibble of the data id is'),
  max_delta_counter: integer('Most steps between two good counters', 1, 0xffff_ffff, {
    default: 1,
  }),
  max_no_new_or_repeated: optional(
    integer('Maximum repeated frames in a row; default: unlimited', 0, 0xffff_ffff),
  ),
  sync_counter_init: optional(
    integer('Frames in sequence required after a sequence error; default: 0', 0, 0xffff_ffff),
  ),
  counter_initial: optional(
    integerText('First counter to send; default: 0, or 1 for profiles 2 and 22'),
  ),
  counter: optional(FreeCounter),
  checksum: optional(FreeChecksum),
  prefix: optional(hexBytes('Bytes that enter the checksum first')),
  suffix: optional(hexBytes('Bytes that enter the checksum last')),
  window: optional(
    record(
      {
        size: integer('Checks that count', 1, 65_535),
        min_ok: integer('Good ones among them that make it valid', 1, 65_535),
        max_error: integer('Number of bad frames among them that leave it valid', 0, 65_535),
      },
      { description: 'When a check is valid; without it the last frame decides' },
    ),
  ),
});
export type E2eCodec = Static<typeof E2eCodec>;

const NativeCodec = row({
  kind: choice(['native'], 'Function of a plugin'),
  plugin: reference('plugins', 'Codec or e2e plugin'),
  bit_length: optional(integer('Bits of the raw; required for a codec', 1, frameBits)),
});
export type NativeCodec = Static<typeof NativeCodec>;

export const CodecRow = variants('kind', [LinearCodec, E2eCodec, NativeCodec]);
export type CodecRow = Static<typeof CodecRow>;
