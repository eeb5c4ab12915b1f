import { Type } from 'typebox';
import { SimulatedEcu } from '../diagnostics/service/simulated-ecu-record.ts';
import { linkFields } from '../pdu/isotp/link-settings.ts';
import { lookupErrors } from './channel.ts';
import { selector } from './channel-schemas.ts';
import { defineOperation } from './define.ts';

const onBench = { place: 'bench', daemon: 'required', streaming: false } as const;

export const ecuServe = defineOperation({
  id: 'ecu.serve',
  summary: 'Simulate an ECU that answers diagnostic requests',
  description:
    'It answers on a channel of its own bus, which is not the channel of the link to it, until it is stopped or the channel closes. Identifiers are those of an ECU of the bench file, or given as for a link. On LIN, the channel is a slave.',
  parameters: {
    channel: selector('Channel of the ECU: <sn>/<port>, <uid>/<port>, name, network or slot'),
    file: Type.String({
      description: 'File of the project that describes the ECU (schemas/ecu.schema.json)',
      minLength: 1,
      maxLength: 4096,
      examples: ['engine.json'],
    }),
    ecu: Type.Optional(
      Type.String({
        description: 'ECU of the bench file whose identifiers and settings it has',
        minLength: 1,
        maxLength: 64,
        examples: ['engine'],
      }),
    ),
    ...linkFields,
  },
  result: SimulatedEcu,
  kept: ['channel'],
  errors: [
    ...lookupErrors,
    'channel_not_open',
    'ecu_not_found',
    'already_exists',
    'capacity_exceeded',
    'file_not_found',
    'path_outside_project',
    'file_unavailable',
    'invalid_diagnostics_file',
  ],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['ecu', 'serve'] },
  http: {
    method: 'POST',
    path: '/api/v1/simulated-ecus',
    success: 201,
    bodyName: 'SimulatedEcuRequest',
    bodyExamples: {
      short: {
        channel: 'SIM00001/0',
        file: 'engine.json',
        request_id: 2016,
        response_id: 2024,
      },
      full: {
        channel: 'SIM00001/0',
        file: 'engine.json',
        request_id: '7E0',
        response_id: '7E8',
        functional_id: '7DF',
      },
    },
  },
  examples: [
    'busbar ecu serve --file=engine.json --channel=SIM00001/1 --ecu=engine',
    'busbar ecu serve --file=engine.json --channel=SIM00001/1 --request-id=7E0 --response-id=7E8',
    'busbar ecu serve --file=door.json --channel=SIM00001/5 --nad=0A',
  ],
});

export const ecuList = defineOperation({
  id: 'ecu.list',
  summary: 'List the simulated ECUs',
  result: Type.Object({ simulated_ecus: Type.Array(SimulatedEcu) }),
  errors: [],
  permission: 'observe',
  execution: onBench,
  cli: {
    words: ['ecu', 'list'],
    columns: ['ecu_id', 'channel', 'ecu', 'file', 'session', 'security_level'],
  },
  http: { method: 'GET', path: '/api/v1/simulated-ecus', success: 200 },
});

export const ecuStop = defineOperation({
  id: 'ecu.stop',
  summary: 'Stop a simulated ECU',
  parameters: {
    ecu_id: Type.String({
      description: 'ID of the simulated ECU',
      minLength: 1,
      maxLength: 64,
      examples: ['ecu-1'],
    }),
  },
  result: SimulatedEcu,
  errors: ['simulated_ecu_not_found'],
  permission: 'operate',
  execution: onBench,
  cli: { words: ['ecu', 'stop'], positionals: ['ecu_id'] },
  http: { method: 'DELETE', path: '/api/v1/simulated-ecus/{ecu_id}', success: 200 },
  examples: ['busbar ecu stop ecu-1'],
});
