import type { Clock, Timer } from '../../../base/clock/clock.ts';
import type { Alarm } from '../../../base/schedule/scheduler.ts';

/** An alarm on ordinary timers, for tests in real time. */
export class TimerAlarm implements Alarm {
  onRing: (() => void) | undefined;
  readonly #clock: Clock;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arm(atUs: number): void {
    this.#timer?.cancel();
    const delayMs = Math.max(0, Math.ceil((atUs - this.#clock.monotonicUs()) / 1000));
    this.#timer = this.#clock.after(delayMs, () => this.#ring(atUs));
  }

  /** Timers may fire a fraction of a millisecond early. */
  #ring(atUs: number): void {
    if (this.#clock.monotonicUs() < atUs) this.arm(atUs);
    else this.onRing?.();
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
