import type { ProblemCase } from '../problem-cases.ts';

export const codecCases: readonly ProblemCase[] = [
  [
    'whole raws need their bits',
    { 'codecs.u8.bit_length': undefined },
    ['codecs.u8 bit_length missing_field'],
  ],
  ['a bool has one bit', { 'codecs.bit.bit_length': 2 }, ['codecs.bit bit_length size_mismatch']],
  ['a bool may say that it has one', { 'codecs.bit.bit_length': 1 }, []],
  [
    'a float32 has 32 bits',
    { 'codecs.f32.bit_length': 64 },
    ['codecs.f32 bit_length size_mismatch'],
  ],
  ['a factor tells raws apart', { 'codecs.u16.factor': 0 }, ['codecs.u16 factor out_of_range']],
  ['limits are raws', { 'codecs.u8.raw_max': '256' }, ['codecs.u8 raw_max invalid_value']],
  ['the largest raw is a limit', { 'codecs.u8.raw_max': '255', 'codecs.u8.raw_min': '255' }, []],
  [
    'limits of whole raws are whole',
    { 'codecs.u8.raw_min': '0.5' },
    ['codecs.u8 raw_min invalid_value'],
  ],
  ['limits of floats need not be', { 'codecs.f32.raw_min': '-0.5' }, []],
  ['a float32 has an end', { 'codecs.f32.raw_max': '1e39' }, ['codecs.f32 raw_max invalid_value']],
  [
    'limits are in order',
    { 'codecs.u8.raw_min': '9', 'codecs.u8.raw_max': '8' },
    ['codecs.u8 raw_min conflicting_fields'],
  ],
  [
    'limits of floats are in order',
    { 'codecs.f32.raw_min': '0.2', 'codecs.f32.raw_max': '0.1' },
    ['codecs.f32 raw_min conflicting_fields'],
  ],
  [
    'the invalid raw is a raw',
    { 'codecs.s16.invalid_raw': '-32769' },
    ['codecs.s16 invalid_raw invalid_value'],
  ],
  [
    'special raws are raws',
    { 'codecs.s16.special': [{ raw: '32768', state: 'error' }] },
    ['codecs.s16 special[0].raw invalid_value'],
  ],
  [
    'a special raw has one state',
    {
      'codecs.s16.special': [
        { raw: '1', state: 'error' },
        { raw: '1', state: 'invalid' },
      ],
    },
    ['codecs.s16 special[1].raw duplicate_value'],
  ],
  [
    'a special float has one state however it is written',
    {
      'codecs.f32.special': [
        { raw: '1.5', state: 'error' },
        { raw: '15e-1', state: 'invalid' },
      ],
    },
    ['codecs.f32 special[1].raw duplicate_value'],
  ],
  [
    'a codec has a plugin for codecs',
    { 'codecs.packed.plugin': 'lowpass' },
    ['codecs.packed plugin wrong_kind'],
  ],
  [
    'protection has no bits of its own',
    { 'codecs.sealed.bit_length': 8 },
    ['codecs.sealed bit_length not_applicable'],
  ],
];

const header = { kind: 'e2e', profile: '4', data_id: 0xffff_ffff };
const list = Array.from({ length: 16 }, (_, place) => place);
const crc = {
  start_bit: 56,
  bit_length: 4,
  byte_order: 'intel',
  algorithm: 'crc',
  width: 4,
  polynomial: '0x3',
  initial: 'F',
  final_xor: '0',
};

export const e2eCodecCases: readonly ProblemCase[] = [
  [
    'profile 1 needs a data id',
    { 'codecs.profile1.data_id': undefined },
    ['codecs.profile1 data_id missing_field'],
  ],
  [
    'profile 1 has 16 bits of it',
    { 'codecs.profile1.data_id': 0x1_0000 },
    ['codecs.profile1 data_id out_of_range'],
  ],
  [
    'profile 1C has 12 bits of it',
    { 'codecs.more': { kind: 'e2e', profile: '1C', data_id: 0x1000 } },
    ['codecs.more data_id out_of_range'],
  ],
  ['profile 4 has 32 bits of it', { 'codecs.more': header }, []],
  [
    'profile 2 needs a list of data ids',
    { 'codecs.more': { kind: 'e2e', profile: '2', data_id: 1 } },
    ['codecs.more data_id_list missing_field', 'codecs.more data_id not_applicable'],
  ],
  [
    'profile 22 takes a list and an offset',
    { 'codecs.more': { kind: 'e2e', profile: '22', data_id_list: list, offset_bits: 8 } },
    [],
  ],
  [
    'profile 1 has no offset of a header',
    { 'codecs.profile1.offset_bits': 8 },
    ['codecs.profile1 offset_bits not_applicable'],
  ],
  [
    'profile 1A sends no nibble',
    { 'codecs.profile1.nibble_offset_bits': 12 },
    ['codecs.profile1 nibble_offset_bits not_applicable'],
  ],
  [
    'profile 5 counts no repetitions',
    { 'codecs.profile5.max_no_new_or_repeated': 1 },
    ['codecs.profile5 max_no_new_or_repeated not_applicable'],
  ],
  [
    'profile 1 does',
    { 'codecs.profile1.max_no_new_or_repeated': 14, 'codecs.profile1.sync_counter_init': 2 },
    [],
  ],
  [
    'profile 1 counts to 14',
    { 'codecs.profile1.counter_initial': '15' },
    ['codecs.profile1 counter_initial invalid_value'],
  ],
  [
    'profile 5 counts to 255',
    { 'codecs.profile5.counter_initial': '255', 'codecs.profile5.max_delta_counter': 256 },
    ['codecs.profile5 max_delta_counter out_of_range'],
  ],
  [
    'profile 1 protects 30 bytes',
    { 'codecs.more': { kind: 'e2e', profile: '1A', data_id: 1, data_length: 31 } },
    ['codecs.more data_length out_of_range'],
  ],
  [
    'headers begin with a byte',
    { 'codecs.profile5.offset_bits': 4 },
    ['codecs.profile5 offset_bits misaligned'],
  ],
  [
    'nibbles begin with a nibble',
    { 'codecs.profile1.counter_offset_bits': 10 },
    ['codecs.profile1 counter_offset_bits misaligned'],
  ],
  ['nibbles may begin in the middle', { 'codecs.profile1.counter_offset_bits': 12 }, []],
  [
    'checksum and counter lie apart',
    { 'codecs.profile1.counter_offset_bits': 4 },
    ['codecs.profile1 counter_offset_bits overlap'],
  ],
  [
    'a window holds what it needs',
    { 'codecs.rolling.window': { size: 2, min_ok: 3, max_error: 3 } },
    ['codecs.rolling window.min_ok out_of_range', 'codecs.rolling window.max_error out_of_range'],
  ],
  [
    'a free layout needs its fields',
    { 'codecs.more': { kind: 'e2e', profile: 'free' } },
    ['codecs.more counter missing_field', 'codecs.more checksum missing_field'],
  ],
  [
    'a free layout has no data id',
    { 'codecs.rolling.data_id': 1 },
    ['codecs.rolling data_id not_applicable'],
  ],
  [
    'a free layout takes bytes before and behind',
    { 'codecs.rolling.prefix': '00A5', 'codecs.rolling.suffix': 'FF' },
    [],
  ],
  [
    'a profile takes none',
    { 'codecs.profile1.prefix': '00' },
    ['codecs.profile1 prefix not_applicable'],
  ],
  [
    'a free counter fits its bits',
    { 'codecs.rolling.counter.max': '16' },
    ['codecs.rolling counter.max invalid_value'],
  ],
  [
    'a free counter begins inside of them',
    { 'codecs.rolling.counter.max': '9', 'codecs.rolling.counter_initial': '10' },
    ['codecs.rolling counter_initial invalid_value'],
  ],
  [
    'a free counter counts',
    { 'codecs.rolling.counter.max': '0' },
    ['codecs.rolling counter.max invalid_value', 'codecs.rolling max_delta_counter out_of_range'],
  ],
  [
    'a checksum has the bits of its algorithm',
    { 'codecs.rolling.checksum.algorithm': 'CRC16' },
    ['codecs.rolling checksum.bit_length size_mismatch'],
  ],
  [
    'a CRC may have any width',
    { 'codecs.rolling.checksum': crc },
    ['fault_rules.spoil mask invalid_value'],
  ],
  [
    'a CRC has parameters of its width',
    { 'codecs.rolling.checksum': { ...crc, bit_length: 8, width: 8, polynomial: '11D' } },
    ['codecs.rolling checksum.polynomial invalid_value'],
  ],
  [
    'a CRC has a polynomial',
    { 'codecs.rolling.checksum': { ...crc, bit_length: 8, width: 8, polynomial: '0' } },
    ['codecs.rolling checksum.polynomial invalid_value'],
  ],
  [
    'free fields lie apart',
    { 'codecs.rolling.counter.start_bit': 54 },
    ['codecs.rolling checksum overlap'],
  ],
];

const protect = { message: 'Staged', direction: 'protect', codec: 'profile1' };

export const e2eCases: readonly ProblemCase[] = [
  [
    'it has a message or PDU',
    { 'e2e.more': { direction: 'check', codec: 'profile1' } },
    ['e2e.more message missing_field'],
  ],
  [
    'it has not both',
    { 'e2e.wide_check.message': 'Wide' },
    ['e2e.wide_check pdu conflicting_fields'],
  ],
  [
    'a check is of what is received',
    { 'e2e.more': { ...protect, direction: 'check' } },
    ['e2e.more direction wrong_direction'],
  ],
  [
    'a protection is of what is sent',
    { 'e2e.engine_check.direction': 'protect' },
    ['e2e.engine_check direction wrong_direction'],
  ],
  ['requests can be protected', { 'e2e.more': protect }, []],
  [
    'it has a codec for protection',
    { 'e2e.more': { ...protect, codec: 'u8' } },
    ['e2e.more codec wrong_kind'],
  ],
  [
    'it has a plugin for protection',
    { 'e2e.more': { ...protect, codec: 'packed' } },
    ['e2e.more codec wrong_kind'],
  ],
  [
    'what is protected is there',
    { 'codecs.profile5.data_length': 9 },
    ['e2e.wide_check codec out_of_bounds'],
  ],
  [
    'a header lies inside of what is protected',
    { 'codecs.more': { ...header, offset_bits: 8 }, 'e2e.more': { ...protect, codec: 'more' } },
    ['e2e.more codec out_of_bounds'],
  ],
  [
    'a header may fill it',
    {
      'codecs.more': header,
      'messages.Staged.fd': true,
      'messages.Staged.length': 12,
      'e2e.more': { ...protect, codec: 'more' },
    },
    [],
  ],
  [
    'profile 1 cannot protect a long message whole',
    { 'e2e.wide_check': { message: 'Wide', direction: 'check', codec: 'profile1' } },
    ['e2e.wide_check codec out_of_bounds'],
  ],
  [
    'profile 1 can protect its beginning',
    {
      'e2e.wide_check': { message: 'Wide', direction: 'check', codec: 'more' },
      'codecs.more': { kind: 'e2e', profile: '1B', data_id: 1, data_length: 30 },
    },
    [],
  ],
];
