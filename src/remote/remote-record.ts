import { type Static, Type } from 'typebox';
import { counted, named, nullable, recordCodes } from '../base/schema/schemas.ts';
import { type DatagramFlaw, datagramFlaws } from './datagram-reader.ts';

const remoteStates = ['idle', 'running', 'failed'] as const;
export type RemoteState = (typeof remoteStates)[number];

const RemoteFailure = Type.Object({
  reason: recordCodes('RemoteForwardingFailure', {
    socket_failed: 'The socket failed; the message has the reason of the system',
    channel_closed: 'All forwarded channels were closed',
  }),
  message: Type.String(),
});
export type RemoteFailure = Static<typeof RemoteFailure>;

const flawDescriptions: Readonly<Record<DatagramFlaw, string>> = {
  version: 'Another version of the format; dropped',
  opcode: 'No data, such as acknowledgements; dropped',
  truncated: 'Ended within the header or a frame; the frames before were taken',
  count: 'Held more or fewer frames than announced; those announced and there were taken',
};

const RemotePeerRecord = Type.Object({
  peer: Type.String({ description: 'Address and port' }),
  datagrams_sent: counted('Datagrams given to the system to send'),
  frames_sent: counted('Frames in them'),
  datagrams_received: counted('Datagrams from it, good or bad'),
  frames_received: counted('Frames in them that a bus can carry'),
  lost_datagrams: counted('Datagrams that its sequence numbers tell are missing'),
  reordered: counted('Datagrams that came after a later one; no longer counted as lost'),
  duplicates: counted('Datagrams with a number that had come already; taken all the same'),
  jumps: counted(
    'How often its numbers went on from one that had come already: it started anew, or 128 datagrams or more are missing',
  ),
  malformed: Type.Object(
    Object.fromEntries(datagramFlaws.map((flaw) => [flaw, counted(flawDescriptions[flaw])])),
    { description: 'Datagrams that are not as the format wants them' },
  ),
  invalid_frames: counted('Frames that no bus can carry; not sent'),
  error_frames: counted('Reports of bus errors; not sent'),
  last_received_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
});
export type RemotePeerRecord = Static<typeof RemotePeerRecord>;

const RemoteChannelRecord = Type.Object({
  selector: Type.String(),
  slot: Type.Integer({ minimum: 0 }),
  open: Type.Boolean({ description: 'Whether it still takes part; false once it was closed' }),
  sent: counted('Frames of peers that the channel accepted'),
  refused: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Frames of peers that the channel did not take, by reason',
  }),
  dropped: counted(
    'Frames of peers that others pushed out while they waited, or that waited when it ended',
  ),
  expired: counted('Frames of peers that had waited longer than max_age_ms'),
  queued: counted('Frames of peers that wait for room in the channel'),
});
export type RemoteChannelRecord = Static<typeof RemoteChannelRecord>;

/** Remote forwarding in the API, with the same fields in every state. */
export const RemoteRecord = named(
  'RemoteForwarding',
  Type.Object({
    state: Type.Enum([...remoteStates], {
      description: 'failed: it ended by itself, for the reason in error',
    }),
    listen: nullable(Type.String(), { description: 'Where datagrams are received and sent from' }),
    peers: Type.Array(RemotePeerRecord),
    channels: Type.Array(RemoteChannelRecord),
    max_age_ms: nullable(Type.Integer(), { description: 'null: no limit' }),
    buffer_us: nullable(Type.Integer(), { description: 'null while idle' }),
    frames_to_peers: counted('Frames received from buses and sent on, each counted once'),
    frames_from_peers: counted('Frames received from all peers together'),
    gaps: counted('How often events were lost before they could be sent on'),
    missed: counted('How many events that were'),
    expired: counted('Frames from buses that were older than max_age_ms when they would be sent'),
    strangers: counted('Datagrams from others than the peers; dropped'),
    overruns: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Datagrams of peers and others that the system had no room for; null while idle and where it does not tell',
    }),
    send_errors: counted('Datagrams that the system did not send'),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    error: nullable(RemoteFailure, { description: 'Why it ended by itself' }),
  }),
);
export type RemoteRecord = Static<typeof RemoteRecord>;

export const idleRecord: RemoteRecord = {
  state: 'idle',
  listen: null,
  peers: [],
  channels: [],
  max_age_ms: null,
  buffer_us: null,
  frames_to_peers: 0,
  frames_from_peers: 0,
  gaps: 0,
  missed: 0,
  expired: 0,
  strangers: 0,
  overruns: null,
  send_errors: 0,
  started_at_us: null,
  error: null,
};
