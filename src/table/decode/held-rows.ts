import { type HeldValue, SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';

const minSamples = 65_536;

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
  #filled: number[] = [];
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

  /** Passes each full batch of rows to `emit`, and the rest. */
  take(samples: SampleBatch, emit: (rows: SampleBatch) => void): void {
    for (let i = 0; i < samples.count; i++) {
      const timeUs = samples.timeUs[i] as number;
      if (Number.isNaN(this.#startUs)) this.#startUs = timeUs;
      // Rows before this sample are complete.
      while (this.#nextUs < timeUs) this.#addRow(emit);
      this.#lastUs = Math.max(this.#lastUs, timeUs);
      this.#set(samples, i);
    }
    this.#flush(emit);
  }

  /** Adds the row of the last sample, if one is due then. */
  finish(emit: (rows: SampleBatch) => void): void {
    if (this.#nextUs <= this.#lastUs) this.#addRow(emit);
    this.#flush(emit);
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

  #addRow(emit: (rows: SampleBatch) => void): void {
    const out = this.#out;
    if (!out.hasRoomFor(this.#filled.length)) this.#flush(emit);
    const timeUs = this.#nextUs;
    const row = this.#next++ % 2 ** 32;
    for (const column of this.#filled) {
      out.append(
        timeUs,
        row,
        this.#seriesOf[column] as number,
        this.#values[column] as HeldValue,
      );
    }
  }

  #flush(emit: (rows: SampleBatch) => void): void {
    if (this.#out.count > 0) emit(this.#out);
    this.#out.clear();
  }
}
