import { Type } from 'typebox';
import { GatewayValidation } from '../gateway/build/validation-record.ts';
import { GatewayFault } from '../gateway/image/fault-record.ts';
import { keptFaultEvents } from '../gateway/image/image-tables.ts';
import { GatewayInstance, GatewaySignal } from '../gateway/instances/instance-record.ts';
import {
  GatewayFaultHistory,
  GatewayFaultPage,
  GatewayInstanceList,
  GatewaySignalPage,
} from '../gateway/instances/page-records.ts';
import { instanceNamePattern, pathWords, reservedNames } from '../gateway/project/instance-name.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';
import { gatewaySignalPage, gatewayTaskPage } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const inCli = { place: 'cli', daemon: 'none', streaming: false } as const;

const fileErrors = ['file_not_found', 'file_unavailable', 'path_outside_project'] as const;
const projectErrors = ['invalid_project', 'unsupported_gateway_feature'] as const;

const projectFile = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 4096, examples: ['coolant.gwproj'] });

export const overwrite = withDefault(
  Type.Boolean({ description: 'Replace the file if it exists' }),
  true,
);

export const instance = Type.String({
  description: 'Instance name',
  minLength: 1,
  maxLength: 64,
  'x-reserved': reservedNames,
  examples: ['coolant'],
});

export const offset = (what: string) =>
  withDefault(
    Type.Integer({
      description: `Index of the first ${what}`,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    0,
  );

export const limit = (what: string, page: { readonly maximum: number; readonly default: number }) =>
  withDefault(
    Type.Integer({ description: `Maximum number of ${what}s`, minimum: 1, maximum: page.maximum }),
    page.default,
  );

const instanceColumns = [
  ...['instance', 'state', 'health', 'project_id', 'file', 'task_total', 'failed_tasks'],
  ...['failed_checks'],
  ...['accepted', 'sent', 'failed', 'pending', 'memory_budget_bytes'],
];
export const taskColumns = [
  ...['id', 'kind', 'policy', 'mode', 'period_ms', 'state', 'error.code'],
  ...['warning.code'],
  ...['accepted', 'sent', 'failed', 'pending', 'late', 'missed'],
];

export const gatewayValidate = defineOperation({
  id: 'gateway.validate',
  summary: 'Validate a gateway project',
  description:
    'Reports all problems together, each with its table, row, field and remedy. Needs no daemon and does no bus I/O. Over HTTP, the file must be inside the project directory.',
  parameters: { file: projectFile('Project to validate') },
  result: GatewayValidation,
  errors: [...fileErrors, ...projectErrors, 'capacity_exceeded'],
  permission: 'observe',
  execution: inCli,
  cli: { words: ['gateway', 'validate'], callerPaths: ['file'] },
  http: {
    method: 'POST',
    path: '/api/v1/gateways/validate',
    success: 200,
    bodyName: 'GatewayValidateRequest',
    bodyExamples: { short: { file: 'coolant.gwproj' }, full: { file: 'coolant.gwproj' } },
  },
  examples: ['busbar gateway validate --file=coolant.gwproj'],
});

export const gatewaySchema = defineOperation({
  id: 'gateway.schema',
  summary: 'Print the JSON Schema of gateway projects, for editors',
  result: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' }),
  errors: [],
  permission: 'observe',
  execution: inCli,
  cli: { words: ['gateway', 'schema'] },
  http: { none: 'The schema also ships with the product as a file' },
  examples: ['busbar gateway schema > gwproj.schema.json'],
});

export const gatewayLoad = defineOperation({
  id: 'gateway.load',
  summary: 'Load a gateway project into an instance',
  description:
    'The file must be inside the project directory. It is read and validated completely; later changes to the file do not affect the instance. Nothing is sent until the instance is started.',
  parameters: {
    file: projectFile('Project to load'),
    instance: Type.Optional(
      Type.String({
        description: `Instance name; default: the project ID, else the bench ID. Reserved: ${pathWords.join(', ')}`,
        minLength: 1,
        pattern: instanceNamePattern,
        'x-form': '1 to 64 letters, digits and _ . -',
        examples: ['coolant'],
      }),
    ),
  },
  result: GatewayInstance,
  errors: [...fileErrors, ...projectErrors, 'already_exists', 'capacity_exceeded', 'invalid_bench'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'load'], columns: { tasks: taskColumns } },
  http: {
    method: 'POST',
    path: '/api/v1/gateways',
    success: 201,
    bodyName: 'GatewayLoadRequest',
    bodyExamples: {
      short: { file: 'coolant.gwproj' },
      full: { file: 'coolant.gwproj', instance: 'coolant' },
    },
  },
  examples: [
    'busbar gateway load --file=coolant.gwproj',
    'busbar gateway load --file=coolant.gwproj --instance=second',
  ],
});

export const gatewayStatus = defineOperation({
  id: 'gateway.status',
  summary: 'List the instances, or show one with its tasks',
  description:
    'Tasks are paged: repeat with offset set to task_next_offset until it equals task_total. offset and limit require an instance.',
  parameters: {
    instance: Type.Optional(instance),
    offset: offset('task'),
    limit: limit('task', gatewayTaskPage),
  },
  result: Type.Union([GatewayInstanceList, GatewayInstance]),
  errors: ['instance_not_found'],
  permission: 'observe',
  execution,
  cli: { words: ['gateway', 'status'], columns: { gateways: instanceColumns, tasks: taskColumns } },
  http: { method: 'GET', path: '/api/v1/gateways', success: 200 },
  examples: ['busbar gateway status', 'busbar gateway status --instance=coolant'],
});

const startErrors = [
  ...['channel_not_open', 'network_unbound', 'unsupported_by_hardware', 'invalid_bench'],
  ...['output_conflict', 'unsupported_gateway_feature'],
  ...['modbus_unreachable', 'capacity_exceeded'],
  ...['plugin_failed', 'file_not_found', 'path_outside_project'],
] as const;

export const gatewayStart = defineOperation({
  id: 'gateway.start',
  summary: 'Start an instance',
  description:
    'Networks are resolved with the caller’s bench, and their channels must be open. If another instance already sends one of the messages on the same channel, the whole start is rejected and the error names that instance. Statistics are kept across starts.',
  parameters: { instance },
  result: GatewayInstance,
  errors: ['instance_not_found', 'instance_running', ...startErrors],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'start'], columns: { tasks: taskColumns } },
  http: { method: 'POST', path: '/api/v1/gateways/{instance}/start', success: 200 },
  examples: ['busbar gateway start --instance=coolant'],
});

export const gatewayStop = defineOperation({
  id: 'gateway.stop',
  summary: 'Stop an instance',
  description:
    'Waits up to one second for pending transmissions to complete; the rest are counted as unconfirmed. An instance that is not running is unchanged.',
  parameters: { instance },
  result: GatewayInstance,
  errors: ['instance_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'stop'], columns: { tasks: taskColumns } },
  http: { method: 'POST', path: '/api/v1/gateways/{instance}/stop', success: 200 },
  examples: ['busbar gateway stop --instance=coolant'],
});

export const gatewaySignals = defineOperation({
  id: 'gateway.signals',
  summary: 'Show the signals of an instance',
  description:
    'Results are paged, each page a consistent snapshot: repeat with offset set to signal_next_offset until it equals signal_total. Pages with the same snapshot_version show the same moment.',
  parameters: { instance, offset: offset('signal'), limit: limit('signal', gatewaySignalPage) },
  result: GatewaySignalPage,
  errors: ['instance_not_found'],
  permission: 'observe',
  execution,
  cli: {
    words: ['gateway', 'signals'],
    columns: [
      ...['id', 'type', 'producer', 'value', 'label', 'unit', 'valid', 'quality', 'observed_us'],
      ...['bindings'],
    ],
  },
  http: { method: 'GET', path: '/api/v1/gateways/{instance}/signals', success: 200 },
  examples: ['busbar gateway signals --instance=coolant --limit=20'],
});

export const gatewaySet = defineOperation({
  id: 'gateway.set',
  summary: 'Set the value of a software signal',
  description:
    'Only signals with producer software can be set. The value is an exact decimal number as a string; 0 or 1 for a bool, the number for an enum.',
  parameters: {
    instance,
    signal: Type.String({
      description: 'Signal ID',
      minLength: 1,
      maxLength: 512,
      examples: ['pump'],
    }),
    value: Type.String({
      description: 'Decimal value',
      minLength: 1,
      maxLength: 400,
      examples: ['55'],
    }),
  },
  result: GatewaySignal,
  errors: ['instance_not_found', 'instance_running', 'signal_not_found', 'signal_not_writable'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'set'] },
  http: {
    method: 'PUT',
    path: '/api/v1/gateways/{instance}/signals',
    success: 200,
    bodyName: 'GatewaySetRequest',
    bodyExamples: { short: { signal: 'pump', value: '55' }, full: { signal: 'pump', value: '55' } },
  },
  examples: ['busbar gateway set --instance=coolant --signal=pump --value=55'],
});

export const gatewayFaults = defineOperation({
  id: 'gateway.faults',
  summary: 'Show the fault rules of an instance',
  description:
    'Results are paged: repeat with offset set to fault_next_offset until it equals fault_total. fired counts since the start, or since the rule was enabled.',
  parameters: { instance, offset: offset('rule'), limit: limit('rule', gatewaySignalPage) },
  result: GatewayFaultPage,
  errors: ['instance_not_found'],
  permission: 'observe',
  execution,
  cli: {
    words: ['gateway', 'faults'],
    columns: {
      faults: [
        ...['id', 'task', 'enabled', 'kind', 'start', 'every', 'count', 'byte_offset', 'mask'],
        ...['value', 'fired'],
      ],
    },
  },
  http: { method: 'GET', path: '/api/v1/gateways/{instance}/faults', success: 200 },
  examples: ['busbar gateway faults --instance=coolant'],
});

export const gatewayFault = defineOperation({
  id: 'gateway.fault',
  summary: 'Enable or disable a fault rule',
  description:
    'Works while the instance is running. An enabled rule counts its opportunities from that moment. Saving the project keeps the setting.',
  parameters: {
    instance,
    rule: Type.String({
      description: 'Fault rule ID; a rule named events can only be switched from the command line',
      minLength: 1,
      maxLength: 512,
      examples: ['corrupt_pump'],
      'x-reserved': ['events'],
    }),
    enabled: Type.Boolean({ description: 'Whether the rule is enabled', examples: [true] }),
  },
  result: GatewayFault,
  errors: ['instance_not_found', 'fault_rule_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'fault'] },
  http: {
    method: 'PUT',
    path: '/api/v1/gateways/{instance}/faults/{rule}',
    success: 200,
    bodyName: 'GatewayFaultRequest',
    bodyExamples: { short: { enabled: true }, full: { enabled: true } },
  },
  examples: ['busbar gateway fault --instance=coolant --rule=corrupt_pump --enabled=true'],
});

export const gatewayFaultEvents = defineOperation({
  id: 'gateway.fault-events',
  summary: 'Show the fault events of an instance',
  description: `Each event is one rule applied to one frame; rules that change the same frame share its event_id. The newest ${keptFaultEvents} events are retained, also across stop and start. Results are paged: repeat with after set to next_after. An after that has expired or lies in the future is rejected with cursor_expired: resume from oldest_available - 1.`,
  parameters: {
    instance,
    after: withDefault(
      Type.Integer({
        description: 'Sequence to resume after',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: limit('event', gatewaySignalPage),
  },
  result: GatewayFaultHistory,
  errors: ['instance_not_found', 'cursor_expired'],
  permission: 'observe',
  execution,
  cli: {
    words: ['gateway', 'fault-events'],
    columns: [
      ...['sequence', 'timestamp_us', 'rule', 'kind', 'effect', 'task', 'selector', 'id', 'data'],
      ...['event_id'],
    ],
  },
  http: { method: 'GET', path: '/api/v1/gateways/{instance}/faults/events', success: 200 },
  examples: ['busbar gateway fault-events --instance=coolant --limit=20'],
});

export const gatewaySave = defineOperation({
  id: 'gateway.save',
  summary: 'Save the project of an instance to a file',
  description:
    'The file contains the loaded project in normalized form, without values, times, counters or requests. It is written atomically. Without file, the project is saved to the file it was loaded from; overwrite=false rejects that. Only projects are overwritten; a new file must end in .gwproj.',
  parameters: {
    instance,
    file: Type.Optional(
      projectFile('File to write; default: the file that the instance was loaded from'),
    ),
    overwrite,
  },
  result: GatewayInstance,
  errors: ['instance_not_found', 'already_exists', 'busy', 'capacity_exceeded', ...fileErrors],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'save'], columns: { tasks: taskColumns } },
  http: {
    method: 'POST',
    path: '/api/v1/gateways/{instance}/save',
    success: 200,
    bodyName: 'GatewaySaveRequest',
    bodyExamples: { short: {}, full: { file: 'coolant-2.gwproj', overwrite: false } },
  },
  examples: ['busbar gateway save --instance=coolant --file=coolant-2.gwproj --overwrite=false'],
});

export const gatewayUnload = defineOperation({
  id: 'gateway.unload',
  summary: 'Unload a stopped instance',
  parameters: { instance },
  result: GatewayInstance,
  errors: ['instance_not_found', 'instance_running'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'unload'], columns: { tasks: taskColumns } },
  http: { method: 'DELETE', path: '/api/v1/gateways/{instance}', success: 200 },
  examples: ['busbar gateway unload --instance=coolant'],
});
