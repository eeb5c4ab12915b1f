import type { SkipName } from './skip-names.ts';
import type { TraceAccount, TraceFlaw } from './trace-format.ts';

const keptFlaws = 10;

export class ReaderAccount implements TraceAccount {
  events = 0;
  readonly skipped: Record<string, number> = {};
  malformed = 0;
  readonly flaws: TraceFlaw[] = [];
  gaps = 0;
  missed = 0;
  truncated = false;

  skip(what: SkipName): void {
    this.skipped[what] = (this.skipped[what] ?? 0) + 1;
  }

  gap(missed: number | null): void {
    this.gaps++;
    this.missed += missed ?? 0;
  }

  flaw(at: number, message: string): void {
    this.malformed++;
    if (this.flaws.length < keptFlaws) this.flaws.push({ at, message });
  }
}
