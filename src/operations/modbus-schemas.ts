import { Type } from 'typebox';
import { usualTimeoutMs } from '../modbus/client/usual-times.ts';
import { dataTables } from '../modbus/pdu/data-tables.ts';
import { valueTypes } from '../modbus/pdu/register-values.ts';
import { wordOrders } from '../modbus/pdu/word-order.ts';
import { linkStates } from '../modbus/session/link-state.ts';
import { named, nullable } from './define.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

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
      'Endpoint instead of a network: tcp:<host>:<port>, rtu:<absolute path of the device>[:<baud>,<data><parity><stop>] or ascii:… likewise',
    minLength: 1,
    maxLength: 300,
    examples: ['tcp:127.0.0.1:502'],
  }),
);

export const unit = Type.Integer({
  description: 'Unit id: 0 to 255 over TCP, 1 to 247 on serial lines',
  minimum: 0,
  maximum: 255,
  examples: [1],
});

/** Where to reach a unit, and how long it may take. */
export const targetFields = {
  network,
  endpoint,
  unit,
  timeout_ms: Type.Optional(
    Type.Integer({
      description: 'How long the answer may take',
      minimum: 1,
      maximum: 60_000,
      default: usualTimeoutMs,
    }),
  ),
};

/** Which items of a unit are meant, and how their registers make values. */
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

/** Items as all of these operations tell them. */
const itemRecord = {
  endpoint: Type.String({ description: 'The link that was used, as it was named first' }),
  unit: Type.Integer(),
  table: Type.Enum([...dataTables]),
  address: Type.Integer({ minimum: 0, description: 'Of the first item, counted from 0' }),
  reference: Type.String({ description: 'The same, counted from 1' }),
  type: Type.Enum([...valueTypes]),
  order: Type.Enum([...wordOrders]),
};

const itemsWithValues = (registers: string) =>
  Type.Object({
    ...itemRecord,
    values: Type.Array(Type.String({ description: 'Exact, as text' })),
    registers: Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
      description: `${registers}; bits as 0 and 1`,
    }),
  });

export const ModbusReading = named(
  'ModbusReading',
  itemsWithValues('What the values were made of'),
);
export const ModbusWriting = named('ModbusWriting', itemsWithValues('What was written'));

export const ModbusPoll = named(
  'ModbusPoll',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'Counts polls, also those never shown' }),
    timestamp_us: Type.Integer({ description: 'Unix time in microseconds' }),
    ...itemRecord,
    values: nullable(Type.Array(Type.String())),
    registers: nullable(Type.Array(Type.Integer())),
    error: nullable(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        details: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Facts for programs, such as the code of an exception',
        }),
      }),
      { description: 'Why there are no values; polling goes on' },
    ),
    missed: count('Periods that went by without a poll'),
    coalesced: count('Results that a newer one replaced before they could be shown'),
  }),
);

const RoundTrip = Type.Object({
  count: count('Answers measured'),
  p50: count('Not exceeded by half of them'),
  p99: count('Not exceeded by 99 of 100'),
  max: count('Longest'),
});

const LastError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  timestamp_us: Type.Integer(),
});

export const ModbusSession = named(
  'ModbusSession',
  Type.Object({
    endpoint: Type.String({ description: 'As it was named first' }),
    state: Type.Enum([...linkStates], {
      description: 'backing_off: it could not be made, and requests fail until it is tried again',
    }),
    users: count('Commands and polls that use it now'),
    queue_length: count('Requests that wait'),
    requests: count('Requests taken up'),
    responses: count('Answered'),
    exceptions: count('Answered with an exception'),
    timeouts: count('Not answered in time'),
    failures: count('Ended by a broken link or protocol, or given up by whoever asked'),
    protocol_errors: count('Frames that were no answer'),
    reconnects: count('Times that the link was made anew after it was lost or given up'),
    bytes_in: count('Received'),
    bytes_out: count('Sent'),
    round_trip_us: RoundTrip,
    last_error: nullable(LastError),
  }),
);

const byCode = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

export const ModbusServerRecord = named(
  'ModbusServer',
  Type.Object({
    endpoint: Type.String({ description: 'As it was named' }),
    address: nullable(Type.String(), { description: 'Where it can be reached' }),
    unit: Type.Integer(),
    state: Type.Enum(['starting', 'listening', 'lost', 'stopped']),
    clients: count('Connections now; a serial line has none'),
    started_at_us: Type.Integer(),
    clients_accepted: count('Connections so far'),
    clients_refused: count('Connections beyond the limit'),
    clients_timed_out: count('Connections closed after a long silence'),
    requests: count('Requests'),
    requests_by_function: byCode('Requests by function code'),
    exceptions: byCode('Exceptions answered, by code'),
    refused_writes: count('Writes that were refused whole'),
    broadcasts: count('Writes to all units of a serial line'),
    foreign_unit: count('Requests to other units, not answered'),
    bad_frames: count('Times that something was no frame'),
    bytes_received: count('Received'),
    bytes_sent: count('Sent'),
  }),
);
