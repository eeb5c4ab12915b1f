import { invalidArgument } from '../base/errors/busbar-error.ts';
import { TraceBatch } from './trace-batch.ts';
import type { TraceReader } from './trace-format.ts';

const eventsPerFile = 1024;

/** Files with earlier starts have times since some start, not dates. */
const firstDateUs = 86_400e6;

const startOf = ({ startUnixUs }: TraceReader): number | null =>
  startUnixUs === null || startUnixUs < firstDateUs ? null : startUnixUs;

/**
 * Time from the earliest start to each start, in nanoseconds. Files without dates start together,
 * and cannot be merged with others.
 */
const shiftsOf = (readers: readonly TraceReader[]): readonly number[] => {
  const starts = readers.map(startOf);
  const undated = starts.indexOf(null);
  if (undated === -1) {
    const first = Math.min(...(starts as number[]));
    return starts.map((start) => ((start as number) - first) * 1000);
  }
  if (starts.every((start) => start === null)) {
    return readers.map(({ startUnixUs }) => (startUnixUs ?? 0) * 1000);
  }
  throw invalidArgument(`files[${undated}]`, 'A file without a date cannot be merged by time', {
    reason: 'no_date',
  });
};

/** One of the files, as far as it was read. */
class MergedTrace {
  readonly #reader: TraceReader;
  readonly #shiftNs: number;
  readonly #onBatch: (batch: TraceBatch) => void;
  readonly batch = new TraceBatch(eventsPerFile);
  row = 0;
  #gap = 0;
  isOver = false;

  constructor(reader: TraceReader, shiftNs: number, onBatch: (batch: TraceBatch) => void) {
    this.#reader = reader;
    this.#shiftNs = shiftNs;
    this.#onBatch = onBatch;
  }

  get hasRow(): boolean {
    return this.row < this.batch.count;
  }

  get timeNs(): number {
    return this.batch.timeNs[this.row] as number;
  }

  /** Copies the gaps before the next row. */
  passGaps(into: TraceBatch): void {
    const { gaps } = this.batch;
    for (let gap = gaps[this.#gap]; gap && gap.row <= this.row; gap = gaps[++this.#gap]) {
      into.addGap(gap.timeNs + this.#shiftNs, gap.missed);
    }
  }

  read(): void {
    this.row = 0;
    this.#gap = 0;
    this.isOver = !this.#reader.read(this.batch);
    const { timeNs, count } = this.batch;
    for (let row = 0; row < count; row++) timeNs[row] = (timeNs[row] as number) + this.#shiftNs;
    this.#onBatch(this.batch);
  }
}

/**
 * Events of several files in order of time; those of one file keep its order, and so do its gaps.
 */
export class MergedTraces {
  readonly #traces: readonly MergedTrace[];

  /** Calls `onBatch` with the events of each file as they are read. */
  constructor(
    readers: readonly TraceReader[],
    onBatch: (file: number, batch: TraceBatch) => void = () => undefined,
  ) {
    const shifts = shiftsOf(readers);
    this.#traces = readers.map(
      (reader, file) =>
        new MergedTrace(reader, shifts[file] as number, (batch) => onBatch(file, batch)),
    );
  }

  /** As `TraceReader.read`. */
  read(into: TraceBatch): boolean {
    into.clear();
    while (!into.isFull) {
      for (const trace of this.#traces) {
        if (trace.isOver || trace.hasRow) continue;
        trace.passGaps(into);
        trace.read();
        if (trace.isOver) trace.passGaps(into);
        // The next event of this file is not known yet.
        if (!trace.isOver && !trace.hasRow) return true;
      }
      const first = this.#earliest(undefined);
      if (!first) return into.count > 0;
      this.#copy(first, this.#earliest(first), into);
    }
    return true;
  }

  #earliest(but: MergedTrace | undefined): MergedTrace | undefined {
    let found: MergedTrace | undefined;
    for (const trace of this.#traces) {
      if (trace === but || !trace.hasRow) continue;
      if (!found || trace.timeNs < found.timeNs) found = trace;
    }
    return found;
  }

  /** Copies the events of a file until those of another are earlier. */
  #copy(from: MergedTrace, next: MergedTrace | undefined, into: TraceBatch): void {
    const untilNs = next?.timeNs ?? Number.POSITIVE_INFINITY;
    do {
      from.passGaps(into);
      into.appendRow(from.batch, from.row);
      from.row += 1;
    } while (!into.isFull && from.hasRow && from.timeNs < untilNs);
  }
}
