import type { Clock, Timer } from '../base/clock/clock.ts';
import type { Bell } from './doorbell.ts';

/** How long a thread sleeps before it looks for records again. */
const napMs = 2;

/**
 * A bell that no writer rings: its thread looks by itself, often enough. To ring takes locks that a
 * sleeping thread takes too, and a writer with real-time scheduling would wait for them as long as
 * ordinary work keeps the sleeper from giving them back. Here writers have nothing to do at all.
 */
export class PolledBell implements Bell {
  readonly #clock: Clock;
  #nap: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arm(): void {}

  disarm(): void {
    this.#nap?.cancel();
    this.#nap = undefined;
  }

  sleep(onRing: () => void): void {
    this.#nap?.cancel();
    this.#nap = this.#clock.after(napMs, () => {
      this.#nap = undefined;
      onRing();
    });
  }
}
