export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Code that waits, measures or stamps is given one, so that a test
 * runs hours in milliseconds.
 */
export interface Clock {
  /** Microseconds since an arbitrary origin shared by all threads. Never decreases. */
  monotonicUs(): number;
  /** Unix time in microseconds, anchored to the monotonic clock once, so it never jumps. */
  unixUs(): number;
  /** Offset from monotonic to Unix microseconds. Constant. */
  readonly unixOffsetUs: number;
  /** Bracket of the anchor: twice the maximum error of Unix times. */
  readonly unixBracketUs?: number;
  /**
   * Calls back once after about `delayMs`. For time-outs and back-off only: it is up to a
   * millisecond late. Deadlines belong to the Scheduler (src/base/schedule).
   */
  after(delayMs: number, callback: () => void): Timer;
}
