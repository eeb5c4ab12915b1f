import { BusbarError } from '../../base/errors/busbar-error.ts';

/** One value of a signal, as clients read it in JSON. */
export interface Sample {
  /** Its place among all samples of all plans. */
  readonly sequence: number;
  readonly signal: string;
  /** The physical value to the last digit; null for a float that is no finite number. */
  readonly value: string | null;
  readonly raw: string;
  readonly label: string | null;
  readonly unit: string;
  /** There is a physical value, and it is within the limits that the database gives, if any. */
  readonly valid: boolean;
  readonly timestamp_us: number;
  /** The event that brought it. */
  readonly event_id: number;
}

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
