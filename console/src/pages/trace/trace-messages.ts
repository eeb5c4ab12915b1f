import type { ErrorRecord } from '../../api/api-error.ts';
import type { MessageEvent as FrameEvent } from '../../api/client.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import type { FoundEvent } from '../../trace-core/row-client.ts';
import type { RowAnswer, RowRequest } from '../../trace-core/row-messages.ts';
import type { GapNote } from '../../trace-core/stream-stats.ts';

export interface TraceStatus {
  readonly state: StreamState;
  readonly error: ErrorRecord | null;
  readonly cursor: number | null;
  readonly epoch: number | null;
  readonly received: number;
  readonly newestUs: number | null;
  readonly perSecond: number;
  readonly kept: number;
  readonly duplicates: number;
  readonly malformed: number;
  /** Frames that end-to-end checks of gateways marked. */
  readonly failedChecks: number;
  readonly connections: number;
  readonly gaps: number;
  readonly missing: number;
  readonly uncounted: number;
  readonly gapNotes: readonly GapNote[];
  readonly unlisted: number;
}

export interface OlderResult {
  readonly added: number;
  /** `history`: no older frames; `room`: the limit is reached. */
  readonly end: 'history' | 'room' | null;
  readonly error: ErrorRecord | null;
}

export type TraceRequest =
  | { readonly type: 'start'; readonly token: string | null }
  | {
      readonly type: 'older';
      readonly token: string | null;
      readonly channels: readonly string[] | null;
    }
  | { readonly type: 'find'; readonly token: string | null; readonly eventId: number }
  | { readonly type: 'stop' | 'renew' | 'clear' | 'pause' | 'resume' }
  | { readonly type: 'dropped'; readonly events: readonly FrameEvent[] }
  | RowRequest;

export type TraceAnswer =
  | { readonly type: 'status'; readonly status: TraceStatus }
  | { readonly type: 'older'; readonly result: OlderResult }
  | { readonly type: 'found'; readonly found: FoundEvent }
  | RowAnswer;
