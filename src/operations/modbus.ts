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

/** One of the ways to name the endpoint, with the other rules. */
const atPlace = (rest: object = {}): object => ({
  oneOf: [
    { required: ['network'], ...rest },
    { required: ['endpoint'], ...rest },
  ],
});

/** One of the ways to name items, with the other rules. */
const withItems = (rest: object = {}): object => ({
  oneOf: [
    { required: ['table', 'address'], ...rest },
    { required: ['reference'], ...rest },
  ],
});

/** Exactly one of the fields. */
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
    description: 'How many values, each of as many registers as its type takes',
    minimum: 1,
    maximum: 2000,
    'x-hex': true,
  }),
  1,
);

/** Server of the examples. */
const exampleEndpoint = 'tcp:127.0.0.1:1502';

export const modbusRead = defineOperation({
  id: 'modbus.read',
  summary: 'Read coils, inputs or registers of a Modbus unit',
  description:
    'Items are named by table and address, counted from 0 as on the wire, or by a reference, counted from 1 as in manuals; the answer has both. All of them are read with one request.',
  parameters: {
    ...targetFields,
    ...itemFields,
    count: valueCount,
    ...showField,
    ...attemptFields,
  },
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
    'Values are texts: integers as they are, or the bits of a value in hex, and floats, of which the nearest is written; the answer tells what that was. One register is written with function 06 and one coil with 05; --multiple uses the functions for several, which some devices insist on. With --bit, single bits of a holding register are changed: it is read, changed and written back in one step, with 06 or as --multiple says, and not written if it could not be read.',
  parameters: {
    ...targetFields,
    ...itemFields,
    value: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        description: 'Values to write, from the first item on',
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
          description: 'Bits of one holding register to change; 0 is the least significant',
          minItems: 1,
          maxItems: 16,
          examples: [['3=1']],
        },
      ),
    ),
    multiple: withDefault(
      Type.Boolean({
        description: 'Write even one item with the function for several',
      }),
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
  summary: 'Read the same items again and again',
  description:
    'Polls are due at exact multiples of the period. A poll that is not answered before the next is due makes that one missed; results that could not be shown in time are replaced by newer ones. Both are counted. A unit that does not answer is passed over for longer and longer where others are asked over the same link; those periods are missed, too. Errors are shown, and polling goes on; a poll that never got values ends with exit code 1.',
  parameters: {
    ...targetFields,
    ...itemFields,
    count: valueCount,
    ...showField,
    ...traceField,
    period_ms: withDefault(
      Type.Integer({
        description: 'Time from one poll to the next',
        minimum: 1,
        maximum: 3_600_000,
      }),
      defaultPeriodMs,
    ),
    polls: Type.Optional(
      Type.Integer({
        description: 'End after so many results',
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
  http: { none: 'Polling is for the command line and the gateway; read asks once' },
  examples: ['busbar modbus poll --network=plc --unit=1 --reference=30001 --period-ms=500'],
});

export const modbusScan = defineOperation({
  id: 'modbus.scan',
  summary: 'Look which units answer at an endpoint',
  description:
    'Every unit is sent one read, of holding register 0 unless told otherwise, and is shown as soon as it is known whether it answered, refused or was silent; any of the two answers tells that it is there. Requests stand in the same queue as all others, one at a time, so that polls wait for one unit at the most. Over TCP the link is made anew after a unit that was silent. Over HTTP all requests together may take 60 s.',
  parameters: {
    network,
    endpoint,
    units: withDefault(
      Type.String({
        description: 'Units to look for',
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
        description: 'How long the answer of a unit may take, and a link to be made',
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
  summary: 'Serve registers as one or more Modbus units',
  description:
    'With a unit, all four tables have 65536 items, which begin as zero. With a map, a JSON file tells the units, what they have, what is in it and what they do wrong; the guide shows one. Items keep what clients write until the server is stopped, and the server runs in the daemon until then. Over TCP, port 0 lets the system choose one. An endpoint has one server: a second one is refused, whatever its units.',
  parameters: {
    network,
    endpoint,
    unit: Type.Optional(unit),
    map: Type.Optional(
      Type.String({
        description: 'File of the project that tells the units, instead of one unit',
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
  summary: 'Stop a server that modbus serve has started',
  description:
    'Takes any name of the place: the network or endpoint that it was started with, another spelling of the address, any address of this machine where it listens at all of them, or another path of the serial device, whatever its settings. One on a port that the system chose can also be named by the address that it has, and has to be where several were started with the same endpoint. One that belongs to a gateway instance is refused with `busy`: it ends with the instance.',
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
    bodyExamples: {
      short: { endpoint: exampleEndpoint },
      full: { endpoint: exampleEndpoint },
    },
  },
  examples: ['busbar modbus stop --endpoint=tcp:127.0.0.1:1502'],
});

export const modbusStatus = defineOperation({
  id: 'modbus.status',
  summary: 'List Modbus sessions, their units and servers, with counters',
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
