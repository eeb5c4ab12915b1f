import type { OpenSystemTimer, SystemTimer } from '../native/system-timer.ts';
import type { Alarm } from './scheduler.ts';

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
    // Infinity does not disarm the timer: one spurious expiry costs less.
    if (this.#isArmed) this.#timer.arm(atUs);
  }

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
