import type { Clock, Timer } from '../base/clock/clock.ts';

/** Calls back again and again until it is cancelled. */
export class RepeatedTimer implements Timer {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #callback: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, periodMs: number, callback: () => void) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#callback = callback;
    this.#start();
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #start(): void {
    this.#timer = this.#clock.after(this.#periodMs, () => {
      this.#start();
      this.#callback();
    });
  }
}
