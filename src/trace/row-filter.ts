import type { TraceBatch } from './trace-batch.ts';

/** Decides for each event of a trace, in order, whether it is taken. */
export interface RowFilter {
  passes(batch: TraceBatch, row: number): boolean;
  /** Events are missing before the next row. */
  gap(timeNs: number): void;
}
