import type { Batch } from './batch.ts';

/** Batches in line, first come first served. They are chained, so that going round is free. */
export class BatchQueue {
  #first: Batch | undefined;
  #last: Batch | undefined;

  get first(): Batch | undefined {
    return this.#first;
  }

  /** Adds a batch that is not in line. */
  push(batch: Batch): void {
    if (this.#last) this.#last.next = batch;
    else this.#first = batch;
    this.#last = batch;
  }

  /** Takes a batch out; one that is not in line is left alone. */
  remove(batch: Batch): void {
    let before: Batch | undefined;
    let at = this.#first;
    while (at && at !== batch) {
      before = at;
      at = at.next;
    }
    if (!at) return;
    if (before) before.next = at.next;
    else this.#first = at.next;
    if (this.#last === at) this.#last = before;
    at.next = undefined;
  }
}
