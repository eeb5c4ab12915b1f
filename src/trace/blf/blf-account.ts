import type { TraceAccount, TraceFlaw } from '../trace-format.ts';
import { objectName } from './object-names.ts';

/** Further ones are counted only. */
const keptFlaws = 10;

/** Counts what a file holds. */
export class BlfAccount implements TraceAccount {
  events = 0;
  readonly skipped: Record<string, number> = {};
  malformed = 0;
  readonly flaws: TraceFlaw[] = [];
  truncated = false;
  readonly #names: string[] = [];

  pass(type: number): void {
    this.#names[type] ??= objectName(type);
    this.#skip(this.#names[type]);
  }

  passRequest(): void {
    this.#skip('tx_request');
  }

  flaw(at: number, message: string): void {
    this.malformed += 1;
    if (this.flaws.length < keptFlaws) this.flaws.push({ at, message });
  }

  #skip(what: string): void {
    this.skipped[what] = (this.skipped[what] ?? 0) + 1;
  }
}
