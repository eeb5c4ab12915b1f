/** Wakes its owner at an absolute time. */
export interface Alarm {
  /**
   * Called once an armed time has come, never from inside `arm`. The alarm is then unarmed until it is
   * armed again. It may ring too early, where the clock of the system is a fraction ahead of ours or
   * cannot count that far: the owner, which reads the clock anyway, arms it once more.
   */
  onRing: (() => void) | undefined;
  /** Rings at this monotonic microsecond; replaces an earlier time. */
  arm(atUs: number): void;
}
