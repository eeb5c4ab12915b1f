import type { ErrorRecord } from '../api/api-error.ts';
import type { Followed } from './followed.ts';
import type { MonitorStatus } from './raw-monitor.ts';
import type { Piece } from './shared-stream.ts';
import type { WatchPiece } from './watched-state.ts';

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
      readonly status: MonitorStatus;
    }
  | {
      readonly type: 'watch';
      readonly token: string | null;
      readonly instance: string;
    }
  | {
      readonly type: 'report';
      readonly token: string | null;
      readonly path: string;
    }
  | { readonly type: 'slot' };

/** Later messages of a page: it processed an answer, or needs no more. */
export type StreamReply = { readonly type: 'ack' } | { readonly type: 'leave' };

export type StreamAnswer =
  | { readonly type: 'open' }
  | ({ readonly type: 'piece' } & Piece)
  | { readonly type: 'status'; readonly status: MonitorStatus }
  | ({ readonly type: 'watched' } & WatchPiece)
  | { readonly type: 'heartbeat' }
  | { readonly type: 'end'; readonly error: ErrorRecord | null };
