import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type HeldValue, SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';

const minSamples = 65_536;
/** A day of rows at each millisecond. */
const maxRowsInPause = 86_400_000;

/**
 * Rows at equal intervals from the first sample, with the last value of every column:
 *
 *     samples   a1   b1 a2        a3
 *     rows      │         │         │
 *               a1        a2 b1     a3 b1
 */
export class HeldRows {
  readonly #everyUs: number;
  readonly #out: SampleBatch;
  readonly #values: (HeldValue | undefined)[];
  readonly #seriesOf: Uint32Array;
  /** Columns with a value, in order. */
  readonly #filled: number[] = [];
  #startUs = Number.NaN;
  /** Number of the next row, from the first sample. */
  #next = 0;
  #lastUs = Number.NEGATIVE_INFINITY;

  constructor(everyUs: number, series: readonly Series[], columns: number) {
    this.#everyUs = everyUs;
    this.#out = new SampleBatch(Math.max(minSamples, columns), series);
    this.#values = new Array(columns);
    this.#seriesOf = new Uint32Array(columns);
  }

  /** Yields a batch of rows whenever it is full, and the rest. */
  *take(samples: SampleBatch): Generator<SampleBatch> {
    const { count, timeUs } = samples;
    for (let i = 0; i < count; i++) {
      const sampleUs = timeUs[i] as number;
      if (Number.isNaN(this.#startUs)) this.#startUs = sampleUs;
      this.#refusePause(sampleUs);
      // Rows before this sample are complete.
      while (this.#nextUs < sampleUs) yield* this.#addRow();
      this.#lastUs = Math.max(this.#lastUs, sampleUs);
      this.#set(samples, i);
    }
    yield* this.#flush();
  }

  /** Yields the row of the last sample, if one is due then. */
  *finish(): Generator<SampleBatch> {
    if (this.#nextUs <= this.#lastUs) yield* this.#addRow();
    yield* this.#flush();
  }

  #refusePause(timeUs: number): void {
    if (timeUs - this.#nextUs <= maxRowsInPause * this.#everyUs) return;
    throw invalidArgument(
      'every_ms',
      `The trace has a pause of more than ${maxRowsInPause} rows: use a longer interval`,
      { reason: 'too_many_rows' },
    );
  }

  get #nextUs(): number {
    return this.#startUs + this.#next * this.#everyUs;
  }

  #set(samples: SampleBatch, i: number): void {
    const of = samples.of[i] as number;
    const { column } = samples.series[of] as Series;
    if (this.#values[column] === undefined) {
      this.#filled.push(column);
      this.#filled.sort((one, other) => one - other);
    }
    this.#seriesOf[column] = of;
    const scaled = samples.scaled[i] as number;
    const label = samples.label[i] as number;
    const text = Number.isNaN(scaled) ? (samples.texts.get(i) ?? null) : null;
    this.#values[column] = { scaled, text, label };
  }

  *#addRow(): Generator<SampleBatch> {
    const out = this.#out;
    if (!out.hasRoomFor(this.#filled.length)) yield* this.#flush();
    const timeUs = this.#nextUs;
    const row = this.#next++ % 2 ** 32;
    for (const column of this.#filled) {
      out.append(timeUs, row, this.#seriesOf[column] as number, this.#values[column] as HeldValue);
    }
  }

  *#flush(): Generator<SampleBatch> {
    if (this.#out.count > 0) yield this.#out;
    this.#out.clear();
  }
}
