import type { OpenSystemTimer, SystemTimer } from '../native/system-timer.ts';
import type { Alarm } from './alarm.ts';

/** An alarm that a timer of the system keeps. */
export class TimerAlarm implements Alarm {
  onRing: (() => void) | undefined;
  readonly #timer: SystemTimer;
  #isArmed = false;
  #stopped = false;

  constructor(openTimer: OpenSystemTimer) {
    this.#timer = openTimer(() => this.#expire());
  }

  arm(atUs: number): void {
    if (this.#stopped) return;
    this.#isArmed = atUs !== Number.POSITIVE_INFINITY;
    // Left as it is for Infinity: it expires for nothing once, which costs less than to stop it.
    if (this.#isArmed) this.#timer.arm(atUs);
  }

  /** Nothing rings afterwards. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.close();
  }

  #expire(): void {
    if (!this.#isArmed) return;
    this.#isArmed = false;
    this.onRing?.();
  }
}
