import { Type } from 'typebox';
import { nullable } from '../base/schema/schemas.ts';
import { demoModbus } from '../demo/demo-bench.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { WebStatus } from './web.ts';

const DemoRecord = Type.Object({
  url: Type.String({ description: 'Where the console is' }),
  web: WebStatus,
  gateway: nullable(
    Type.String({
      description: 'Instance of its gateway project; null where the directory cannot be written',
    }),
  ),
  modbus: nullable(
    Type.String({ description: 'Endpoint at which the gateway serves Modbus; null without it' }),
  ),
});

export const demo = defineOperation({
  id: 'demo',
  summary: 'Run a simulated vehicle and the console in this terminal until interrupted',
  description:
    'Starts a daemon in the foreground with all ports of the virtual bench open, a vehicle that drives on them over CAN FD and LIN, its database loaded, plans for all its messages, a gateway project between its two CAN segments that serves signals over Modbus TCP on 127.0.0.1:5020, and the Web service on 127.0.0.1:8080; each of them takes the next free port instead where that is taken. The project is written into a directory busbar-demo-… where it is started. Ctrl-C ends it all and takes that along, unless it was edited.',
  parameters: {
    port: withDefault(
      Type.Integer({
        description: 'First port to try for the console; 0 takes any free one',
        minimum: 0,
        maximum: 65535,
        examples: [8080],
      }),
      8080,
    ),
    modbus_port: withDefault(
      Type.Integer({
        description: 'First port to try for Modbus TCP',
        minimum: 1,
        maximum: 65535,
        examples: [demoModbus.port],
      }),
      demoModbus.port,
    ),
  },
  result: DemoRecord,
  errors: ['already_running', 'address_in_use', 'modbus_unreachable', 'daemon_start_failed'],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['demo'] },
  http: { none: 'It owns the terminal it was started in' },
});
