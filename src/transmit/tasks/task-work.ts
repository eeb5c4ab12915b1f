import type { LastError } from '../last-error.ts';

export const txTaskStates = ['running', 'finished'] as const;
/** `finished`: all frames of its count are sent. */
export type TxTaskState = (typeof txTaskStates)[number];

/** How late frames were handed over. */
export interface LatenessRecord {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface TaskProgress {
  readonly state: TxTaskState;
  /** The device does it by itself. */
  readonly offloaded: boolean;
  /** Frames that the channel took; null where the device does not tell. */
  readonly sent: number | null;
  /** Times when it did not. */
  readonly failed: number;
  /** Times that had passed before anything could be done. */
  readonly missed: number;
  /** Null where the device does not tell. */
  readonly lateness_us: LatenessRecord | null;
  readonly last_error: LastError | null;
}

/** What goes on for a task. */
export interface TaskWork {
  progress(): TaskProgress;
  /** Ends it for good. */
  stop(): void;
  /** Sets up again what a replay may have replaced for a while. */
  restore?(): void;
}
