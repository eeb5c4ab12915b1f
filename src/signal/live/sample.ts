import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { SignalSample } from './sample-record.ts';

/** One value of a signal, by its plan, which tells its own id where samples of several are given. */
export type Sample = Omit<SignalSample, 'plan_id'>;

/** What a client is told about the samples it can still get. */
export interface SampleBounds {
  /** The smallest sequence to be had; one above the newest if there is none. */
  readonly oldestAvailable: number;
  readonly newestAvailable: number;
}

export const samplesExpired = ({ oldestAvailable, newestAvailable }: SampleBounds): BusbarError =>
  new BusbarError('cursor_expired', {
    message: 'The samples behind this cursor are no longer kept',
    details: { oldest_available: oldestAvailable, newest_available: newestAvailable },
  });
