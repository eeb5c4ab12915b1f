import { Type } from 'typebox';
import { nullable } from '../base/json/schemas.ts';
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
});

export const demo = defineOperation({
  id: 'demo',
  summary: 'Run a simulated vehicle and the console in this terminal until interrupted',
  description:
    'Starts a daemon in the foreground with all ports of the virtual bench open, a vehicle that drives on them over CAN FD and LIN, its database loaded, plans for all its messages, a gateway project between its two CAN segments, and the Web service on 127.0.0.1:8080, or on the next free port. The project is written into a directory busbar-demo-… where it is started. Ctrl-C ends it all and takes that along, unless it was edited.',
  parameters: {
    port: Type.Optional(
      Type.Integer({
        description: 'First port to try for the console; 0 takes any free one',
        minimum: 0,
        maximum: 65535,
        default: 8080,
        examples: [8080],
      }),
    ),
  },
  result: DemoRecord,
  errors: ['already_running', 'address_in_use', 'daemon_start_failed'],
  permission: 'administer',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['demo'] },
  http: { none: 'It owns the terminal it was started in' },
});
