import type { Clock, Timer } from '../clock.ts';

/** Each reading takes a second, and waiting callbacks run in the next turn. */
export class HastyClock implements Clock {
  readonly unixOffsetUs = 0;
  onTurn: () => void = () => undefined;
  #nowUs = 0;

  monotonicUs(): number {
    this.#nowUs += 1_000_000;
    return this.#nowUs;
  }

  unixUs(): number {
    return this.#nowUs;
  }

  after(_delayMs: number, callback: () => void): Timer {
    this.onTurn();
    const timer = setImmediate(callback);
    return { cancel: () => clearImmediate(timer) };
  }
}
