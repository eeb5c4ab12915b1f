/** Wakes its owner at an absolute time. */
export interface Alarm {
  /**
   * Called when an armed time is reached, never from inside `arm`. The alarm is then unarmed.
   * It may ring too early, if the system clock is a fraction ahead of ours or cannot count that
   * far: the owner reads the clock anyway and arms it again.
   */
  onRing: (() => void) | undefined;
  /** Rings at this monotonic microsecond; replaces an earlier time. */
  arm(atUs: number): void;
}
