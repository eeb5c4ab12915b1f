import { Type } from 'typebox';
import { usualPeriodMs } from '../modbus/client/usual-times.ts';
import { defineOperation, named } from './define.ts';
import {
  endpoint,
  itemFields,
  ModbusPoll,
  ModbusReading,
  ModbusServerRecord,
  ModbusSession,
  ModbusWriting,
  network,
  targetFields,
  unit,
} from './modbus-schemas.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;
const noHttp = { none: 'Modbus is used from the command line and by the gateway' } as const;

/** What reaching a unit can end with. */
const linkErrors = [
  'invalid_bench',
  'capacity_exceeded',
  'operation_cancelled',
  'modbus_exception',
  'modbus_unreachable',
  'modbus_timeout',
] as const;

const valueCount = Type.Optional(
  Type.Integer({
    description: 'How many values, each of as many registers as its type takes',
    minimum: 1,
    maximum: 2000,
    default: 1,
  }),
);

export const modbusRead = defineOperation({
  id: 'modbus.read',
  summary: 'Read coils, inputs or registers of a Modbus unit',
  description:
    'Items are named by table and address, counted from 0 as on the wire, or by a reference, counted from 1 as in manuals; the answer has both. All of them are read with one request.',
  parameters: { ...targetFields, ...itemFields, count: valueCount },
  result: ModbusReading,
  errors: linkErrors,
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'read'] },
  http: noHttp,
  examples: [
    'busbar modbus read --endpoint=tcp:127.0.0.1:502 --unit=1 --table=holding --address=100 --count=4',
    'busbar modbus read --network=plc --unit=1 --reference=40101 --type=f32 --order=CDAB',
  ],
});

export const modbusWrite = defineOperation({
  id: 'modbus.write',
  summary: 'Write coils or holding registers of a Modbus unit',
  description:
    'Values are texts and must fit their type exactly. One register is written with function 06 and one coil with 05; --multiple uses the functions for several, which some devices insist on. With --bit, single bits of a holding register are changed: it is read, changed and written back in one step, with 06 or as --multiple says, and not written if it could not be read.',
  parameters: {
    ...targetFields,
    ...itemFields,
    value: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        description: 'Values to write, from the first item on',
        minItems: 1,
        maxItems: 1968,
        examples: [['42']],
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
    multiple: Type.Optional(
      Type.Boolean({
        description: 'Write even one item with the function for several',
        default: false,
      }),
    ),
  },
  result: ModbusWriting,
  errors: linkErrors,
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'write'] },
  http: noHttp,
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
    'Polls are due at exact multiples of the period. A poll that is not answered before the next is due makes that one missed; results that could not be shown in time are replaced by newer ones. Both are counted. Errors are shown, and polling goes on.',
  parameters: {
    ...targetFields,
    ...itemFields,
    count: valueCount,
    period_ms: Type.Optional(
      Type.Integer({
        description: 'Time from one poll to the next',
        minimum: 1,
        maximum: 3_600_000,
        default: usualPeriodMs,
      }),
    ),
    polls: Type.Optional(
      Type.Integer({ description: 'End after so many results', minimum: 1, examples: [10] }),
    ),
    duration_ms: Type.Optional(
      Type.Integer({
        description: 'End after so many milliseconds',
        minimum: 1,
        maximum: 2_147_483_647,
        examples: [10_000],
      }),
    ),
  },
  result: ModbusPoll,
  errors: linkErrors.filter((code) => code !== 'modbus_exception' && code !== 'modbus_timeout'),
  permission: 'operate',
  execution: { place: 'client', daemon: 'required', streaming: true },
  cli: { words: ['modbus', 'poll'] },
  http: noHttp,
  examples: ['busbar modbus poll --network=plc --unit=1 --reference=30001 --period-ms=500'],
});

export const modbusServe = defineOperation({
  id: 'modbus.serve',
  summary: 'Serve registers as a Modbus unit',
  description:
    'All four tables have 65536 items, which begin as zero and keep what clients write until the server is stopped. The server runs in the daemon until it is stopped. Over TCP, port 0 lets the system choose one.',
  parameters: { network, endpoint, unit },
  result: ModbusServerRecord,
  errors: [
    'invalid_bench',
    'already_running',
    'capacity_exceeded',
    'operation_cancelled',
    'modbus_unreachable',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'serve'] },
  http: noHttp,
  examples: ['busbar modbus serve --endpoint=tcp:127.0.0.1:1502 --unit=1'],
});

export const modbusStop = defineOperation({
  id: 'modbus.stop',
  summary: 'Stop a server that modbus serve has started',
  description:
    'Takes the endpoint that it was started with, or any other name of the place. One on a port that the system chose can also be named by the address that it has, and has to be where several were started with the same endpoint.',
  parameters: { network, endpoint },
  result: ModbusServerRecord,
  errors: ['invalid_bench', 'server_not_found', 'modbus_unreachable'],
  permission: 'operate',
  execution,
  cli: { words: ['modbus', 'stop'] },
  http: noHttp,
  examples: ['busbar modbus stop --endpoint=tcp:127.0.0.1:1502'],
});

export const modbusStatus = defineOperation({
  id: 'modbus.status',
  summary: 'List Modbus sessions and servers with their counters',
  result: named(
    'ModbusStatus',
    Type.Object({
      sessions: Type.Array(ModbusSession),
      servers: Type.Array(ModbusServerRecord),
    }),
  ),
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
        'unit',
        'state',
        'clients',
        'requests',
        'refused_writes',
        'foreign_unit',
        'bad_frames',
        'started_at_us',
      ],
    },
  },
  http: noHttp,
});
