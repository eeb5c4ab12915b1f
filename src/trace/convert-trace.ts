import { channelKeyAt } from './channel-key.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceReader, TraceWriter } from './trace-format.ts';
import { gapRemark } from './trace-gap.ts';
import type { Conversion } from './trace-records.ts';
import { eventsPerBatch, type TraceProgress } from './trace-summary.ts';

export class TraceFilter {
  readonly channels: ReadonlySet<number>;
  /** All channels in the file, including filtered ones. */
  readonly met = new Set<number>();

  constructor(channels: Iterable<number>) {
    this.channels = new Set(channels);
  }

  takes(key: number): boolean {
    this.met.add(key);
    return this.channels.has(key);
  }
}

const runEnd = (batch: TraceBatch, from: number, end: number, filter: TraceFilter): number => {
  const isWanted = filter.takes(channelKeyAt(batch, from));
  let to = from + 1;
  while (to < end && filter.takes(channelKeyAt(batch, to)) === isWanted) to++;
  return to;
};

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
    for (let from = first; from < end; ) {
      const to = filter ? runEnd(batch, from, end, filter) : end;
      if (!filter || filter.channels.has(channelKeyAt(batch, from))) {
        writer.write(batch, from, to);
      } else filtered += to - from;
      from = to;
    }
  };
  let hasMore = true;
  while (hasMore) {
    hasMore = reader.read(batch);
    read += batch.count;
    let done = 0;
    for (const { row, timeNs, missed } of batch.gaps) {
      writeRows(done, row);
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
