import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { JsonText } from '../../base/json/json-text.ts';
import { Turns } from '../../base/turns.ts';
import type { Caller } from '../../operations/dispatcher.ts';

/** Lets everything else have its turn; awaited between two slices of a page. */
export type Pause = () => Promise<void>;

/**
 * Builds pages of answers, which may take many milliseconds each: one after the other, so that they
 * share memory, and each in slices, so that the thread serves streams and other clients in between.
 */
export class PageQueue {
  readonly #pages = new Turns();
  readonly #turns: LoopTurns;

  constructor(turns: LoopTurns) {
    this.#turns = turns;
  }

  build(caller: Caller, write: (pause: Pause) => Promise<JsonText>): Promise<JsonText> {
    const pause: Pause = () => this.#turns.next();
    return this.#pages.take(async () => {
      await pause();
      // Callers that come and leave in haste cost no more than their place in line.
      if (caller.signal?.aborted) throw new BusbarError('operation_cancelled');
      return write(pause);
    });
  }
}
