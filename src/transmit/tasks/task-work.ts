import type { TxTaskRecord } from './tx-task-record.ts';

/** What changes in the record of a task while it goes on. */
export type TaskProgress = Pick<
  TxTaskRecord,
  'state' | 'offloaded' | 'sent' | 'failed' | 'missed' | 'lateness_us' | 'last_error'
>;

/** What goes on for a task. */
export interface TaskWork {
  progress(): TaskProgress;
  /** Ends it for good. */
  stop(): void;
  /** Sets up again what a replay may have replaced for a while. */
  restore?(): void;
}
