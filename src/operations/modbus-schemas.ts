import { Type } from 'typebox';
import { counted, named, nullable } from '../base/json/schemas.ts';
import { defaultTimeoutMs } from '../modbus/client/client-defaults.ts';
import { traceRecord } from '../modbus/client/wire-record.ts';
import { dataTables } from '../modbus/pdu/data-tables.ts';
import { valueNotations } from '../modbus/pdu/hex-values.ts';
import { valueTypes } from '../modbus/pdu/value-types.ts';
import { wordOrders } from '../modbus/pdu/word-order.ts';
import { ServerCounterRecord, serverStates } from '../modbus/server/server-record.ts';
import { ScannedUnit } from '../modbus/service/scanned-unit.ts';
import { SessionRecord, UnitReport } from '../modbus/session/session-record.ts';

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
    minimum: 1,
    maximum: 10_000,
    examples: [100],
  }),
);

/** What holds on a serial line, and for units there that did not answer in time. */
export const lineFields = {
  gap_ms: gapMs,
  late_ms: Type.Optional(
    Type.Integer({
      description:
        'Serial lines: how long a unit is left alone that answers neither a request nor a probe; one time-out if left out',
      minimum: 1,
      maximum: 60_000,
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
      default: defaultTimeoutMs,
    }),
  ),
  ...lineFields,
};

const trace = Type.Optional(
  Type.Boolean({ description: 'Tell the raw bytes of requests and answers', default: false }),
);

/** How a single request is made. */
export const attemptFields = {
  retries: Type.Optional(
    Type.Integer({
      description:
        'Further attempts where there was no answer or no link; a write may then be done more than once',
      minimum: 0,
      maximum: 10,
      default: 0,
    }),
  ),
  trace,
};

export const traceField = { trace };

export const showField = {
  show: Type.Optional(
    Type.Enum([...valueNotations], {
      description: 'How values are written: as numbers, or as the bits that they are made of',
      default: 'decimal',
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

/** What the caller has named. */
const targetRecord = {
  network: nullable(Type.String(), { description: 'The network, where one was named' }),
  endpoint: Type.String({ description: 'The endpoint as it was given, or that of the network' }),
};

/** Items as all of these operations tell them. */
const itemRecord = {
  ...targetRecord,
  unit: Type.Integer(),
  table: Type.Enum([...dataTables]),
  address: Type.Integer({ minimum: 0, description: 'Of the first item, counted from 0' }),
  reference: Type.String({ description: 'The same, counted from 1' }),
  type: Type.Enum([...valueTypes]),
  order: Type.Enum([...wordOrders]),
};

const itemsWithValues = (registers: string) => ({
  ...itemRecord,
  values: Type.Array(Type.String({ description: 'Exact, as text' })),
  registers: Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    description: `${registers}; bits as 0 and 1`,
  }),
  attempts: Type.Integer({ minimum: 1, description: 'How often the request was made' }),
  ...traceRecord,
});

export const ModbusReading = named(
  'ModbusReading',
  Type.Object(itemsWithValues('What the values were made of')),
);

export const ModbusRegisters = named(
  'ModbusRegisters',
  Type.Object({
    ...itemRecord,
    values: Type.Array(nullable(Type.String()), {
      description: 'Exact, as text; null where the unit has not all that the value takes',
    }),
    registers: Type.Array(nullable(Type.Integer({ minimum: 0, maximum: 65_535 })), {
      description: 'What the values were made of, bits as 0 and 1; null where the unit has none',
    }),
    ranges: Type.Array(
      Type.Object({
        table: Type.Enum([...dataTables]),
        address: Type.Integer({ minimum: 0 }),
        count: Type.Integer({ minimum: 1 }),
      }),
      {
        description: 'What the unit has in all of its tables; the first of it where there is much',
      },
    ),
    range_total: counted('How many such ranges there are'),
  }),
);

export const ModbusWriting = named(
  'ModbusWriting',
  Type.Object({
    ...itemsWithValues('What was written'),
    rounded: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'Which of the values, from 0 on' }),
        given: Type.String(),
        written: Type.String(),
      }),
      { description: 'Values that are not what was given, but the nearest float to it' },
    ),
  }),
);

export const ModbusScan = named(
  'ModbusScan',
  Type.Object({
    ...targetRecord,
    units: Type.Array(ScannedUnit, { description: 'All that were not silent' }),
    silent: Type.Array(Type.Integer(), { description: 'Units that did not answer in time' }),
  }),
);

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
    missed: counted('Periods that went by without a poll'),
    coalesced: counted('Results that a newer one replaced before they could be shown'),
    ...traceRecord,
  }),
);

const ModbusUnit = named(
  'ModbusUnit',
  Type.Object({
    endpoint: Type.String({ description: 'That of its session' }),
    ...UnitReport.properties,
  }),
);

export const ModbusServerRecord = named(
  'ModbusServer',
  Type.Object({
    ...targetRecord,
    address: nullable(Type.String(), { description: 'Where it can be reached' }),
    unit: nullable(Type.Integer(), { description: 'Its unit; null where it has several' }),
    units: Type.Array(Type.Integer(), { description: 'All units that it has' }),
    map: nullable(Type.String(), { description: 'The file that tells what they have' }),
    instance: nullable(Type.String(), {
      description: 'The gateway instance that it belongs to; null if modbus serve started it',
    }),
    state: Type.Enum([...serverStates]),
    clients: counted('Connections now; a serial line has none'),
    started_at_us: Type.Integer(),
    ...ServerCounterRecord.properties,
  }),
);

export const ModbusStatus = named(
  'ModbusStatus',
  Type.Object({
    sessions: Type.Array(SessionRecord),
    units: Type.Array(ModbusUnit, { description: 'Units that were asked over them' }),
    servers: Type.Array(ModbusServerRecord),
  }),
);
