import { Type } from 'typebox';
import { ChannelTrafficRecord } from '../bench/channel-record.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const path = '/api/v1/traffic';

export const channelTraffic = defineOperation({
  id: 'channel.traffic',
  summary: 'Show the bus load of the open channels for each second of the last minute',
  description: 'A channel opened or reopened less than a minute ago has fewer seconds.',
  parameters: {
    after_us: withDefault(
      Type.Integer({
        description: 'Only seconds that ended after this Unix time in microseconds',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      0,
    ),
  },
  result: Type.Object({ channels: Type.Array(ChannelTrafficRecord) }),
  errors: [],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['channel', 'traffic'] },
  http: { method: 'GET', path, success: 200 },
  examples: ['busbar channel traffic --format=json'],
});

export const channelTrafficStream = defineOperation({
  id: 'channel.traffic-stream',
  summary: 'Stream the bus load of the open channels as server-sent events',
  description:
    'A traffic event is sent once a second and lists all open channels, as channel traffic does: the first one with all retained seconds, the others with the seconds since the previous event. A slow client gets the seconds it missed with the next event, as far as they are retained.',
  result: Type.String({ description: 'Server-sent events: traffic' }),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: true },
  cli: null,
  http: {
    method: 'GET',
    path: `${path}/stream`,
    success: 200,
    mediaType: 'text/event-stream',
    transport: 'sse',
  },
});
