import type { ErrorRecord } from '../../api/api-error.ts';
import type { DatabaseMessage, MessageEvent as FrameEvent } from '../../api/client.ts';
import type { DecodedSignal } from '../../codec/decode-message.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import type { SeenChannel } from '../../trace-core/channel-names.ts';
import type { ExportFormat } from '../../trace-core/export-trace.ts';
import type { FrameFilter } from '../../trace-core/frame-filter.ts';
import type { NameSources } from '../../trace-core/message-names.ts';
import type { GapNote } from '../../trace-core/stream-stats.ts';
import type { WindowFacts, WindowRequest } from '../../trace-core/trace-engine.ts';

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

export interface FoundEvent {
  readonly eventId: number;
  /** Serial of its row; null if it is not stored. */
  readonly serial: number | null;
  readonly error: ErrorRecord | null;
}

export interface WindowQuestion {
  readonly type: 'window';
  readonly number: number;
  readonly request: WindowRequest;
  readonly isImmediate: boolean;
  /** Returned with the rows; null if the request replaces a waiting one. */
  readonly buffer: ArrayBuffer | null;
}

interface DecodeRequest {
  readonly type: 'decode';
  readonly number: number;
  readonly message: DatabaseMessage;
  readonly data: Uint8Array;
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
  | WindowQuestion
  | DecodeRequest
  | { readonly type: 'filter'; readonly filter: FrameFilter }
  | { readonly type: 'names'; readonly sources: NameSources }
  | { readonly type: 'channels'; readonly seen: readonly SeenChannel[] }
  | { readonly type: 'dropped'; readonly events: readonly FrameEvent[] }
  | { readonly type: 'export'; readonly format: ExportFormat };

export interface WindowAnswer {
  readonly type: 'window';
  readonly number: number;
  readonly request: WindowRequest;
  readonly facts: WindowFacts;
  readonly buffer: ArrayBuffer;
}

export interface SavedTrace {
  readonly file: Blob;
  readonly written: number;
  readonly omitted: number;
  readonly omittedGaps: number;
}

interface ExportAnswer {
  readonly type: 'export';
  /** Null if the writer of the format could not be fetched. */
  readonly saved: SavedTrace | null;
}

interface DecodedAnswer {
  readonly type: 'decoded';
  readonly number: number;
  readonly signals: readonly DecodedSignal[];
}

export type TraceAnswer =
  | { readonly type: 'status'; readonly status: TraceStatus }
  | { readonly type: 'older'; readonly result: OlderResult }
  | { readonly type: 'found'; readonly found: FoundEvent }
  | WindowAnswer
  | DecodedAnswer
  | ExportAnswer;
