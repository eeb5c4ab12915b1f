import type { Clock } from './clock.ts';
import { pause } from './pause.ts';

/** How long the loader goes on before a replay or a database gets its turn. */
const turnUs = 5_000;

/** Long work of the loader, in turns with its other work and for a limited time. */
export class TimedTurns {
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

  /** Called between short pieces of the work: waits for the others where a turn is over. */
  async yield(): Promise<void> {
    if (this.#clock.monotonicUs() < this.#turnEndUs) return;
    await pause(this.#clock, 0);
    this.#turnEndUs = this.#clock.monotonicUs() + turnUs;
  }
}
