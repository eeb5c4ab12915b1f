import { Type } from 'typebox';
import { channelList, channelStats } from './channel.ts';
import { databaseList } from './database.ts';
import { defineOperation } from './define.ts';
import { deviceList } from './device.ts';
import { isotpList } from './diagnostics.ts';
import { gatewayStatus } from './gateway.ts';
import { jobList } from './job.ts';
import { loggingStatus } from './logging.ts';
import { metrics } from './metrics.ts';
import { recorderList } from './recorder.ts';
import { remoteStatus } from './remote-api.ts';
import { replayStatus } from './replay.ts';
import { routeList } from './route.ts';
import { signalList } from './signal.ts';
import { channelTraffic } from './traffic.ts';
import { txTaskList } from './tx-task.ts';

export const followedOperations = [
  channelList.id,
  channelStats.id,
  channelTraffic.id,
  deviceList.id,
  databaseList.id,
  signalList.id,
  jobList.id,
  isotpList.id,
  txTaskList.id,
  routeList.id,
  loggingStatus.id,
  recorderList.id,
  replayStatus.id,
  remoteStatus.id,
  gatewayStatus.id,
  metrics.id,
] as const;

export const stateStream = defineOperation({
  id: 'state.stream',
  summary: 'Stream results of operations as server-sent events',
  description: `Each event is named after an operation and contains its result: immediately, and then on every change, checked once a second. Some results differ from those of the operations: channel.stats contains all open channels, as channels; signal.list contains one full page of plans; channel.traffic continues from the previous event; gateway.status contains each instance as in health, as gateways; gateway.stream has the rest. If an operation fails, its event contains the error. Intermediate changes are skipped: a slow client gets the latest result, never a backlog.`,
  parameters: {
    include: Type.Array(Type.Enum([...followedOperations]), {
      description: 'Operations to stream',
      minItems: 1,
      maxItems: followedOperations.length,
      uniqueItems: true,
      examples: [[channelList.id, channelStats.id]],
    }),
  },
  result: Type.String({ description: 'Server-sent events named after operations' }),
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
