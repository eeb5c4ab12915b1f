import { Type } from 'typebox';
import {
  defaultRemoteListen,
  maxForwardedChannels,
  maxPeers,
  remoteBufferUs,
  remoteMaxAgeMs,
} from '../remote/remote-forwarder.ts';
import { RemoteRecord } from '../remote/remote-record.ts';
import { lookupErrors } from './channel.ts';
import { withDefault } from './defaults.ts';
import { defineOperation } from './define.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;
const path = '/api/v1/remote-api';

const hostPort = { minLength: 1, maxLength: 300 };

export const remoteStart = defineOperation({
  id: 'remote.start',
  summary: 'Forward CAN frames to and from other machines over UDP',
  description:
    'Uses the cannelloni format, version 2: peers can be cannelloni or other Busbar daemons. Frames received on any of the channels are sent to every peer; frames from every peer are sent on every channel. Frames sent by this daemon are not forwarded, and frames of one peer are not relayed to other peers. Datagrams are neither authenticated nor encrypted; datagrams from addresses other than the peers’ are dropped.',
  parameters: {
    listen: withDefault(
      Type.String({
        description: 'Local host and port to receive on and send from; port 0 selects a free port',
        ...hostPort,
        examples: ['0.0.0.0:20000', '[::1]:0'],
      }),
      defaultRemoteListen,
    ),
    peer: Type.Array(Type.String(hostPort), {
      description: 'Host and port of each peer; host names are resolved once',
      minItems: 1,
      maxItems: maxPeers,
      examples: [['192.168.1.20:20000']],
    }),
    channels: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Open CAN channels to forward, by any selector',
      minItems: 1,
      maxItems: maxForwardedChannels,
      examples: [['SIM00001/0']],
    }),
    max_age_ms: Type.Optional(
      Type.Integer({
        description: 'Drop frames older than this, in both directions; default: no limit',
        minimum: remoteMaxAgeMs.minimum,
        maximum: remoteMaxAgeMs.maximum,
        examples: [500],
      }),
    ),
    buffer_us: withDefault(
      Type.Integer({
        description:
          'Batch window: how long frames are collected for one datagram; 0 sends each frame immediately. The default is never more than half of max_age_ms',
        minimum: 0,
        maximum: remoteBufferUs.maximum,
      }),
      remoteBufferUs.default,
    ),
  },
  result: RemoteRecord,
  errors: [
    ...lookupErrors,
    'channel_not_open',
    'already_running',
    'address_in_use',
    'listen_failed',
  ],
  permission: 'operate',
  execution,
  cli: { words: ['remote', 'start'], names: { channels: 'channel' } },
  http: {
    method: 'POST',
    path,
    success: 201,
    bodyName: 'RemoteStartRequest',
    bodyExamples: {
      short: { peer: ['192.168.1.20:20000'], channels: ['SIM00001/0'] },
      full: {
        listen: '0.0.0.0:0',
        peer: ['192.168.1.20:20000'],
        channels: ['SIM00001/0'],
        max_age_ms: 100,
        buffer_us: 2000,
      },
    },
  },
  examples: [
    'busbar remote start --peer=192.168.1.20:20000 --channel=SIM00001/0 --listen=0.0.0.0:20000',
    'busbar remote start --peer=127.0.0.1:20001 --channel=powertrain --max-age-ms=500',
  ],
});

export const remoteStatus = defineOperation({
  id: 'remote.status',
  summary: 'Show the state and counters of remote forwarding',
  result: RemoteRecord,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['remote', 'status'] },
  http: { method: 'GET', path, success: 200 },
});

export const remoteStop = defineOperation({
  id: 'remote.stop',
  summary: 'Stop remote forwarding and show its final counters',
  result: RemoteRecord,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['remote', 'stop'] },
  http: { method: 'DELETE', path, success: 200 },
});
