import type { Timer } from '../../clock/clock.ts';
import type { FakeClock } from '../../clock/testing/fake-clock.ts';
import type { Alarm } from '../scheduler.ts';

export class FakeAlarm implements Alarm {
  onRing: (() => void) | undefined;
  readonly #clock: FakeClock;
  #timer: Timer | undefined;
  #armedUs = Number.POSITIVE_INFINITY;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  arm(atUs: number): void {
    this.#timer?.cancel();
    this.#armedUs = atUs;
    this.#timer = this.#clock.after(this.#delayMs(atUs), this.#reach);
  }

  readonly #reach = (): void => {
    if (this.#clock.monotonicUs() < this.#armedUs) {
      this.arm(this.#armedUs);
      return;
    }
    this.#timer = undefined;
    this.onRing?.();
  };

  #delayMs(atUs: number): number {
    const nowUs = this.#clock.monotonicUs();
    const delayMs = (atUs - nowUs) / 1000;
    return nowUs + delayMs * 1000 > atUs ? delayMs * (1 - 2 * Number.EPSILON) : delayMs;
  }
}
