export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Code that waits or measures receives a Clock, so a test can run
 * hours in milliseconds.
 */
export interface Clock {
  /** Microseconds since an arbitrary origin that all threads share. Never decreases. */
  monotonicUs(): number;
  /** Unix time in microseconds. It is anchored to the monotonic clock once, so it never jumps. */
  unixUs(): number;
  readonly unixOffsetUs: number;
  readonly unixBracketUs?: number;
  /**
   * Calls back once after about `delayMs`, up to a millisecond late. Use it for timeouts and
   * backoff. Deadlines belong to the Scheduler (src/base/schedule).
   */
  after(delayMs: number, callback: () => void): Timer;
}
