import type { YieldQueue } from './yield-queue.ts';

const turnsOfWork = 2;

/**
 * A yield queue for work that creates long-lived objects, such as starting an instance. V8
 * collects young objects when their space is full, and copying the survivors takes a
 * millisecond or more. Collecting every few yields leaves little to copy, so deadlines are met.
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
