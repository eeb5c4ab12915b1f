import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { LatenessHistogram, type LatenessSummary } from '../../base/schedule/lateness-histogram.ts';

export interface LastError {
  readonly code: string;
  readonly message: string;
  readonly unix_us: number;
}

/** What a session has done so far, as clients see it. */
export interface SessionCounts {
  /** All that were taken up: the sum of the four below, and of those that still wait. */
  readonly requests: number;
  readonly responses: number;
  readonly exceptions: number;
  readonly timeouts: number;
  /** Ended by a broken link or protocol, or given up before they had the line. */
  readonly failures: number;
  /** Frames and bytes that were no answer, whether or not a request suffered from them. */
  readonly protocol_errors: number;
  /** Links made after one that was lost or given up; not after one that nobody needed any more. */
  readonly reconnects: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly last_error: LastError | null;
  /** From sending a request to its answer. */
  readonly round_trip: LatenessSummary;
}

export class SessionCounters {
  requests = 0;
  responses = 0;
  exceptions = 0;
  timeouts = 0;
  failures = 0;
  protocolErrors = 0;
  reconnects = 0;
  bytesIn = 0;
  bytesOut = 0;
  lastError: LastError | null = null;
  readonly roundTrip = new LatenessHistogram();

  remember({ code, message }: BusbarError, unixUs: number): void {
    this.lastError = { code, message, unix_us: unixUs };
  }

  snapshot(): SessionCounts {
    return {
      requests: this.requests,
      responses: this.responses,
      exceptions: this.exceptions,
      timeouts: this.timeouts,
      failures: this.failures,
      protocol_errors: this.protocolErrors,
      reconnects: this.reconnects,
      bytes_in: this.bytesIn,
      bytes_out: this.bytesOut,
      last_error: this.lastError,
      round_trip: this.roundTrip.summary(),
    };
  }
}
