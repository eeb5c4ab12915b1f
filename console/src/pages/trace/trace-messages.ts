import type { StreamState } from '../../streams/event-stream.ts';
import type { FrameFilter } from '../../trace-core/frame-filter.ts';
import type { NameSources } from '../../trace-core/message-names.ts';
import type { GapNote } from '../../trace-core/stream-account.ts';
import type { WindowFacts, WindowRequest } from '../../trace-core/trace-engine.ts';
import type { ExportFormat } from '../../trace-core/trace-writer.ts';

/** An ApiError on its way between threads. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** How the raw stream is, and what has come of it. */
export interface TraceStatus {
  readonly state: StreamState;
  readonly error: ErrorRecord | null;
  readonly cursor: number | null;
  readonly epoch: number | null;
  readonly received: number;
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

/** What the page asks of the worker. */
export type TraceRequest =
  | { readonly type: 'start'; readonly token: string | null }
  | { readonly type: 'stop' | 'renew' | 'clear' | 'older' | 'pause' | 'resume' }
  | {
      readonly type: 'window';
      readonly request: WindowRequest;
      /** What the page has; the same again needs no answer in full. */
      readonly revision: number;
      /** Comes back with the rows. */
      readonly buffer: ArrayBuffer;
    }
  | { readonly type: 'filter'; readonly filter: FrameFilter }
  | { readonly type: 'names'; readonly sources: NameSources }
  | { readonly type: 'channels'; readonly names: ReadonlyMap<number, string> }
  | { readonly type: 'export'; readonly format: ExportFormat };

export interface WindowAnswer {
  readonly type: 'window';
  readonly request: WindowRequest;
  /** Null if nothing has changed since the revision that was named. */
  readonly facts: WindowFacts | null;
  readonly revision: number;
  readonly buffer: ArrayBuffer;
}

export interface ExportAnswer {
  readonly type: 'export';
  readonly format: ExportFormat;
  readonly file: Blob;
  readonly written: number;
  readonly leftOut: number;
}

/** What the worker tells the page. */
export type TraceAnswer =
  | { readonly type: 'status'; readonly status: TraceStatus }
  | { readonly type: 'older'; readonly result: OlderResult }
  | WindowAnswer
  | ExportAnswer;
