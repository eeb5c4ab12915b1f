import type { LoopTurns } from '../../base/clock/loop-turns.ts';

/**
 * Lets so many calls of a caller run at a time. Those beyond wait, and each begins in a turn
 * of its own, so that other callers are served between them.
 */
export class CallQueue {
  readonly #turns: LoopTurns;
  readonly #waiting: (() => void)[] = [];
  #places: number;
  /** Called when no call waits any longer. */
  onEmpty: () => void = () => {};

  constructor(places: number, turns: LoopTurns) {
    this.#places = places;
    this.#turns = turns;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Runs the work as soon as there is a place for it, which it keeps until it is done. */
  async take(work: () => Promise<void>): Promise<void> {
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#places++;
      return;
    }
    this.#turns.take(next);
    if (this.isEmpty) this.onEmpty();
  }
}
