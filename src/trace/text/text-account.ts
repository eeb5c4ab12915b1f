import type { TraceAccount, TraceFlaw } from '../trace-format.ts';

/** Further ones are counted only. */
const keptFlaws = 10;

/** Counts what a reader of a text meets. */
export class TextAccount implements TraceAccount {
  events = 0;
  readonly skipped: Record<string, number> = {};
  malformed = 0;
  readonly flaws: TraceFlaw[] = [];
  truncated = false;

  skip(what: string): void {
    this.skipped[what] = (this.skipped[what] ?? 0) + 1;
  }

  flaw(line: number, message: string): void {
    this.malformed++;
    if (this.flaws.length < keptFlaws) this.flaws.push({ at: line, message });
  }
}
