import { Type } from 'typebox';
import {
  defaultPeriodMs,
  defaultScanTimeoutMs,
  defaultScanUnits,
} from '../modbus/client/client-defaults.ts';
import { ModbusPoll } from '../modbus/service/poll-record.ts';
import { ModbusReading, ModbusWriting } from '../modbus/service/request-record.ts';
import { ModbusScan } from '../modbus/service/scan-record.ts';
import { ModbusServerRecord, ModbusStatus } from '../modbus/service/status-record.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { endFields } from './message-schemas.ts';
import {
  attemptFields,
  endpoint,
  gapMs,
  itemFields,
  lineFields,
  network,
  showField,
  targetFields,
  traceField,
  unit,
} from './modbus-schemas.ts';

/** Requires one of the ways to name the endpoint, in addition to the other rules. */
const atPlace = (rest: object = {}): object => ({
  oneOf: [
    { required: ['network'], ...rest },
    { required: ['endpoint'], ...rest },
  ],
});

/** Requires one of the ways to name items, in addition to the other rules. */
const withItems = (rest: object = {}): object => ({
  oneOf: [
    { required: ['table', 'address'], ...rest },
    { required: ['reference'], ...rest },
  ],
});

const oneOfFields = (...names: readonly string[]): object => ({
  oneOf: names.map((name) => ({ required: [name] })),
});

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;
const path = '/api/v1/modbus';

const linkErrors = [
  'invalid_bench',
  'capacity_exceeded',
  'operation_cancelled',
  'busy',
  'modbus_exception',
  'modbus_bad_reply',
  'modbus_unreachable',
  'modbus_timeout',
] as const;

/** Errors that a poll reports as its result. */
const pollResults: ReadonlySet<string> = new Set([
  'busy',
  'modbus_exception',
  'modbus_bad_reply',
  'modbus_timeout',
]);

export const valueCount = withDefault(
  Type.Integer({
    description: 'Number of values; each uses as many registers as its type needs',
    minimum: 1,
    maximum: 2000,
    'x-hex': true,
  }),
  1,
);

const exampleEndpoint = 'tcp:127.0.0.1:1502';

export const modbusRead = defineOperation({
  id: 'modbus.read',
  summary: 'Read coils, inputs or registers of a Modbus unit',
  description:
    'Items are addressed by table and zero-based address, as on the wire, or by a one-based reference, as in manuals; the result contains both. All items are read in a single request.',
  parameters: { ...targetFields, ...itemFields, count: valueCount, ...showField, ...attemptFields },
  result: ModbusReading,
  errors: linkErrors,
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'read'] },
  http: {
    method: 'POST',
    path: `${path}/read`,
    success: 200,
    bodyName: 'ModbusReadRequest',
    bodyRule: atPlace(withItems()),
    bodyExamples: {
      short: { endpoint: exampleEndpoint, unit: 1, table: 'holding', address: 0 },
      full: {
        endpoint: exampleEndpoint,
        unit: 1,
        table: 'holding',
        address: 100,
        type: 'f32',
        order: 'CDAB',
        count: 2,
        timeout_ms: 1000,
      },
    },
  },
  examples: [
    'busbar modbus read --endpoint=tcp:127.0.0.1:502 --unit=1 --table=holding --address=100 --count=4',
    'busbar modbus read --network=plc --unit=1 --reference=40101 --type=f32 --order=CDAB',
    'busbar modbus read --network=plc --unit=0x11 --table=input --address=0x100 --count=0x10 --show=hex',
    'busbar modbus read --endpoint=rtu-tcp:10.0.0.9:4001 --unit=1 --reference=30001 --retries=2 --trace',
  ],
});

export const modbusWrite = defineOperation({
  id: 'modbus.write',
  summary: 'Write coils or holding registers of a Modbus unit',
  description:
    'Values are strings: integers in decimal, raw bits in hex, or floats, which are rounded to the nearest value that the type can hold; the result contains what was written. A single register is written with function 06 and a single coil with 05; --multiple uses functions 15 and 16, which some devices require. --bit changes single bits of a holding register by one read-modify-write, with function 06 or as --multiple says; if the read fails, nothing is written.',
  parameters: {
    ...targetFields,
    ...itemFields,
    value: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        description: 'Values to write, starting at the first item',
        minItems: 1,
        maxItems: 1968,
        examples: [['42', '0x1F']],
      }),
    ),
    bit: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^([0-9]|1[0-5])=(0|1|true|false)$',
          'x-form': 'a bit from 0 to 15, = and 0 or 1',
          'x-hint': '<bit>=<0|1>',
        }),
        {
          description: 'Bits of one holding register to change; 0 is the least significant bit',
          minItems: 1,
          maxItems: 16,
          examples: [['3=1']],
        },
      ),
    ),
    multiple: withDefault(
      Type.Boolean({ description: 'Use function 15 or 16 even for a single item' }),
      false,
    ),
    ...showField,
    ...attemptFields,
  },
  result: ModbusWriting,
  errors: linkErrors,
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'write'] },
  http: {
    method: 'POST',
    path: `${path}/write`,
    success: 200,
    bodyName: 'ModbusWriteRequest',
    bodyRule: atPlace(withItems(oneOfFields('value', 'bit'))),
    bodyExamples: {
      short: { endpoint: exampleEndpoint, unit: 1, table: 'holding', address: 0, value: ['42'] },
      full: {
        endpoint: exampleEndpoint,
        unit: 1,
        table: 'holding',
        address: 100,
        type: 'f32',
        order: 'CDAB',
        value: ['0.5', '-1'],
        timeout_ms: 1000,
      },
    },
  },
  examples: [
    'busbar modbus write --network=plc --unit=1 --reference=40101 --value=42',
    'busbar modbus write --endpoint=tcp:127.0.0.1:502 --unit=1 --table=holding --address=7 --type=s64 --value=-1',
    'busbar modbus write --network=plc --unit=1 --reference=40001 --bit=3=1 --bit=4=0',
  ],
});

export const modbusPoll = defineOperation({
  id: 'modbus.poll',
  summary: 'Read the same items periodically',
  description:
    'Polls are due at exact multiples of the period. A poll that is not answered before the next one is due makes that one missed; results that cannot be shown in time are replaced by newer ones. Both are counted. If several units share a connection, a unit that does not answer is polled less and less often; the skipped periods count as missed. Errors are shown and polling continues; if no poll ever succeeded, the exit code is 1.',
  parameters: {
    ...targetFields,
    ...itemFields,
    count: valueCount,
    ...showField,
    ...traceField,
    period_ms: withDefault(
      Type.Integer({ description: 'Polling period', minimum: 1, maximum: 3_600_000 }),
      defaultPeriodMs,
    ),
    polls: Type.Optional(
      Type.Integer({
        description: 'Stop after this many results',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [10],
      }),
    ),
    duration_ms: endFields('results').duration_ms,
  },
  result: ModbusPoll,
  errors: linkErrors.filter((code) => !pollResults.has(code)),
  permission: 'operate',
  execution: { ...execution, streaming: true },
  cli: { words: ['modbus', 'poll'] },
  http: { none: 'Polling runs in the command line and the gateway; use modbus read over HTTP' },
  examples: ['busbar modbus poll --network=plc --unit=1 --reference=30001 --period-ms=500'],
});

export const modbusScan = defineOperation({
  id: 'modbus.scan',
  summary: 'Find the units that answer at an endpoint',
  description:
    'Sends one read to each unit, by default of holding register 0. A unit is reported as soon as it has answered, has returned an exception or has timed out; an exception also proves that it exists. Requests are queued with all others, one at a time, so that a poll waits for at most one unit. Over TCP, the connection is reopened after a time-out. Over HTTP, all requests together may take 60 s.',
  parameters: {
    network,
    endpoint,
    units: withDefault(
      Type.String({
        description: 'Units to scan',
        pattern: '^[0-9]{1,3}(-[0-9]{1,3})?(,[0-9]{1,3}(-[0-9]{1,3})?)*$',
        'x-form': 'ids and ranges with commas between them, such as 1,3,10-20',
        maxLength: 1000,
        examples: ['1,3,10-20'],
      }),
      defaultScanUnits,
    ),
    table: itemFields.table,
    address: itemFields.address,
    reference: itemFields.reference,
    timeout_ms: withDefault(
      Type.Integer({
        description: 'Response and connection time-out per unit',
        minimum: 1,
        maximum: 60_000,
      }),
      defaultScanTimeoutMs,
    ),
    ...lineFields,
    ...traceField,
  },
  result: ModbusScan,
  errors: linkErrors.filter((code) => code !== 'modbus_exception' && code !== 'modbus_timeout'),
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'scan'] },
  http: {
    method: 'POST',
    path: `${path}/scan`,
    success: 200,
    bodyName: 'ModbusScanRequest',
    bodyRule: atPlace(),
    bodyExamples: {
      short: { endpoint: exampleEndpoint, units: '1' },
      full: {
        endpoint: exampleEndpoint,
        units: '1',
        table: 'holding',
        address: 0,
        timeout_ms: 100,
      },
    },
  },
  examples: [
    'busbar modbus scan --endpoint=rtu:/dev/ttyUSB0:9600,8N1',
    'busbar modbus scan --network=plc --units=1-16 --table=input --address=0x10 --timeout-ms=100',
  ],
});

export const modbusServe = defineOperation({
  id: 'modbus.serve',
  summary: 'Serve one or more Modbus units',
  description:
    'With a unit, all four tables have 65536 items, initially zero. With a map, a JSON file defines the units, their items, initial values and simulated faults; the guide shows an example. The server runs in the daemon until it is stopped, and keeps what clients write until then. Over TCP, port 0 selects a free port. An endpoint can have only one server, regardless of its units.',
  parameters: {
    network,
    endpoint,
    unit: Type.Optional(unit),
    map: Type.Optional(
      Type.String({
        description:
          'Map file in the project directory that defines the units, instead of a single unit',
        minLength: 1,
        maxLength: 4096,
        examples: ['flow-meter.map.json'],
      }),
    ),
    gap_ms: gapMs,
  },
  result: ModbusServerRecord,
  errors: [
    'invalid_bench',
    'invalid_modbus_map',
    'file_not_found',
    'file_unavailable',
    'path_outside_project',
    'already_running',
    'capacity_exceeded',
    'operation_cancelled',
    'modbus_unreachable',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'serve'] },
  http: {
    method: 'POST',
    path: `${path}/serve`,
    success: 201,
    bodyName: 'ModbusServeRequest',
    bodyRule: atPlace(oneOfFields('unit', 'map')),
    bodyExamples: {
      short: { endpoint: exampleEndpoint, unit: 1 },
      full: { endpoint: exampleEndpoint, unit: 1 },
    },
  },
  examples: [
    'busbar modbus serve --endpoint=tcp:127.0.0.1:1502 --unit=1',
    'busbar modbus serve --endpoint=rtu-tcp:127.0.0.1:0 --map=flow-meter.map.json',
  ],
});

export const modbusStop = defineOperation({
  id: 'modbus.stop',
  summary: 'Stop a server started by modbus serve',
  description:
    'The server can be named by the network or endpoint it was started with, by an equivalent address, by any local address if it listens on all of them, or by another path of the serial device; serial settings are ignored. A server on an automatically selected port can also be named by its actual address; this is required if several servers were started with the same endpoint. A server that belongs to a gateway instance is rejected with `busy`: it stops with the instance.',
  parameters: { network, endpoint },
  result: ModbusServerRecord,
  errors: ['invalid_bench', 'server_not_found', 'busy', 'modbus_unreachable'],
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'stop'] },
  http: {
    method: 'POST',
    path: `${path}/stop`,
    success: 200,
    bodyName: 'ModbusStopRequest',
    bodyRule: atPlace(),
    bodyExamples: { short: { endpoint: exampleEndpoint }, full: { endpoint: exampleEndpoint } },
  },
  examples: ['busbar modbus stop --endpoint=tcp:127.0.0.1:1502'],
});

export const modbusStatus = defineOperation({
  id: 'modbus.status',
  summary: 'List Modbus sessions, units and servers with their counters',
  result: ModbusStatus,
  errors: [],
  permission: 'observe',
  execution,
  cli: {
    words: ['modbus', 'status'],
    columns: {
      sessions: [
        'endpoint',
        'state',
        'users',
        'requests',
        'exceptions',
        'timeouts',
        'failures',
        'reconnects',
        'round_trip_us.p50',
        'round_trip_us.p99',
        'last_error.code',
      ],
      servers: [
        'endpoint',
        'address',
        'units',
        'state',
        'clients',
        'requests',
        'refused_writes',
        'foreign_unit',
        'bad_frames',
        'instance',
        'started_at_us',
      ],
    },
  },
  http: { method: 'GET', path, success: 200 },
});
