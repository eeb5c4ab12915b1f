import { Type } from 'typebox';
import { GatewayGraphPage } from '../gateway/graph/graph-record.ts';
import { instanceLimits } from '../gateway/instances/budget.ts';
import { GatewaySignal } from '../gateway/instances/instance-record.ts';
import { maxWatched } from '../gateway/watch/watch-parts.ts';
import { GatewayEvents, watchEvents, watchParts } from '../gateway/watch/watch-record.ts';
import { defineOperation } from './define.ts';
import { instance, limit, offset } from './gateway.ts';
import { gatewayGraphPage } from './limits.ts';
import { endFields } from './message-schemas.ts';

const execution = { place: 'client', daemon: 'required', streaming: false } as const;
const streamed = { ...execution, streaming: true } as const;

const whatChanges =
  'All signals are sent first, then those whose value, quality or bindings changed, up to twenty times a second. Intermediate changes are skipped: a slow client gets the latest state, never a backlog. Observing the same value again is not a change.';

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
  description: `A signals event contains the instance and its signals as GatewaySignal records. ${whatChanges} A status event contains the instance without its tasks, as GatewayInstance, once a second. With include, tasks, faults and observed events contain the records that changed: all of them first, then updates once a second. Tasks are GatewayTask records and faults GatewayFault records, the first ${maxWatched} of each. An observed event contains first, the index of a signal, and observed_us, the times of the last observation of that signal and the following ones, even if the value did not change. A fault_events event contains GatewayFaultEvent records by sequence: first the retained ones, then new ones up to twenty times a second; an event is sent again when its event_id is known. An end event says why an instance ended: it was unloaded, or the service shut_down. The stream ends with the last instance.`,
  parameters: {
    instance,
    also: Type.Optional(
      Type.Array(instance, {
        description: 'Additional instances to stream on the same connection',
        maxItems: instanceLimits.instances - 1,
        examples: [['heating']],
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum([...watchParts]), {
        description: 'Events to include in addition to signals and status',
        maxItems: watchParts.length,
        examples: [['tasks']],
      }),
    ),
  },
  result: Type.String({
    description: `Server-sent events: ${watchEvents.slice(0, -1).join(', ')} and ${watchEvents.at(-1)}`,
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
  summary: 'Show the signal flow of an instance, from endpoints to tasks',
  description:
    'Nodes first, then the edges between them. Results are paged: repeat with offset set to element_next_offset until it equals element_total. Edges point in the direction of the data flow.',
  parameters: { instance, offset: offset('element'), limit: limit('element', gatewayGraphPage) },
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
