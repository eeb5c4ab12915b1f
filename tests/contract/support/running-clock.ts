import type { Clock, Timer } from '../../../src/base/clock/clock.ts';
import { SystemClock } from '../../../src/base/clock/system-clock.ts';

/** Maximum step between two readings of the clock, which are a millisecond apart. */
const maxUs = 2_000;

/**
 * A clock that advances only while this process runs. With both ends of a line in this process, a
 * pause of the machine delays neither.
 */
export class RunningClock implements Clock {
  readonly unixOffsetUs: number;
  readonly #system = new SystemClock();
  readonly #ticks = setInterval(() => this.monotonicUs(), 1);
  #seenUs = this.#system.monotonicUs();
  #nowUs = this.#seenUs;

  constructor() {
    this.unixOffsetUs = this.#system.unixOffsetUs;
  }

  monotonicUs(): number {
    const seenUs = this.#system.monotonicUs();
    this.#nowUs += Math.min(seenUs - this.#seenUs, maxUs);
    this.#seenUs = seenUs;
    return this.#nowUs;
  }

  unixUs(): number {
    return Math.floor(this.monotonicUs() + this.unixOffsetUs);
  }

  after(delayMs: number, callback: () => void): Timer {
    return this.#system.after(delayMs, callback);
  }

  stop(): void {
    clearInterval(this.#ticks);
  }
}
