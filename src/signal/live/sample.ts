import type { SignalSample } from './sample-record.ts';

/** One value of a signal, by its plan, which tells its own id where samples of several are given. */
export type Sample = Omit<SignalSample, 'plan_id'>;

/** What a client is told about the samples it can still get. */
export interface SampleBounds {
  /** The smallest sequence to be had; one above the newest if there is none. */
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}
