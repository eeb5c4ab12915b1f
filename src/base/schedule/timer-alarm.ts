import type { Clock } from '../clock/clock.ts';
import type { OpenSystemTimer, SystemTimer } from '../native/system-timer.ts';
import type { Alarm } from './alarm.ts';

/** An alarm that a timer of the system keeps. */
export class TimerAlarm implements Alarm {
  onRing: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #timer: SystemTimer;
  #armedUs = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(clock: Clock, openTimer: OpenSystemTimer) {
    this.#clock = clock;
    this.#timer = openTimer(() => this.#expire());
  }

  arm(atUs: number): void {
    if (this.#stopped) return;
    this.#armedUs = atUs;
    // Left as it is for Infinity: it expires for nothing once, which costs less than to stop it.
    if (atUs !== Number.POSITIVE_INFINITY) this.#timer.arm(atUs);
  }

  /** Nothing rings afterwards. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.close();
  }

  #expire(): void {
    if (this.#armedUs === Number.POSITIVE_INFINITY) return;
    if (this.#clock.monotonicUs() < this.#armedUs) {
      // The system's clock is a fraction ahead of ours, or cannot count that far.
      this.#timer.arm(this.#armedUs);
      return;
    }
    this.#armedUs = Number.POSITIVE_INFINITY;
    this.onRing?.();
  }
}
