import { type TProperties, type TSchema, Type } from 'typebox';
import { SimulationRecord } from '../gateway/simulation/simulation-record.ts';
import { lookupErrors } from './channel.ts';
import { withDefault } from './defaults.ts';
import { type CliShape, defineOperation, type Operation } from './define.ts';
import {
  gatewayLoad,
  gatewaySave,
  gatewaySet,
  gatewaySignals,
  gatewayStart,
  gatewayStatus,
  gatewayStop,
  gatewayUnload,
  taskColumns,
} from './gateway.ts';
import { gatewayTaskPage, simulationMessagePage } from './limits.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;

const ofGateways = { none: 'Over HTTP, project instances are /api/v1/gateways' } as const;
const commandsOnly = {
  none: 'Manifests are for the command line only; use projects over HTTP',
} as const;

const underSimulation = <P extends TProperties, R extends TSchema>(
  operation: Operation<P, R>,
): Operation<P, R> => {
  const { action, parameters, examples } = operation;
  return defineOperation<R, P>({
    ...operation,
    id: `simulation.${action}`,
    parameters: parameters.properties,
    cli: { ...(operation.cli as CliShape), words: ['simulation', action] },
    http: ofGateways,
    examples: examples.map((example) => example.replace('busbar gateway', 'busbar simulation')),
  });
};

export const simulationSignals = underSimulation(gatewaySignals);
export const simulationSet = underSimulation(gatewaySet);
export const simulationSave = underSimulation(gatewaySave);

const name = Type.String({
  description: 'Simulation name, from its manifest',
  minLength: 1,
  maxLength: 64,
  examples: ['restbus'],
});

const { instance } = gatewayStatus.parameters.properties;
const { file: projectFile, instance: newInstance } = gatewayLoad.parameters.properties;

const messageColumns = [
  ...['id', 'extended', 'data', 'period_ms', 'sent', 'failed', 'missed', 'max_lateness_us'],
  'last_error.code',
];
const simulationColumns = [
  ...['name', 'state', 'channel', 'resolved', 'file', 'message_total', 'sent', 'failed', 'missed'],
  'error.code',
];
const columns = { messages: messageColumns, tasks: taskColumns };

const SimulationList = Type.Object({ simulations: Type.Array(SimulationRecord) });

export const simulationLoad = defineOperation({
  id: 'simulation.load',
  summary: 'Load a simulation manifest, or a project as with gateway load',
  description:
    'A positional file is a manifest; the simulation takes its name. With --file or --instance it is a project, loaded as with gateway load. Both must be inside the project directory.',
  parameters: {
    manifest: Type.Optional(
      Type.String({
        description: 'Manifest to load',
        minLength: 1,
        maxLength: 4096,
        examples: ['restbus.json'],
      }),
    ),
    file: Type.Optional(projectFile),
    instance: newInstance,
  },
  result: Type.Union([SimulationRecord, gatewayLoad.result]),
  errors: gatewayLoad.errors,
  permission: 'operate',
  execution,
  cli: { words: ['simulation', 'load'], positionals: ['manifest'], columns },
  http: ofGateways,
  examples: [
    'busbar simulation load restbus.json',
    'busbar simulation load --file=coolant.gwproj --instance=second',
  ],
});

export const simulationList = defineOperation({
  id: 'simulation.list',
  summary: 'List the simulations loaded from manifests',
  result: SimulationList,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['simulation', 'list'], columns: simulationColumns },
  http: commandsOnly,
});

export const simulationStatus = defineOperation({
  id: 'simulation.status',
  summary: 'Show a simulation with its messages, or a project instance',
  description:
    'A positional name selects a simulation of a manifest; --instance names a project instance, as with gateway status. Without either, the simulations loaded from manifests are listed. Messages are paged: repeat with offset set to message_next_offset until it equals message_total.',
  parameters: {
    name: Type.Optional(name),
    instance,
    offset: withDefault(
      Type.Integer({
        description: 'Index of the first message or task',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: Type.Optional(
      Type.Integer({
        description: `Maximum number of messages, default ${simulationMessagePage.default}, at most ${simulationMessagePage.maximum}; for a project, of tasks, default ${gatewayTaskPage.default}, at most ${gatewayTaskPage.maximum}`,
        minimum: 1,
        maximum: gatewayTaskPage.maximum,
      }),
    ),
  },
  result: Type.Union([SimulationList, SimulationRecord, gatewayUnload.result]),
  errors: ['instance_not_found'],
  permission: 'observe',
  execution,
  cli: {
    words: ['simulation', 'status'],
    positionals: ['name'],
    columns: { simulations: simulationColumns, ...columns },
  },
  http: ofGateways,
  examples: [
    'busbar simulation status',
    'busbar simulation status restbus',
    'busbar simulation status --instance=coolant',
  ],
});

export const simulationStart = defineOperation({
  id: 'simulation.start',
  summary: 'Send the messages of a manifest cyclically, or start a project instance',
  description:
    'Each message of a manifest is sent immediately and then at multiples of its cycle time. The channel is resolved at each start. If another instance or simulation already sends one of the messages on that channel, the whole start is rejected. The simulation ends when it is stopped or its channel is closed. With --instance, this works like gateway start.',
  parameters: { name: Type.Optional(name), instance },
  result: Type.Union([SimulationRecord, gatewayStart.result]),
  errors: [
    ...new Set([
      ...lookupErrors.filter((code) => code !== 'channel_not_found'),
      ...gatewayStart.errors,
    ]),
  ],
  permission: 'operate',
  execution,
  cli: { words: ['simulation', 'start'], positionals: ['name'], columns },
  http: ofGateways,
  examples: ['busbar simulation start restbus', 'busbar simulation start --instance=coolant'],
});

export const simulationStop = defineOperation({
  id: 'simulation.stop',
  summary: 'Stop a simulation or a project instance',
  description: 'Its counters are kept and continue at the next start.',
  parameters: { name: Type.Optional(name), instance },
  result: Type.Union([SimulationRecord, gatewayStop.result]),
  errors: ['instance_not_found'],
  permission: 'operate',
  execution,
  cli: { words: ['simulation', 'stop'], positionals: ['name'], columns },
  http: ofGateways,
  examples: ['busbar simulation stop restbus', 'busbar simulation stop --instance=coolant'],
});

export const simulationUnload = defineOperation({
  id: 'simulation.unload',
  summary: 'Unload a stopped simulation or project instance',
  parameters: { name: Type.Optional(name), instance },
  result: Type.Union([SimulationRecord, gatewayUnload.result]),
  errors: ['instance_not_found', 'instance_running'],
  permission: 'operate',
  execution,
  cli: { words: ['simulation', 'unload'], positionals: ['name'], columns },
  http: ofGateways,
  examples: ['busbar simulation unload restbus', 'busbar simulation unload --instance=coolant'],
});
