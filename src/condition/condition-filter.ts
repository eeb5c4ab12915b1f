import type { RowFilter } from '../trace/row-filter.ts';
import type { TraceBatch } from '../trace/trace-batch.ts';
import type { ConditionRun } from './condition-run.ts';

/** Passes the events at which a condition fires, or during which it holds. */
export class ConditionFilter implements RowFilter {
  readonly #run: ConditionRun;

  constructor(run: ConditionRun) {
    this.#run = run;
  }

  passes(batch: TraceBatch, row: number): boolean {
    this.#run.row(batch, row);
    return this.#run.selects();
  }

  gap(timeNs: number): void {
    this.#run.gap(timeNs);
  }
}
