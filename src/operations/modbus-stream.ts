import { Type } from 'typebox';
import { ModbusRegisters } from '../modbus/service/request-record.ts';
import { defineOperation } from './define.ts';
import { valueCount } from './modbus.ts';
import { endpoint, itemFields, network, showField, unit } from './modbus-schemas.ts';

const path = '/api/v1/modbus';

/** More than the console opens at the same time. */
const maxReads = 32;

const registerFields = {
  network,
  endpoint,
  unit: Type.Optional({
    ...unit,
    description: 'Unit of the server; optional if the server has only one',
  }),
  ...itemFields,
  count: valueCount,
  ...showField,
};

export const modbusRegisters = defineOperation({
  id: 'modbus.registers',
  summary: 'Show the contents of a unit of a Modbus server in this daemon',
  description:
    'Reads the server’s memory directly: no bus traffic, not counted as a client, not affected by simulated faults. Default: holding registers from address 0. Server and unit are optional if there is only one. Items that the unit does not have are null. Works for servers started by modbus serve or by a gateway instance; use modbus read for any other server.',
  parameters: registerFields,
  result: ModbusRegisters,
  errors: ['invalid_bench', 'server_not_found', 'modbus_unreachable'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['modbus', 'registers'] },
  http: { method: 'GET', path: `${path}/registers`, success: 200 },
  examples: [
    'busbar modbus registers --endpoint=tcp:127.0.0.1:1502 --table=holding --address=0 --count=8',
  ],
});

export const modbusStream = defineOperation({
  id: 'modbus.stream',
  summary: 'Stream Modbus sessions, servers and register contents as server-sent events',
  description:
    'A status event contains the result of modbus status, immediately and then once a second. If a server is given, a registers event contains the result of modbus registers, immediately and then on every change, up to four times a second; or its error, such as server_not_found. Each entry of also has its own registers events, with the entry’s text as look. Intermediate changes are skipped.',
  parameters: {
    ...registerFields,
    also: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        description:
          'Additional registers to stream on the same connection, each written as a query of modbus registers',
        maxItems: maxReads,
        uniqueItems: true,
        examples: [['endpoint=tcp:127.0.0.1:1502&table=holding&address=0&count=8']],
      }),
    ),
  },
  result: Type.String({ description: 'Server-sent events: status and registers' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: true },
  cli: null,
  http: {
    method: 'GET',
    path: `${path}/stream`,
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});
