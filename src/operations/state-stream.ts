import { Type } from 'typebox';
import { channelList, channelStats } from './channel.ts';
import { databaseList } from './database.ts';
import { defineOperation } from './define.ts';
import { deviceList } from './device.ts';
import { gatewayStatus } from './gateway.ts';
import { jobList } from './job.ts';
import { loggingStatus } from './logging.ts';
import { metrics } from './metrics.ts';
import { remoteStatus } from './remote-api.ts';
import { replayStatus } from './replay.ts';
import { routeList } from './route.ts';
import { signalList } from './signal.ts';
import { channelTraffic } from './traffic.ts';
import { txTaskList } from './tx-task.ts';

/** Operations whose answers can be followed. */
export const followedOperations = [
  channelList.id,
  channelStats.id,
  channelTraffic.id,
  deviceList.id,
  databaseList.id,
  signalList.id,
  jobList.id,
  txTaskList.id,
  routeList.id,
  loggingStatus.id,
  replayStatus.id,
  remoteStatus.id,
  gatewayStatus.id,
  metrics.id,
] as const;

export const stateStream = defineOperation({
  id: 'state.stream',
  summary: 'Follow what operations answer as server-sent events',
  description: `An event has the name of an operation and its answer: at once, and then whenever it is another, looked at once a second. Answers differ from those of the operations in this: channel.stats tells all open channels, as channels; signal.list tells as many plans as a page may have; channel.traffic goes on from the event before; gateway.status tells of each instance what health tells, as gateways: gateway.stream has the rest. Where an operation fails, its event has the error. What happened in between is not told: a client that is slow gets the latest answer, and never a backlog.`,
  parameters: {
    include: Type.Array(Type.Enum([...followedOperations]), {
      description: 'The operations',
      minItems: 1,
      maxItems: followedOperations.length,
      uniqueItems: true,
      examples: [[channelList.id, channelStats.id]],
    }),
  },
  result: Type.String({ description: 'A stream of events named after operations' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: true },
  cli: null,
  http: {
    method: 'GET',
    path: '/api/v1/state/stream',
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});
