import { type Static, Type } from 'typebox';
import { counted, named, nullable, recordCodes } from '../base/schema/schemas.ts';
import { type DatagramError, datagramErrors } from './datagram-reader.ts';

const remoteStates = ['idle', 'running', 'failed'] as const;
export type RemoteState = (typeof remoteStates)[number];

const RemoteFailure = Type.Object({
  reason: recordCodes('RemoteForwardingFailure', {
    socket_failed: 'Socket error; the message contains the system’s reason',
    channel_closed: 'All forwarded channels were closed',
  }),
  message: Type.String(),
});
export type RemoteFailure = Static<typeof RemoteFailure>;

const errorDescriptions: Readonly<Record<DatagramError, string>> = {
  version: 'Unsupported format version; dropped',
  opcode: 'No data, such as acknowledgements; dropped',
  truncated: 'Truncated in the header or a frame; complete frames were accepted',
  count: 'Wrong frame count; the announced frames that were present were accepted',
};

const RemotePeerRecord = Type.Object({
  peer: Type.String({ description: 'Address and port' }),
  datagrams_sent: counted('Datagrams passed to the system'),
  frames_sent: counted('Frames in those datagrams'),
  datagrams_received: counted('Datagrams received from the peer, valid or not'),
  frames_received: counted('Valid frames in those datagrams'),
  lost_datagrams: counted('Datagrams lost, according to the sequence numbers'),
  reordered: counted('Datagrams that arrived after a later one; not counted as lost'),
  duplicates: counted('Datagrams with a repeated sequence number; accepted'),
  jumps: counted(
    'Restarts of the sequence numbers: the peer was restarted, or at least 128 datagrams were lost',
  ),
  malformed: Type.Object(
    Object.fromEntries(datagramErrors.map((error) => [error, counted(errorDescriptions[error])])),
    { description: 'Malformed datagrams' },
  ),
  invalid_frames: counted('Frames that no bus can carry; not sent'),
  error_frames: counted('Bus error reports; not sent'),
  last_received_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
});
export type RemotePeerRecord = Static<typeof RemotePeerRecord>;

const RemoteChannelRecord = Type.Object({
  selector: Type.String(),
  slot: Type.Integer({ minimum: 0 }),
  open: Type.Boolean({
    description: 'Whether the channel is still forwarded; false after it was closed',
  }),
  sent: counted('Frames from peers accepted by the channel'),
  refused: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Frames from peers rejected by the channel, by reason',
  }),
  dropped: counted('Frames from peers dropped because the queue was full or forwarding ended'),
  expired: counted('Frames from peers dropped because they were older than max_age_ms'),
  queued: counted('Frames from peers waiting for space in the channel'),
});
export type RemoteChannelRecord = Static<typeof RemoteChannelRecord>;

export const RemoteRecord = named(
  'RemoteForwarding',
  Type.Object({
    state: Type.Enum([...remoteStates], {
      description: 'failed: forwarding ended because of error',
    }),
    listen: nullable(Type.String(), { description: 'Local address and port' }),
    peers: Type.Array(RemotePeerRecord),
    channels: Type.Array(RemoteChannelRecord),
    max_age_ms: nullable(Type.Integer(), { description: 'null: no limit' }),
    buffer_us: nullable(Type.Integer(), { description: 'null while idle' }),
    frames_to_peers: counted('Frames received from buses and forwarded, each counted once'),
    frames_from_peers: counted('Frames received from all peers'),
    gaps: counted('Number of times that events were lost before forwarding'),
    missed: counted('Events lost before forwarding'),
    expired: counted('Frames from buses dropped because they were older than max_age_ms'),
    strangers: counted('Datagrams dropped because they came from other addresses'),
    overruns: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Datagrams dropped by the system because its receive buffer was full; null while idle or if unknown',
    }),
    send_errors: counted('Datagrams that the system could not send'),
    started_at_us: nullable(Type.Integer(), { description: 'Unix time in microseconds' }),
    error: nullable(RemoteFailure, { description: 'Reason why forwarding ended on its own' }),
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
