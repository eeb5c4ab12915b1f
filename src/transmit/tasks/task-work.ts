import { type Static, Type } from 'typebox';
import { counted } from '../../base/schema/schemas.ts';
import type { LastError } from '../last-error.ts';

export const txTaskStates = ['running', 'finished'] as const;
/** `finished`: all frames of its count are sent. */
export type TxTaskState = (typeof txTaskStates)[number];

/** How late frames were handed over. */
export const LatenessRecord = Type.Object({
  count: counted('Frames handed over'),
  p50: counted('Half of them were not later than this'),
  p99: counted('99 of 100 were not later than this'),
  max: counted('The latest'),
});
export type LatenessRecord = Static<typeof LatenessRecord>;

export interface TaskProgress {
  readonly state: TxTaskState;
  /** The device does it by itself. */
  readonly offloaded: boolean;
  /** Frames that the channel took; null where the device does not tell. */
  readonly sent: number | null;
  /** Times when it did not; null likewise. */
  readonly failed: number | null;
  /** Times that had passed before anything could be done; null likewise. */
  readonly missed: number | null;
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
