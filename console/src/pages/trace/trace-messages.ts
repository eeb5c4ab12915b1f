import type { ErrorRecord } from '../../api/api-error.ts';
import type { DatabaseMessage, MessageEvent as FrameEvent } from '../../api/client.ts';
import type { DecodedSignal } from '../../codec/decode-message.ts';
import type { StreamState } from '../../streams/keep-connected.ts';
import type { SeenChannel } from '../../trace-core/channel-names.ts';
import type { ExportFormat } from '../../trace-core/export-trace.ts';
import type { FrameFilter } from '../../trace-core/frame-filter.ts';
import type { NameSources } from '../../trace-core/message-names.ts';
import type { GapNote } from '../../trace-core/stream-account.ts';
import type { WindowFacts, WindowRequest } from '../../trace-core/trace-engine.ts';

/** How the raw stream is, and what has come of it. */
export interface TraceStatus {
  readonly state: StreamState;
  readonly error: ErrorRecord | null;
  readonly cursor: number | null;
  readonly epoch: number | null;
  readonly received: number;
  /** When the last frame was heard of those that came since the status before; null if none did. */
  readonly newestUs: number | null;
  readonly perSecond: number;
  readonly kept: number;
  readonly duplicates: number;
  readonly malformed: number;
  readonly connections: number;
  readonly gaps: number;
  readonly missing: number;
  readonly uncounted: number;
  /** The newest gaps, the last at the end. */
  readonly gapNotes: readonly GapNote[];
  readonly unlisted: number;
}

/** What loading older frames came to. */
export interface OlderResult {
  readonly added: number;
  /** Nothing older is kept, or nothing more fits. */
  readonly end: 'history' | 'room' | null;
  readonly error: ErrorRecord | null;
}

/** Asks for rows. The answer comes when there is something new to see. */
export interface WindowQuestion {
  readonly type: 'window';
  /** Comes back with the answer. */
  readonly number: number;
  readonly request: WindowRequest;
  /** Whether it cannot wait, because other rows are wanted than those that the page has. */
  readonly isAtOnce: boolean;
  /** Comes back with the rows. Null in place of a question that waits already. */
  readonly buffer: ArrayBuffer | null;
}

/** Asks for the signals of one frame. */
interface DecodeQuestion {
  readonly type: 'decode';
  /** Comes back with the answer. */
  readonly number: number;
  readonly message: DatabaseMessage;
  readonly data: Uint8Array;
}

/** What the page asks of the worker. */
export type TraceRequest =
  | { readonly type: 'start'; readonly token: string | null }
  | {
      readonly type: 'older';
      readonly token: string | null;
      /** Those that the filter lets through and that are open; null for all. */
      readonly channels: readonly string[] | null;
    }
  | { readonly type: 'stop' | 'renew' | 'clear' | 'pause' | 'resume' }
  | WindowQuestion
  | DecodeQuestion
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

export interface ExportAnswer {
  readonly type: 'export';
  readonly format: ExportFormat;
  readonly file: Blob;
  readonly written: number;
  /** Frames and gaps that the format has no words for. */
  readonly leftOut: number;
  readonly gapsLeftOut: number;
}

interface DecodedAnswer {
  readonly type: 'decoded';
  readonly number: number;
  readonly signals: readonly DecodedSignal[];
}

/** What the worker tells the page. */
export type TraceAnswer =
  | { readonly type: 'status'; readonly status: TraceStatus }
  | { readonly type: 'older'; readonly result: OlderResult }
  | WindowAnswer
  | DecodedAnswer
  | ExportAnswer;
