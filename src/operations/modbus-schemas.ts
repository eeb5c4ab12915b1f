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
      'Endpoint instead of a network: tcp:<host>:<port>, rtu-tcp:<host>:<port>, rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise',
    minLength: 1,
    maxLength: 300,
    examples: ['tcp:127.0.0.1:502'],
  }),
);

export const unit = Type.Integer({
  description: 'Unit id: 0 to 255 over TCP, 1 to 247 on serial lines and in RTU over TCP',
  minimum: 0,
  maximum: 255,
  'x-hex': true,
  examples: [1],
});

export const gapMs = Type.Optional(
  Type.Integer({
    description:
      'Serial lines: longest pause inside a frame; 500 with RTU and 1000 with ASCII if left out',
    ...gapMsRange,
    examples: [100],
  }),
);

/** Serial line settings, and treatment of late units. */
export const lineFields = {
  gap_ms: gapMs,
  late_ms: Type.Optional(
    Type.Integer({
      description:
        'Serial lines: how long a unit is left alone that answers neither a request nor a probe; one time-out if left out',
      ...lateMsRange,
      examples: [3000],
    }),
  ),
  probe: Type.Optional(
    Type.Boolean({
      description:
        'Serial lines: whether a unit that was late may be sent function 08, or read twice; it may if left out',
    }),
  ),
};

/** Address of a unit, and its time-out. */
export const targetFields = {
  network,
  endpoint,
  unit,
  timeout_ms: withDefault(
    Type.Integer({
      description: 'How long the answer may take',
      minimum: 1,
      maximum: 60_000,
    }),
    defaultTimeoutMs,
  ),
  ...lineFields,
};

const trace = withDefault(
  Type.Boolean({ description: 'Tell the raw bytes of requests and answers' }),
  false,
);

/** Retries of a request. */
export const attemptFields = {
  retries: withDefault(
    Type.Integer({
      description:
        'Further attempts where there was no answer or no link; a write may then be done more than once',
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
    Type.Enum([...valueNotations], {
      description: 'How values are written: as numbers, or as the bits that they are made of',
    }),
    'decimal',
  ),
};

/** Items of a unit and their value type. */
export const itemFields = {
  table: Type.Optional(
    Type.Enum([...dataTables], { description: 'Table of the items; a reference tells it itself' }),
  ),
  address: Type.Optional(
    Type.Integer({
      description: 'Address of the first item, counted from 0',
      minimum: 0,
      maximum: 65_535,
      'x-hex': true,
      examples: [100],
    }),
  ),
  reference: Type.Optional(
    Type.String({
      description: 'The same as manuals write it, counted from 1, instead of table and address',
      pattern: '^[0134][0-9]{4,5}$',
      'x-form': '0, 1, 3 or 4 and four or five digits',
      examples: ['40101'],
    }),
  ),
  type: Type.Optional(
    Type.Enum([...valueTypes], {
      description: 'What a value is; u16 for registers and bool for bits if left out',
    }),
  ),
  order: Type.Optional(
    Type.Enum([...wordOrders], {
      description:
        'Order of the bytes of a value in its registers, ABCD if left out; BADC and DCBA also swap the two bytes of u16 and s16, and a bool has none to order',
    }),
  ),
};
