import type { ErrorRecord } from '../../base/errors/busbar-error.ts';

export const jobStates = ['queued', 'running', 'succeeded', 'failed'] as const;

export type JobState = (typeof jobStates)[number];

/** A job as clients see it at one moment; it does not change afterwards. */
export interface JobRecord {
  readonly job_id: string;
  readonly kind: string;
  /** What it is done to, such as a device selector. */
  readonly target: string;
  readonly state: JobState;
  readonly created_at_us: number;
  readonly started_at_us: number | null;
  readonly finished_at_us: number | null;
  /** What the work answered, once it succeeded. */
  readonly result: unknown;
  /** Why it failed, once it did. */
  readonly error: ErrorRecord | null;
}

/** The work of a job. Time limits are its own business; it should end soon after the signal fires. */
export type JobWork = (signal: AbortSignal) => Promise<unknown>;
