/** A pending one-shot timer. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Code that waits, measures or stamps takes one, so that a test can run
 * hours of it in milliseconds.
 */
export interface Clock {
  /** Microseconds since an arbitrary origin that all threads of the process share. Never goes back. */
  monotonicUs(): number;
  /** Unix time in microseconds, anchored to the monotonic clock once, so it never jumps either. */
  unixUs(): number;
  /** What to add to monotonic microseconds to have Unix ones. It never changes. */
  readonly unixOffsetUs: number;
  /** How exactly the anchor was measured: twice as far as Unix time may be off. */
  readonly unixBracketUs?: number;
  /**
   * Calls back once, about `delayMs` from now. For time-outs and back-off only: it is up to a
   * millisecond late. Deadlines belong to the Scheduler (src/base/schedule).
   */
  after(delayMs: number, callback: () => void): Timer;
}
