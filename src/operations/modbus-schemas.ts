import { Type } from 'typebox';
import { defaultTimeoutMs } from '../modbus/client/client-defaults.ts';
import { dataTables } from '../modbus/pdu/data-tables.ts';
import { valueNotations } from '../modbus/pdu/hex-values.ts';
import { valueTypes } from '../modbus/pdu/value-types.ts';
import { wordOrders } from '../modbus/pdu/word-order.ts';
import { gapMsRange, lateMsRange } from '../modbus/transport/network-record.ts';
import { withDefault } from './defaults.ts';

export const network = Type.Optional(
  Type.String({
    description: 'Modbus network of the bench',
    minLength: 1,
    maxLength: 128,
    examples: ['plc'],
  }),
);

export const endpoint = Type.Optional(
  Type.String({
    description:
      'Endpoint, instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<device path>[:<baud>,<data bits><parity><stop bits>], or ascii: with the same fields',
    minLength: 1,
    maxLength: 300,
    examples: ['tcp:127.0.0.1:502'],
  }),
);

export const unit = Type.Integer({
  description: 'Unit ID: 0 to 255 over TCP, 1 to 247 on serial lines and RTU over TCP',
  minimum: 0,
  maximum: 255,
  'x-hex': true,
  examples: [1],
});

export const gapMs = Type.Optional(
  Type.Integer({
    description: 'Serial lines: maximum pause within a frame; default: 500 for RTU, 1000 for ASCII',
    ...gapMsRange,
    examples: [100],
  }),
);

export const lineFields = {
  gap_ms: gapMs,
  late_ms: Type.Optional(
    Type.Integer({
      description:
        'Serial lines: how long to skip a unit that answers neither a request nor a probe; default: one time-out',
      ...lateMsRange,
      examples: [3000],
    }),
  ),
  probe: Type.Optional(
    Type.Boolean({
      description:
        'Serial lines: whether a unit that answered late may be probed with function 08 or a second read; default: true',
    }),
  ),
};

export const targetFields = {
  network,
  endpoint,
  unit,
  timeout_ms: withDefault(
    Type.Integer({ description: 'Response time-out', minimum: 1, maximum: 60_000 }),
    defaultTimeoutMs,
  ),
  ...lineFields,
};

const trace = withDefault(
  Type.Boolean({ description: 'Include the raw bytes of requests and responses' }),
  false,
);

export const attemptFields = {
  retries: withDefault(
    Type.Integer({
      description:
        'Retries after a time-out or connection error; a write may be executed more than once',
      minimum: 0,
      maximum: 10,
    }),
    0,
  ),
  trace,
};

export const traceField = { trace };

export const showField = {
  show: withDefault(
    Type.Enum([...valueNotations], { description: 'Show values as numbers or as raw bits' }),
    'decimal',
  ),
};

export const itemFields = {
  table: Type.Optional(
    Type.Enum([...dataTables], { description: 'Table; a reference implies it' }),
  ),
  address: Type.Optional(
    Type.Integer({
      description: 'Address of the first item, zero-based',
      minimum: 0,
      maximum: 65_535,
      'x-hex': true,
      examples: [100],
    }),
  ),
  reference: Type.Optional(
    Type.String({
      description: 'Reference as in device manuals, one-based, instead of table and address',
      pattern: '^[0134][0-9]{4,5}$',
      'x-form': '0, 1, 3 or 4 and four or five digits',
      examples: ['40101'],
    }),
  ),
  type: Type.Optional(
    Type.Enum([...valueTypes], {
      description: 'Data type; default: u16 for registers, bool for bits',
    }),
  ),
  order: Type.Optional(
    Type.Enum([...wordOrders], {
      description:
        'Byte order of a value in its registers; default: ABCD. BADC and DCBA also swap the two bytes of u16 and s16; it does not apply to bool',
    }),
  ),
};
