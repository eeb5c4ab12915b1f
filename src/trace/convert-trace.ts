import { channelKeyAt } from './channel-key.ts';
import type { RowFilter } from './row-filter.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceReader, TraceWriter } from './trace-format.ts';
import { gapRemark } from './trace-gap.ts';
import type { Conversion } from './trace-records.ts';
import { eventsPerBatch, type TraceProgress } from './trace-summary.ts';

export class TraceFilter {
  /** Null for all. */
  readonly #channels: ReadonlySet<number> | null;
  readonly #rows: RowFilter | null;
  /** All channels in the file, including filtered ones. */
  readonly met = new Set<number>();

  constructor(channels: Iterable<number> | null, rows: RowFilter | null = null) {
    this.#channels = channels === null ? null : new Set(channels);
    this.#rows = rows;
  }

  /** The other filter gets the events of all channels. */
  takes(batch: TraceBatch, row: number): boolean {
    const key = channelKeyAt(batch, row);
    this.met.add(key);
    const passes = this.#rows?.passes(batch, row) ?? true;
    return passes && (this.#channels?.has(key) ?? true);
  }

  gap(timeNs: number): void {
    this.#rows?.gap(timeNs);
  }
}

export const convertTrace = async (
  reader: TraceReader,
  writer: TraceWriter,
  onProgress?: TraceProgress,
  filter?: TraceFilter,
): Promise<Conversion> => {
  const batch = new TraceBatch(eventsPerBatch);
  let read = 0;
  let filtered = 0;
  const writeRows = (first: number, end: number): void => {
    let from = first;
    for (let row = first; filter && row < end; row++) {
      if (filter.takes(batch, row)) continue;
      if (from < row) writer.write(batch, from, row);
      from = row + 1;
      filtered += 1;
    }
    if (from < end) writer.write(batch, from, end);
  };
  let hasMore = true;
  while (hasMore) {
    hasMore = reader.read(batch);
    read += batch.count;
    let done = 0;
    for (const { row, timeNs, missed } of batch.gaps) {
      writeRows(done, row);
      filter?.gap(timeNs);
      writer.note(timeNs, gapRemark(missed));
      done = row;
    }
    writeRows(done, batch.count);
    if (hasMore) await onProgress?.(reader.position);
  }
  writer.end();
  const unwritten = { ...writer.unwritten };
  const lost = Object.values(unwritten).reduce((sum, count) => sum + count, 0);
  return {
    read,
    written: read - filtered - lost,
    filtered,
    unwritten,
    clamped: writer.clamped ?? 0,
  };
};
