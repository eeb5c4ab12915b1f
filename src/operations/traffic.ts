import { Type } from 'typebox';
import { ChannelTrafficRecord } from '../bench/channel-record.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const path = '/api/v1/traffic';

export const channelTraffic = defineOperation({
  id: 'channel.traffic',
  summary: 'Show how busy the open channels were in each second of the last minute',
  description:
    'A channel that was opened less than a minute ago, or closed and opened again, has fewer seconds to show.',
  parameters: {
    after_us: withDefault(
      Type.Integer({
        description: 'Only seconds that ended later than this Unix time in microseconds',
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
  summary: 'Follow how busy the open channels are as server-sent events',
  description:
    'An event traffic comes once a second and lists all open channels, as channel traffic does: the first one with the seconds that are kept, the others with those since the event before. A client that is slow gets the seconds that it missed with the next event, as far as they are kept.',
  result: Type.String({ description: 'A stream of events traffic' }),
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
