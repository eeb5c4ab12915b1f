export interface Alarm {
  /**
   * Called when an armed time is reached, never from inside `arm`. The alarm is then disarmed.
   * It can ring early if the system clock is slightly ahead or the time is out of its range.
   * The owner reads the clock and arms it again.
   */
  onRing: (() => void) | undefined;
  arm(atUs: number): void;
}
