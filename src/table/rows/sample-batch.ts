import type { Series } from './series.ts';

/** Bytes of a sample in all columns. */
export const sampleBytes = 8 + 8 + 8 + 4 + 4 + 4;

/**
 * Decoded samples in columns, in the order of their frames. A value is `scaled` / 10^`places` of
 * its series, without rounding. If `scaled` is NaN, `texts` has the value, null if there is none.
 */
export class SampleBatch {
  readonly series: readonly Series[];
  count = 0;
  readonly capacity: number;
  /** Unix time in microseconds. */
  readonly timeUs: Float64Array;
  /** Samples of one row of a wide table have the same number. */
  readonly row: Uint32Array;
  /** Index in `series`. */
  readonly of: Uint32Array;
  readonly scaled: Float64Array;
  /** Raw value of a sample that is scaled; of others undefined. */
  readonly raw: Float64Array;
  /** Index of the label in its series plus 1; 0 for none. */
  readonly label: Uint32Array;
  readonly texts = new Map<number, string | null>();

  /** Series can be added to the array while the batch is in use. */
  constructor(
    capacity: number,
    series: readonly Series[],
    buffer = new ArrayBuffer(capacity * sampleBytes),
    at = 0,
  ) {
    this.series = series;
    this.capacity = capacity;
    this.timeUs = new Float64Array(buffer, at, capacity);
    this.scaled = new Float64Array(buffer, at + capacity * 8, capacity);
    this.raw = new Float64Array(buffer, at + capacity * 16, capacity);
    this.row = new Uint32Array(buffer, at + capacity * 24, capacity);
    this.of = new Uint32Array(buffer, at + capacity * 28, capacity);
    this.label = new Uint32Array(buffer, at + capacity * 32, capacity);
  }

  clear(): void {
    this.count = 0;
    if (this.texts.size > 0) this.texts.clear();
  }

  hasRoomFor(samples: number): boolean {
    return this.count + samples <= this.capacity;
  }

  /** Adds a sample that was read from another batch with the same series. */
  append(timeUs: number, row: number, of: number, value: HeldValue): void {
    const at = this.count++;
    this.timeUs[at] = timeUs;
    this.row[at] = row;
    this.of[at] = of;
    this.label[at] = value.label;
    this.scaled[at] = value.scaled;
    if (Number.isNaN(value.scaled)) this.texts.set(at, value.text);
  }
}

export interface HeldValue {
  readonly scaled: number;
  readonly text: string | null;
  readonly label: number;
}
