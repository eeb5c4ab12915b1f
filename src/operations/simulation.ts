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

const ofGateways = { none: 'Instances of projects are the resources of /api/v1/gateways' } as const;
const commandsOnly = { none: 'Manifests are for the command line; projects have HTTP' } as const;

/** An operation of gateways under the words of simulations: the same service, declared once. */
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
  description: 'Name of the simulation of a manifest',
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
  summary: 'Load a manifest of messages, or a project as gateway load does',
  description:
    'A file by position is a manifest, whose name the simulation gets. With --file, or with --instance, it is a project, and all is as with gateway load. Either must lie inside the directory that the daemon was started in.',
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
  summary: 'List the simulations of manifests',
  result: SimulationList,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['simulation', 'list'], columns: simulationColumns },
  http: commandsOnly,
});

export const simulationStatus = defineOperation({
  id: 'simulation.status',
  summary: 'Show the simulation of a manifest with its messages, or the instance of a project',
  description:
    'A name by position is that of a manifest, one in --instance that of a project, as with gateway status. Without either, the simulations of manifests are listed. Messages come a page at a time: go on with offset set to message_next_offset until that is message_total.',
  parameters: {
    name: Type.Optional(name),
    instance,
    offset: withDefault(
      Type.Integer({
        description: 'First message or task to show',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
    limit: Type.Optional(
      Type.Integer({
        description: `Most messages to show, ${simulationMessagePage.default} if left out and at most ${simulationMessagePage.maximum}; of a project most tasks, ${gatewayTaskPage.default} and at most ${gatewayTaskPage.maximum}`,
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
  summary: 'Send the messages of a manifest periodically, or start the instance of a project',
  description:
    'Each message of a manifest goes out at once and then on the grid of its period. The channel of the manifest is looked up at each start. A message that another instance or simulation sends on the same channel refuses the whole start. It ends when it is stopped or its channel is closed. With --instance all is as with gateway start.',
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
  summary: 'Stop the simulation of a manifest, or the instance of a project',
  description: 'Its counters stay, and go on when it is started again.',
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
  summary: 'Unload the simulation of a manifest, or the instance of a project, that does not run',
  parameters: { name: Type.Optional(name), instance },
  result: Type.Union([SimulationRecord, gatewayUnload.result]),
  errors: ['instance_not_found', 'instance_running'],
  permission: 'operate',
  execution,
  cli: { words: ['simulation', 'unload'], positionals: ['name'], columns },
  http: ofGateways,
  examples: ['busbar simulation unload restbus', 'busbar simulation unload --instance=coolant'],
});
