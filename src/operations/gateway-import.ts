import { Type } from 'typebox';
import { missingCycles } from '../gateway/import/cycle-rules.ts';
import { GatewayImport } from '../gateway/import/import-record.ts';
import { maxMilliseconds } from '../gateway/project/fields.ts';
import { instanceNamePattern } from '../gateway/project/instance-name.ts';
import { directions } from '../gateway/project/tables/messages.ts';
import { defineOperation } from './define.ts';
import { overwrite } from './gateway.ts';

const path = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 4096, examples: [example] });

const milliseconds = (description: string) =>
  Type.Optional(
    Type.Integer({ description, minimum: 0, maximum: maxMilliseconds, examples: [500] }),
  );

export const gatewayImport = defineOperation({
  id: 'gateway.import',
  summary: 'Make a gateway project of a DBC file, or add the file to one',
  description:
    'All messages of the file are received or sent on one network. What the file does not say and what cannot be carried is listed; a message that could not be sent as it is described is refused. The output is written as a whole after all of it was validated, and may be the project merged with. Imports into one directory wait for each other, so that all of their rows are kept. Needs no daemon; over HTTP all files must lie inside the directory that the daemon was started in, and the output must be a project already or end in .gwproj.',
  parameters: {
    file: path('DBC file', 'pump.dbc'),
    output: path('Project to write', 'pump.gwproj'),
    overwrite,
    merge: Type.Optional(path('Project to add to', 'pump.gwproj')),
    instance: Type.Optional(
      Type.String({
        description: 'Becomes the id of the project; that of a project merged with stays',
        minLength: 1,
        pattern: instanceNamePattern,
        'x-form': '1 to 64 letters, digits and _ . -',
        examples: ['pump'],
      }),
    ),
    network: Type.String({
      description: 'Logical network of the bench',
      minLength: 1,
      maxLength: 128,
      examples: ['vehicle'],
    }),
    direction: Type.Enum([...directions], {
      description: 'Whether the messages are received or sent',
      examples: ['rx'],
    }),
    missing_cycle: Type.Optional(
      Type.Enum([...missingCycles], {
        description: 'When to send messages without a period; they are refused if left out',
        examples: ['on_change'],
      }),
    ),
    default_period_ms: milliseconds('Period of those messages; periodic needs it above 0'),
    stale_after_ms: milliseconds(
      'How long values of received messages without a period hold; 0 for ever',
    ),
  },
  result: GatewayImport,
  errors: [
    ...(['file_not_found', 'file_unavailable', 'path_outside_project'] as const),
    ...([
      'invalid_database',
      'missing_cycle',
      'capacity_exceeded',
      'already_exists',
      'busy',
    ] as const),
    ...(['invalid_project', 'unsupported_gateway_feature'] as const),
  ],
  permission: 'operate',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: {
    words: ['gateway', 'import'],
    callerPaths: ['file', 'output', 'merge'],
    columns: {
      defaults: ['message', 'field', 'value', 'rule'],
      omitted: ['message', 'signal', 'part', 'reason'],
    },
  },
  http: {
    method: 'POST',
    path: '/api/v1/gateways/import',
    success: 200,
    bodyName: 'GatewayImportRequest',
    bodyExamples: {
      short: { file: 'pump.dbc', output: 'pump.gwproj', network: 'vehicle', direction: 'rx' },
      full: {
        file: 'pump.dbc',
        output: 'rig.gwproj',
        overwrite: false,
        merge: 'pump.gwproj',
        instance: 'pump',
        network: 'rig',
        direction: 'tx',
        missing_cycle: 'periodic',
        default_period_ms: 500,
        stale_after_ms: 0,
      },
    },
  },
  examples: [
    'busbar gateway import --file=pump.dbc --output=pump.gwproj --network=vehicle --direction=rx',
    'busbar gateway import --file=pump.dbc --output=pump.gwproj --merge=pump.gwproj --network=rig --direction=tx --missing-cycle=on_change',
  ],
});
