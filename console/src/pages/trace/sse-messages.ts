import type { StreamState } from '../../streams/keep-connected.ts';
import type { ErrorRecord } from './trace-messages.ts';

export type SseRequest =
  | { readonly type: 'start'; readonly token: string | null }
  | { readonly type: 'stop' };

export interface SseGap {
  /** The event before the gap. */
  readonly after: string | null;
  /** Unknown where ids start anew. */
  readonly oldest_available?: number;
  readonly newest_available?: number;
  /** NaN where ids start anew. */
  readonly missed: number;
}

export interface SseStatus {
  readonly state: StreamState;
  readonly error: ErrorRecord | null;
  readonly cursor: string | null;
  readonly received: number;
  readonly perSecond: number;
  readonly gaps: number;
  readonly missed: number;
  /** Gaps of which nobody knows how much they swallowed. */
  readonly uncounted: number;
  /** The newest last. */
  readonly gapNotes: readonly SseGap[];
  /** The last events as text, the newest last. */
  readonly lines: readonly string[];
}
