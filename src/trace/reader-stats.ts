import type { SkipName } from './skip-names.ts';
import type { TraceError, TraceStats } from './trace-format.ts';

const keptErrors = 10;

export class ReaderStats implements TraceStats {
  events = 0;
  readonly skipped: Record<string, number> = {};
  malformed = 0;
  readonly errors: TraceError[] = [];
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

  error(at: number, message: string): void {
    this.malformed++;
    if (this.errors.length < keptErrors) this.errors.push({ at, message });
  }
}
