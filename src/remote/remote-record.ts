import type { DatagramFlaw } from './datagram-reader.ts';

export const remoteStates = ['idle', 'running', 'failed'] as const;
export type RemoteState = (typeof remoteStates)[number];

export const remoteFailures = ['socket_failed', 'channel_closed'] as const;

/** Why forwarding ended by itself. */
export interface RemoteFailure {
  readonly reason: (typeof remoteFailures)[number];
  readonly message: string;
}

export interface RemotePeerRecord {
  readonly peer: string;
  readonly datagrams_sent: number;
  readonly frames_sent: number;
  readonly datagrams_received: number;
  readonly frames_received: number;
  readonly lost_datagrams: number;
  readonly reordered: number;
  readonly duplicates: number;
  readonly jumps: number;
  readonly malformed: Readonly<Record<DatagramFlaw, number>>;
  readonly invalid_frames: number;
  readonly error_frames: number;
  readonly last_received_at_us: number | null;
}

export interface RemoteChannelRecord {
  readonly selector: string;
  readonly slot: number;
  readonly open: boolean;
  readonly sent: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly dropped: number;
  readonly expired: number;
  readonly queued: number;
}

/** Remote forwarding as clients see it, with the same fields whether it runs or not. */
export interface RemoteRecord {
  readonly state: RemoteState;
  readonly listen: string | null;
  readonly peers: readonly RemotePeerRecord[];
  readonly channels: readonly RemoteChannelRecord[];
  readonly max_age_ms: number | null;
  readonly buffer_us: number | null;
  readonly frames_to_peers: number;
  readonly frames_from_peers: number;
  readonly gaps: number;
  readonly missed: number;
  readonly expired: number;
  readonly strangers: number;
  readonly overruns: number | null;
  readonly send_errors: number;
  readonly started_at_us: number | null;
  readonly error: RemoteFailure | null;
}

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
