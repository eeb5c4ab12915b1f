/** Something that can wake its one owner at an absolute time. */
export interface Alarm {
  /**
   * Called once an armed time has come, never before it and never from inside `arm`. The alarm is
   * then unarmed until it is armed again.
   */
  onRing: (() => void) | undefined;
  /** Rings at this monotonic microsecond, in place of whatever time was armed before. */
  arm(atUs: number): void;
}
