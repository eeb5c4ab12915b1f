import { Type } from 'typebox';
import { ModbusRegisters } from '../modbus/service/request-record.ts';
import { defineOperation } from './define.ts';
import { valueCount } from './modbus.ts';
import { endpoint, itemFields, network, showField, unit } from './modbus-schemas.ts';

const path = '/api/v1/modbus';

/** More than windows in view. */
const mostLooks = 32;

const registerFields = {
  network,
  endpoint,
  unit: Type.Optional({
    ...unit,
    description: 'Unit of the server; it may be left out where the server has one',
  }),
  ...itemFields,
  count: valueCount,
  ...showField,
};

export const modbusRegisters = defineOperation({
  id: 'modbus.registers',
  summary: 'Show what a unit of a Modbus server of this daemon holds',
  description:
    'Nothing goes over the line, no client is counted and no fault of the unit applies: this is the side of the server. Holding registers from 0 on are shown where no others are named, and a server or unit needs no name where it is the only one. Items that the unit does not have are null. It is for servers that modbus serve or a gateway instance has started; modbus read asks any other.',
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
  summary: 'Follow Modbus sessions and servers, and what one of these holds, as server-sent events',
  description:
    'An event status has what modbus status tells, at once and then once a second. Where a server is named, an event registers has what modbus registers tells of a server: at once, and then whenever it is another, up to four times a second; or its error, such as server_not_found, where it tells none. Each of also has events registers of its own, with its text as look. What happened in between is not told.',
  parameters: {
    ...registerFields,
    also: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        description:
          'Further registers to follow on the same connection, each as a query of modbus registers',
        maxItems: mostLooks,
        uniqueItems: true,
        examples: [['endpoint=tcp:127.0.0.1:1502&table=holding&address=0&count=8']],
      }),
    ),
  },
  result: Type.String({ description: 'A stream of events status and registers' }),
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
