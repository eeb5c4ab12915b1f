import type { TxTaskRecord } from './tx-task-record.ts';

export type TaskProgress = Pick<
  TxTaskRecord,
  'state' | 'offloaded' | 'sent' | 'failed' | 'missed' | 'lateness_us' | 'last_error'
>;

export interface TaskChange {
  readonly data?: Uint8Array | undefined;
  readonly periodUs?: number | undefined;
  readonly isEnabled?: boolean | undefined;
}

export interface TaskWork {
  /** Payload of the last frame, or of the next one after a change. */
  readonly data?: Uint8Array;
  readonly periodUs?: number;
  progress(): TaskProgress;
  /** Undefined for work that cannot change, such as that of a device. */
  change?(change: TaskChange): void;
  stop(): void;
  /** Restores a response that a replay can have replaced. */
  restore?(): void;
}
