import type { YieldQueue } from './yield-queue.ts';

const turnsOfWork = 2;

/**
 * Turns for work that makes objects which stay, like starting an instance. V8 collects young objects when there is no
 * more room for them, and then moves all that stays at once, for a millisecond and more. Done every few turns, in a
 * turn of its own, it has little to move, and deadlines are kept.
 */
export class CollectingYieldQueue implements Pick<YieldQueue, 'next'> {
  readonly #turns: Pick<YieldQueue, 'next'>;
  readonly #collectYoung: () => void;
  #count = 0;

  constructor(turns: Pick<YieldQueue, 'next'>, collectYoung: () => void) {
    this.#turns = turns;
    this.#collectYoung = collectYoung;
  }

  async next(signal?: AbortSignal): Promise<void> {
    await this.#turns.next(signal);
    this.#count = (this.#count + 1) % turnsOfWork;
    if (this.#count > 0) return;
    this.#collectYoung();
    await this.#turns.next(signal);
  }
}
