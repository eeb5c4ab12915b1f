import type { Clock } from './clock.ts';
import { pause } from './pause.ts';

const turnUs = 5_000;

export class TimeSlice {
  readonly #clock: Clock;
  readonly #endUs: number;
  #turnEndUs: number;

  constructor(clock: Clock, durationUs: number) {
    const nowUs = clock.monotonicUs();
    this.#clock = clock;
    this.#endUs = nowUs + durationUs;
    this.#turnEndUs = nowUs + turnUs;
  }

  get isTimeUp(): boolean {
    return this.#clock.monotonicUs() >= this.#endUs;
  }

  async yield(): Promise<void> {
    if (this.#clock.monotonicUs() < this.#turnEndUs) return;
    await pause(this.#clock, 0);
    this.#turnEndUs = this.#clock.monotonicUs() + turnUs;
  }
}
