import type { TxTaskRecord } from './tx-task-record.ts';

export type TaskProgress = Pick<
  TxTaskRecord,
  'state' | 'offloaded' | 'sent' | 'failed' | 'missed' | 'lateness_us' | 'last_error'
>;

export interface TaskWork {
  progress(): TaskProgress;
  stop(): void;
  /** Restores a response that a replay can have replaced. */
  restore?(): void;
}
