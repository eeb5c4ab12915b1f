import { DurationHistogram } from '../../base/durations/duration-histogram.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { durationRecord } from '../../base/schedule/duration-record.ts';
import type { LastError, SessionCounts } from './session-record.ts';

const zeroCounts = (): SessionCounts => ({
  requests: 0,
  responses: 0,
  exceptions: 0,
  timeouts: 0,
  failures: 0,
  protocol_errors: 0,
  reconnects: 0,
  bytes_in: 0,
  bytes_out: 0,
});

export class SessionCounters {
  readonly counts = zeroCounts();
  readonly roundTrip = new DurationHistogram();
  #lastError: LastError | null = null;

  remember({ code, message }: BusbarError, unixUs: number): void {
    this.#lastError = { code, message, timestamp_us: Math.floor(unixUs) };
  }

  record() {
    return {
      ...this.counts,
      round_trip_us: durationRecord(this.roundTrip.summary()),
      last_error: this.#lastError,
    };
  }
}
