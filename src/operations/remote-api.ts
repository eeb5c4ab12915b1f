import { Type } from 'typebox';
import { named, nullable } from '../base/json/schemas.ts';
import { datagramFlaws } from '../remote/datagram-reader.ts';
import {
  defaultRemoteListen,
  mostForwardedChannels,
  mostPeers,
  remoteBufferUs,
  remoteMaxAgeMs,
} from '../remote/remote-limits.ts';
import { remoteFailures, remoteStates } from '../remote/remote-record.ts';
import { lookupErrors } from './channel.ts';
import { defineOperation } from './define.ts';

const execution = { place: 'bench', daemon: 'required', streaming: false } as const;
const path = '/api/v1/remote-api';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const flawDescriptions: Readonly<Record<(typeof datagramFlaws)[number], string>> = {
  version: 'Another version of the format; dropped',
  opcode: 'No data, such as acknowledgements; dropped',
  truncated: 'Ended within the header or a frame; the frames before were taken',
  count: 'Held more or fewer frames than announced; those announced and there were taken',
};

const RemotePeer = Type.Object({
  peer: Type.String({ description: 'Address and port' }),
  datagrams_sent: count('Datagrams given to the system to send'),
  frames_sent: count('Frames in them'),
  datagrams_received: count('Datagrams from it, good or bad'),
  frames_received: count('Frames in them that a bus can carry'),
  lost_datagrams: count('Datagrams that its sequence numbers tell are missing'),
  reordered: count('Datagrams that came after a later one; no longer counted as lost'),
  duplicates: count('Datagrams with a number that had come already; taken all the same'),
  jumps: count(
    'How often its numbers went on from one that had come already: it started anew, or 128 datagrams or more are missing',
  ),
  malformed: Type.Object(
    Object.fromEntries(datagramFlaws.map((flaw) => [flaw, count(flawDescriptions[flaw])])),
    { description: 'Datagrams that are not as the format wants them' },
  ),
  invalid_frames: count('Frames that no bus can carry; not sent'),
  error_frames: count('Reports of bus errors; not sent'),
  last_received_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
});

const RemoteChannel = Type.Object({
  selector: Type.String(),
  slot: Type.Integer({ minimum: 0 }),
  open: Type.Boolean({ description: 'Whether it still takes part; false once it was closed' }),
  sent: count('Frames of peers that the channel accepted'),
  refused: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Frames of peers that the channel did not take, by reason',
  }),
  dropped: count(
    'Frames of peers that others pushed out while they waited, or that waited when it ended',
  ),
  expired: count('Frames of peers that had waited longer than max_age_ms'),
  queued: count('Frames of peers that wait for room in the channel'),
});

/** Remote forwarding, with the same fields whether it runs or not. */
export const RemoteForwarding = named(
  'RemoteForwarding',
  Type.Object({
    state: Type.Enum([...remoteStates], {
      description: 'failed: it ended by itself, for the reason in error',
    }),
    listen: nullable(Type.String(), { description: 'Where datagrams are received and sent from' }),
    peers: Type.Array(RemotePeer),
    channels: Type.Array(RemoteChannel),
    max_age_ms: nullable(Type.Integer(), { description: 'null: no limit' }),
    buffer_us: nullable(Type.Integer(), { description: 'null while idle' }),
    frames_to_peers: count('Frames received from buses and sent on, each counted once'),
    frames_from_peers: count('Frames received from all peers together'),
    gaps: count('How often events were lost before they could be sent on'),
    missed: count('How many events that were'),
    expired: count('Frames from buses that were older than max_age_ms when they would be sent'),
    strangers: count('Datagrams from others than the peers; dropped'),
    overruns: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Datagrams of peers and others that the system had no room for; null while idle and where it does not tell',
    }),
    send_errors: count('Datagrams that the system did not send'),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    error: nullable(
      Type.Object({ reason: Type.Enum([...remoteFailures]), message: Type.String() }),
      { description: 'Why it ended by itself' },
    ),
  }),
);

const hostPort = { minLength: 1, maxLength: 300 };

export const remoteStart = defineOperation({
  id: 'remote.start',
  summary: 'Forward CAN frames to and from other machines over UDP',
  description:
    'Speaks the cannelloni format, version 2, so that cannelloni and other Busbars can be peers. Frames received on any of the channels go to every peer, and frames of every peer go onto every channel. What this daemon itself sends is not forwarded, and peers’ frames are not relayed to other peers. Datagrams are neither authenticated nor encrypted; those from other addresses than the peers’ are dropped.',
  parameters: {
    listen: Type.Optional(
      Type.String({
        description: 'Host and port to receive on and send from; port 0 takes a free one',
        ...hostPort,
        default: defaultRemoteListen,
        examples: ['0.0.0.0:20000', '[::1]:0'],
      }),
    ),
    peer: Type.Array(Type.String(hostPort), {
      description: 'Host and port of every peer; names are resolved once',
      minItems: 1,
      maxItems: mostPeers,
      examples: [['192.168.1.20:20000']],
    }),
    channels: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Open CAN channels to forward, by any selector',
      minItems: 1,
      maxItems: mostForwardedChannels,
      examples: [['SIM00001/0']],
    }),
    max_age_ms: Type.Optional(
      Type.Integer({
        description: 'Frames older than this are sent in neither direction; no limit if left out',
        minimum: remoteMaxAgeMs.minimum,
        maximum: remoteMaxAgeMs.maximum,
        examples: [500],
      }),
    ),
    buffer_us: Type.Optional(
      Type.Integer({
        description:
          'How long frames are collected for a datagram; 0 sends each as soon as can be. Left out, it is no more than half of max_age_ms',
        minimum: 0,
        maximum: remoteBufferUs.maximum,
        default: remoteBufferUs.default,
      }),
    ),
  },
  result: RemoteForwarding,
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
  summary: 'Show what remote forwarding does and has done',
  result: RemoteForwarding,
  errors: [],
  permission: 'observe',
  execution,
  cli: { words: ['remote', 'status'] },
  http: { method: 'GET', path, success: 200 },
});

export const remoteStop = defineOperation({
  id: 'remote.stop',
  summary: 'Stop remote forwarding and show what it has done',
  result: RemoteForwarding,
  errors: [],
  permission: 'operate',
  execution,
  cli: { words: ['remote', 'stop'] },
  http: { method: 'DELETE', path, success: 200 },
});
