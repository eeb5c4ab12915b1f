import { Type } from 'typebox';
import { GatewayGraphPage } from '../gateway/graph/graph-record.ts';
import { instanceLimits } from '../gateway/instances/budget.ts';
import { GatewaySignal } from '../gateway/instances/instance-record.ts';
import { mostWatched } from '../gateway/watch/watch-parts.ts';
import { GatewayEvents, watchEvents, watchParts } from '../gateway/watch/watch-record.ts';
import { defineOperation } from './define.ts';
import { instance, limit, offset } from './gateway.ts';
import { gatewayGraphPage } from './limits.ts';
import { endFields } from './message-schemas.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { ...execution, streaming: true } as const;

const whatChanges =
  'All signals come first, then those whose value, quality or bindings have changed, up to twenty times a second. What happened in between is not told: a client that is slow gets the latest state, and never a backlog. The same value observed once more is no change.';

export const gatewayWatch = defineOperation({
  id: 'gateway.watch',
  summary: 'Print the signals of an instance as they change',
  description: whatChanges,
  parameters: { instance, ...endFields('signals') },
  result: GatewaySignal,
  errors: ['instance_not_found'],
  permission: 'observe',
  execution: streamed,
  cli: { words: ['gateway', 'watch'] },
  http: { none: 'Served as a stream at /api/v1/gateways/{instance}/stream' },
  examples: ['busbar gateway watch --instance=coolant'],
});

export const gatewayStream = defineOperation({
  id: 'gateway.stream',
  summary: 'Follow the signals and the status of an instance as server-sent events',
  description: `An event signals has the instance and the signals, as GatewaySignal. ${whatChanges} An event status has the instance without its tasks, as GatewayInstance, once a second. With include, events tasks, faults and observed have records of these that have changed, all of them first and then once a second: tasks as GatewayTask and faults as GatewayFault, the first ${mostWatched} of each; observed has objects with the place of a signal as first and, from there on, as observed_us when each was last observed, also where its value stayed the same. Events fault_events have those of fault rules, as GatewayFaultEvent by sequence: first those that are kept, then new ones up to twenty times a second, and an event again once its event_id is known. An event end tells why nothing more comes of its instance: it was unloaded, or the service shut_down; the stream ends with the last one.`,
  parameters: {
    instance,
    also: Type.Optional(
      Type.Array(instance, {
        description: 'Further instances to follow on the same connection',
        maxItems: instanceLimits.instances - 1,
        examples: [['heating']],
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum([...watchParts]), {
        description: 'What to tell beside signals and status',
        maxItems: watchParts.length,
        examples: [['tasks']],
      }),
    ),
  },
  result: Type.String({
    description: `A stream of events ${watchEvents.slice(0, -1).join(', ')} and ${watchEvents.at(-1)}`,
  }),
  errors: ['instance_not_found'],
  permission: 'observe',
  execution: streamed,
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/gateways/{instance}/stream',
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
    events: GatewayEvents,
  },
});

export const gatewayGraph = defineOperation({
  id: 'gateway.graph',
  summary: 'Show how values go through an instance, from endpoints to tasks',
  description:
    'Nodes first, then the edges between them, a page at a time: go on with offset set to element_next_offset until that is element_total. Edges point to where values go.',
  parameters: {
    instance,
    offset: offset('element'),
    limit: limit('element', gatewayGraphPage),
  },
  result: GatewayGraphPage,
  errors: ['instance_not_found', 'capacity_exceeded'],
  permission: 'observe',
  execution,
  cli: {
    words: ['gateway', 'graph'],
    columns: ['group', 'id', 'endpoint', 'source', 'target', 'binding'],
  },
  http: { method: 'GET', path: '/api/v1/gateways/{instance}/graph', success: 200 },
  examples: ['busbar gateway graph --instance=coolant'],
});
