import type { ErrorRecord } from '../api/api-error.ts';
import type { Followed } from './followed.ts';
import type { MonitorStatus } from './raw-monitor.ts';
import type { Piece } from './shared-stream.ts';
import type { WatchPiece } from './watched-state.ts';

/** What a page asks for, on a port of its own for each. */
export type StreamRequest =
  | {
      readonly type: 'samples';
      readonly token: string | null;
      readonly followed: Followed;
      readonly after: number | null;
    }
  | {
      readonly type: 'monitor';
      readonly token: string | null;
      /** What it has had so far. */
      readonly status: MonitorStatus;
    }
  | {
      readonly type: 'watch';
      readonly token: string | null;
      /** Name of a gateway instance. */
      readonly instance: string;
    }
  | {
      readonly type: 'report';
      readonly token: string | null;
      /** Of a stream that tells states, from the latest on. */
      readonly path: string;
    }
  /** Takes one of the slots for requests that may take long, for as long as the port is used. */
  | { readonly type: 'slot' };

/** What a page says on such a port from then on: that it has processed an answer, or wants no more. */
export type StreamReply = { readonly type: 'ack' } | { readonly type: 'leave' };

/** What the worker that has the connections answers. */
export type StreamAnswer =
  | { readonly type: 'open' }
  | ({ readonly type: 'piece' } & Piece)
  | { readonly type: 'status'; readonly status: MonitorStatus }
  | ({ readonly type: 'watched' } & WatchPiece)
  /** A sign of life. */
  | { readonly type: 'heartbeat' }
  | { readonly type: 'end'; readonly error: ErrorRecord | null };
