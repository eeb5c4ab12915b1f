import { type Static, Type } from 'typebox';
import {
  choice,
  flag,
  hexBytes,
  hexText,
  integer,
  integerText,
  optional,
  record,
  variants,
} from '../base/schema/field-schemas.ts';
import { byteOrders } from '../database/model.ts';

const byteOrder = () => choice(byteOrders, 'Order of the bits in a frame, as in a DBC file');

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

const maxFrameBytes = 64;
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

/** Fields of the protection of a frame, the same in gateway projects and transmit tasks. */
export const e2eFields = {
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
};

export const E2eSettings = record(e2eFields);
export type E2eSettings = Omit<Static<typeof E2eSettings>, 'data_id_list'> & {
  readonly data_id_list?: readonly number[];
};

/** Fields of a request, which need not repeat the defaults of a project. */
export const e2eRequestFields = {
  ...e2eFields,
  max_delta_counter: optional(e2eFields.max_delta_counter),
};
const E2eRequest = record(e2eRequestFields);
export type E2eRequest = Static<typeof E2eRequest>;

export const e2eSettings = (request: E2eRequest): E2eSettings => ({
  ...request,
  max_delta_counter: request.max_delta_counter ?? 1,
});
