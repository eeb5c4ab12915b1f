import type { ProblemCase } from '../problem-cases.ts';

export const messageCases: readonly ProblemCase[] = [
  [
    'a message is on a CAN endpoint',
    { 'messages.Engine.endpoint': 'plc' },
    ['messages.Engine endpoint wrong_kind'],
  ],
  [
    'a base identifier has 11 bits',
    { 'messages.Engine.can_id': 0x800 },
    ['messages.Engine can_id out_of_range'],
  ],
  ['the largest of them fits', { 'messages.Engine.can_id': 0x7ff }, []],
  [
    'a classic frame has 8 bytes',
    { 'messages.Command.length': 12 },
    ['messages.Command length invalid_length'],
  ],
  [
    'a CAN FD frame has certain lengths',
    { 'messages.Wide.length': 63 },
    ['messages.Wide length invalid_length'],
  ],
  ['a CAN FD frame may have 24 bytes', { 'messages.Wide.length': 24 }, []],
  [
    'only CAN FD switches its bit rate',
    { 'messages.Command.brs': true },
    ['messages.Command brs conflicting_fields'],
  ],
  [
    'received values age',
    { 'messages.Wide.stale_after_ms': undefined },
    ['messages.Wide stale_after_ms missing_field'],
  ],
  [
    'sent ones do not',
    { 'messages.Command.stale_after_ms': 100 },
    ['messages.Command stale_after_ms not_applicable'],
  ],
  [
    'an identifier is received once',
    { 'messages.Wide.can_id': 256 },
    ['messages.Wide can_id duplicate_message'],
  ],
  ['it may be sent as well', { 'messages.Command.can_id': 256 }, []],
  [
    'it may be received in both formats',
    { 'messages.Wide.can_id': 256, 'messages.Wide.extended': true },
    [],
  ],
  [
    'it may be received on two endpoints',
    {
      'endpoints.other': { kind: 'can', network: 'body' },
      'messages.Wide.can_id': 256,
      'messages.Wide.endpoint': 'other',
    },
    [],
  ],
];

export const pduCases: readonly ProblemCase[] = [
  [
    'a PDU ends with its message',
    { 'pdus.Upper.byte_offset': 57 },
    ['pdus.Upper length out_of_bounds'],
  ],
  ['a PDU may end there', { 'pdus.Upper.byte_offset': 56 }, []],
  ['PDUs share no byte', { 'pdus.Upper.byte_offset': 7 }, ['pdus.Upper byte_offset overlap']],
  [
    'a long PDU reaches over others',
    { 'pdus.Lower.length': 20, 'pdus.more': { message: 'Wide', byte_offset: 19, length: 1 } },
    ['pdus.Upper byte_offset overlap', 'pdus.more byte_offset overlap'],
  ],
];

const sent = { signal: 'demand', direction: 'tx', message: 'Command', codec: 'u8', start_bit: 56 };

export const bindingCases: readonly ProblemCase[] = [
  [
    'a binding lies somewhere',
    { 'bindings.gear_rx.pdu': undefined },
    ['bindings.gear_rx message missing_field'],
  ],
  [
    'a binding lies in one place',
    { 'bindings.gear_rx.resource': 'd_run' },
    ['bindings.gear_rx resource conflicting_fields'],
  ],
  [
    'a binding receives from a received message',
    { 'bindings.gear_rx.pdu': 'Payload' },
    ['bindings.gear_rx pdu wrong_direction'],
  ],
  [
    'a binding sends in a sent message',
    { 'bindings.more': { ...sent, message: 'Engine' } },
    ['bindings.more message wrong_direction'],
  ],
  [
    'a binding in a frame begins at a bit',
    { 'bindings.gear_rx.start_bit': undefined },
    ['bindings.gear_rx start_bit missing_field'],
  ],
  [
    'a binding has a codec for values',
    { 'bindings.more': { ...sent, codec: 'profile1' } },
    ['bindings.more codec wrong_kind'],
  ],
  [
    'a binding has a plugin for codecs',
    { 'bindings.more': { ...sent, codec: 'sealed' } },
    ['bindings.more codec wrong_kind'],
  ],
  [
    'a plugin does not tell its bits',
    { 'codecs.packed.bit_length': undefined },
    ['bindings.blend_tx codec missing_field'],
  ],
  [
    'bits in a frame have an order',
    { 'codecs.u8.byte_order': undefined, 'bindings.page_tx.codec': 'bit' },
    [
      'bindings.gear_rx codec missing_field',
      'bindings.steps_tx codec missing_field',
      'bindings.limit_tx mux.values[1] out_of_bounds',
      'bindings.steps_tx mux.values[1] out_of_bounds',
    ],
  ],
  ['one bit needs none', { 'bindings.more': { ...sent, codec: 'bit' } }, []],
  [
    'bits end with the message',
    { 'bindings.more': { ...sent, start_bit: 57 } },
    ['bindings.more start_bit out_of_bounds'],
  ],
  [
    'bits end with the PDU',
    { 'bindings.gear_rx.start_bit': 60 },
    ['bindings.gear_rx start_bit out_of_bounds'],
  ],
  ['Motorola counts down into the next byte', { 'bindings.speed_rx.start_bit': 55 }, []],
  [
    'Motorola ends with the message, too',
    { 'bindings.speed_rx.start_bit': 54 },
    ['bindings.speed_rx start_bit out_of_bounds'],
  ],
  [
    'a validity bit is one of the message',
    { 'bindings.speed_rx.validity_bit': 64 },
    ['bindings.speed_rx validity_bit out_of_bounds'],
  ],
  [
    'a validity bit in a frame is a number',
    { 'bindings.speed_rx.validity_bit': 'r_valid' },
    ['bindings.speed_rx validity_bit wrong_type'],
  ],
];

export const overlapCases: readonly ProblemCase[] = [
  [
    'sent bits have one writer',
    { 'bindings.more': { ...sent, start_bit: 47 } },
    ['bindings.more start_bit overlap'],
  ],
  ['sent bits may touch', { 'bindings.more': { ...sent, start_bit: 49 } }, []],
  [
    'a validity bit has one writer',
    { 'bindings.demand_tx.validity_bit': 47 },
    ['bindings.demand_tx validity_bit overlap'],
  ],
  [
    'received bits may be read twice',
    {
      'bindings.setpoint_rx': {
        signal: 'setpoint',
        direction: 'rx',
        message: 'Engine',
        codec: 'u8',
        start_bit: 16,
      },
      'modbus_resources.r_set': undefined,
    },
    [],
  ],
  [
    'a protection writes its bits alone',
    { 'bindings.more': { ...sent, start_bit: 4 } },
    ['bindings.more start_bit protected_bits'],
  ],
  [
    'bits beside a counter are free',
    { 'bindings.more': { ...sent, codec: 'bit', start_bit: 12 } },
    [],
  ],
  [
    'a validity bit is not one of them',
    { 'bindings.demand_tx.validity_bit': 0 },
    ['bindings.demand_tx validity_bit protected_bits'],
  ],
  ['a protected bit may be read', { 'bindings.speed_rx.validity_bit': 0 }, []],
  [
    'a binding in a PDU and one in its message share no bits',
    { 'bindings.more': { ...sent, message: 'Sealed', start_bit: 40 } },
    ['bindings.more start_bit overlap'],
  ],
  [
    'they may lie beside each other',
    { 'bindings.more': { ...sent, message: 'Sealed', start_bit: 48 } },
    [],
  ],
];

export const muxCases: readonly ProblemCase[] = [
  [
    'pages tell bits apart',
    { 'bindings.limit_tx.mux.values': ['3', '7-9'] },
    ['bindings.limit_tx start_bit overlap'],
  ],
  [
    'what is always there is on every page',
    { 'bindings.limit_tx.mux': undefined },
    ['bindings.steps_tx start_bit overlap'],
  ],
  [
    'values are raws of the selector',
    { 'bindings.limit_tx.mux.values': ['8-256'] },
    ['bindings.limit_tx mux.values[0] out_of_bounds'],
  ],
  [
    'ranges are in order',
    { 'bindings.limit_tx.mux.values': ['9-8'] },
    ['bindings.limit_tx mux.values[0] out_of_range'],
  ],
  ['a range may be one raw', { 'bindings.limit_tx.mux.values': ['9-9'] }, []],
  [
    'a raw is named once',
    { 'bindings.limit_tx.mux.values': ['8-20', '255', '20'] },
    ['bindings.limit_tx mux.values[2] duplicate_value'],
  ],
  [
    'a selector lies in the same message',
    { 'bindings.limit_tx.mux.selector': 'blend_tx', 'bindings.blend_tx.codec': 'u8' },
    ['bindings.limit_tx mux.selector wrong_selector'],
  ],
  [
    'a selector has the same direction',
    {
      'bindings.more': {
        signal: 'setpoint',
        direction: 'rx',
        message: 'Pages',
        codec: 'u8',
        start_bit: 0,
      },
      'bindings.setpoint_rx': undefined,
      'modbus_resources.r_set': undefined,
      'bindings.limit_tx.mux.selector': 'more',
    },
    ['bindings.limit_tx mux.selector wrong_direction', 'bindings.more message wrong_direction'],
  ],
  [
    'a selector has whole raws',
    { 'bindings.page_tx.codec': 'f32', 'bindings.page_tx.start_bit': 24 },
    [
      'bindings.limit_tx mux.selector wrong_selector',
      'bindings.steps_tx mux.selector wrong_selector',
      'bindings.page_tx start_bit protected_bits',
    ],
  ],
  [
    'a selector may have pages itself',
    { 'bindings.limit_tx.mux.selector': 'steps_tx', 'bindings.limit_tx.start_bit': 23 },
    [],
  ],
  [
    'selectors do not go round in a circle',
    {
      'bindings.steps_tx.mux.selector': 'limit_tx',
      'bindings.limit_tx.mux.selector': 'steps_tx',
      'bindings.limit_tx.start_bit': 23,
    },
    ['bindings.steps_tx mux.selector circular'],
  ],
  [
    'a selector does not depend on itself',
    { 'bindings.steps_tx.mux.selector': 'steps_tx' },
    ['bindings.steps_tx mux.selector circular'],
  ],
];
