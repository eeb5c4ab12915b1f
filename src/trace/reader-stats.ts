import type { SkipName } from './skip-names.ts';
import type { TraceBatch } from './trace-batch.ts';
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
  #lastNs = 0;
  #marked = 0;
  #reason = '';

  skip(what: SkipName): void {
    this.skipped[what] = (this.skipped[what] ?? 0) + 1;
  }

  gap(missed: number | null): void {
    this.gaps++;
    this.missed += missed ?? 0;
  }

  error(at: number, message: string): void {
    this.malformed++;
    this.#reason = message;
    if (this.errors.length < keptErrors) this.errors.push({ at, message });
  }

  /** Marks a gap after the rows of a batch if invalid parts were found since the last call. */
  markErrors(batch: TraceBatch): void {
    if (this.#marked === this.malformed) return;
    this.#marked = this.malformed;
    batch.addGap(this.lastNs(batch), null, this.#reason);
  }

  /** Time of the last event, while a batch is filled. */
  lastNs({ count, timeNs }: TraceBatch): number {
    return count > 0 ? (timeNs[count - 1] as number) : this.#lastNs;
  }

  /** A batch is filled. */
  take(batch: TraceBatch): void {
    this.markErrors(batch);
    this.events += batch.count;
    this.#lastNs = this.lastNs(batch);
  }
}
