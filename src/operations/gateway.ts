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

/** For operations that write a project. */
export const overwrite = withDefault(
  Type.Boolean({ description: 'Replace the file if it exists' }),
  true,
);

export const instance = Type.String({
  description: 'Name of an instance',
  minLength: 1,
  maxLength: 64,
  'x-reserved': reservedNames,
  examples: ['coolant'],
});

export const offset = (what: string) =>
  withDefault(
    Type.Integer({
      description: `First ${what} to show`,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    0,
  );

export const limit = (what: string, page: { readonly maximum: number; readonly default: number }) =>
  withDefault(
    Type.Integer({
      description: `Most ${what}s to show`,
      minimum: 1,
      maximum: page.maximum,
    }),
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
  summary: 'Look for problems of a gateway project',
  description:
    'Reports all of them at once, each with its table, row and field, and what to do about it. Needs no daemon and touches no bus. Over HTTP the file must lie inside the directory that the daemon was started in.',
  parameters: { file: projectFile('Project to look at') },
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
  http: { none: 'The schema is a file of the product as well' },
  examples: ['busbar gateway schema > gwproj.schema.json'],
});

export const gatewayLoad = defineOperation({
  id: 'gateway.load',
  summary: 'Load a gateway project into an instance',
  description:
    'The file must lie inside the directory that the daemon was started in. It is read and validated as a whole; the instance keeps what was read, whatever becomes of the file. Nothing is sent before it is started.',
  parameters: {
    file: projectFile('Project to load'),
    instance: Type.Optional(
      Type.String({
        description: `What to call the instance; the id of the project if left out, or else that of the bench. Reserved: ${pathWords.join(', ')}`,
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
    'Tasks come a page at a time: go on with offset set to task_next_offset until that is task_total. offset and limit are for one instance.',
  parameters: {
    instance: Type.Optional(instance),
    offset: offset('task'),
    limit: limit('task', gatewayTaskPage),
  },
  result: Type.Union([GatewayInstanceList, GatewayInstance]),
  errors: ['instance_not_found'],
  permission: 'observe',
  execution,
  cli: {
    words: ['gateway', 'status'],
    columns: { gateways: instanceColumns, tasks: taskColumns },
  },
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
    'Its networks are looked up in the bench of the caller, and the channels that they are bound to must be open. No two instances send the same message on one channel: then the whole start is refused, and the owner is named. Statistics go on over all starts of an instance.',
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
    'Waits up to a second for the outcomes of what is under way; what has none by then is unconfirmed. An instance that does not run stays as it is.',
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
    'A page at a time, each of one moment: go on with offset set to signal_next_offset until that is signal_total. Pages with the same snapshot_version belong to the same moment.',
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
  summary: 'Give a software signal a value',
  description:
    'Only signals of the producer software can be set. The value is exact: a decimal number in quotes, 0 or 1 for a bool, the number of an enum.',
  parameters: {
    instance,
    signal: Type.String({
      description: 'Id of the signal',
      minLength: 1,
      maxLength: 512,
      examples: ['pump'],
    }),
    value: Type.String({
      description: 'Value in decimal',
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
    bodyExamples: {
      short: { signal: 'pump', value: '55' },
      full: { signal: 'pump', value: '55' },
    },
  },
  examples: ['busbar gateway set --instance=coolant --signal=pump --value=55'],
});

export const gatewayFaults = defineOperation({
  id: 'gateway.faults',
  summary: 'Show the fault rules of an instance',
  description:
    'A page at a time: go on with offset set to fault_next_offset until that is fault_total. fired counts since the start, or since the rule was switched on.',
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
  summary: 'Switch a fault rule on or off',
  description:
    'Also while the instance runs. A rule that is switched on counts its opportunities from then. Saving keeps the switch.',
  parameters: {
    instance,
    rule: Type.String({
      description: 'Id of the rule; a rule called events can be switched on the command line only',
      minLength: 1,
      maxLength: 512,
      examples: ['corrupt_pump'],
      'x-reserved': ['events'],
    }),
    enabled: Type.Boolean({ description: 'Whether it is switched on', examples: [true] }),
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
  summary: 'Show what fault rules did to frames, a page at a time',
  description: `Each event is one rule and one frame: several rules that change the same frame have the same event_id. The newest ${keptFaultEvents} are kept, also over stop and start. Ask again with after set to next_after for the next page. An after whose events are no longer kept, or that lies in the future, is refused with cursor_expired: go on from oldest_available - 1.`,
  parameters: {
    instance,
    after: withDefault(
      Type.Integer({
        description: 'Sequence to continue after',
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
  summary: 'Write the project of an instance into a file',
  description:
    'The file holds what was loaded, in its normalized form: no values, times, counters or requests. It is written as a whole or not at all. Without file, save rewrites the one that the instance was loaded from; overwrite=false refuses that. Only projects are replaced; a new file must end in .gwproj.',
  parameters: {
    instance,
    file: Type.Optional(
      projectFile('File to write; the one that the instance was loaded from if left out'),
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
  summary: 'Unload an instance that does not run',
  parameters: { instance },
  result: GatewayInstance,
  errors: ['instance_not_found', 'instance_running'],
  permission: 'operate',
  execution,
  cli: { words: ['gateway', 'unload'], columns: { tasks: taskColumns } },
  http: { method: 'DELETE', path: '/api/v1/gateways/{instance}', success: 200 },
  examples: ['busbar gateway unload --instance=coolant'],
});
