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
  summary: 'Convert a DBC file into a gateway project, or merge it into one',
  description:
    'All messages of the file are received or sent on one network. Missing information and features that cannot be converted are listed; a message that cannot be sent as described is rejected. The output is fully validated and then written atomically; it may be the merged project itself. Concurrent imports into one directory run one after another, so that no rows are lost. Needs no daemon. Over HTTP, all files must be inside the project directory, and the output must be an existing project or end in .gwproj.',
  parameters: {
    file: path('DBC file', 'pump.dbc'),
    output: path('Project to write', 'pump.gwproj'),
    overwrite,
    merge: Type.Optional(path('Project to merge into', 'pump.gwproj')),
    instance: Type.Optional(
      Type.String({
        description: 'Project ID; a merged project keeps its own',
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
      description: 'Direction of the messages',
      examples: ['rx'],
    }),
    missing_cycle: Type.Optional(
      Type.Enum([...missingCycles], {
        description: 'How to send messages without a cycle time; by default they are rejected',
        examples: ['on_change'],
      }),
    ),
    default_period_ms: milliseconds(
      'Cycle time for those messages; periodic requires a value above 0',
    ),
    stale_after_ms: milliseconds(
      'Timeout for values of received messages without a cycle time; 0 = no timeout',
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
