import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { maxDecimalBytes, putDecimal } from '../bytes/put-decimal.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart } from '../table-format.ts';
import { usualCells } from './row-memory.ts';
import { type RenderedRow, RowWriter } from './row-writer.ts';

/** The text of a row between its time, value and number. */
export interface LongDialect {
  /** Before the time. */
  readonly start: string;
  /** Between the time and the value. */
  head(series: Series): string;
  /** Between the value and the number. */
  readonly middle: string;
  /** After `head`, if there is no value. */
  readonly nothing: string;
  /** After the number, to the end of the row. */
  tail(series: Series, label: string | null): string;
  /** Opens and closes a value. */
  readonly quote: string;
}

interface SeriesText {
  readonly series: Series;
  readonly head: Uint8Array;
  /** The head without the opening of a value. */
  readonly bareHead: string;
  readonly tails: (Uint8Array | undefined)[];
}

export const numberText = (text: string): string | null => {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : null;
};

export class LongTextEncoder implements TableEncoder {
  readonly #dialect: LongDialect;
  readonly #middle: Uint8Array;
  readonly #noNumber: string;
  readonly #writer: RowWriter;
  readonly #row = new ByteBuffer(1024);
  #known: SeriesText[] = [];
  #knownOf: readonly Series[] | undefined;

  constructor(dialect: LongDialect, noNumber: string, cells = usualCells) {
    const middle = dialect.quote + dialect.middle;
    this.#dialect = dialect;
    this.#middle = utf8(middle);
    this.#noNumber = noNumber;
    this.#writer = new RowWriter(dialect.start, middle, cells);
  }

  encode(samples: SampleBatch): TablePart {
    this.#learn(samples.series);
    this.#writer.add(samples, (sample) => this.#render(samples, sample));
    return { bytes: this.#writer.take(), rows: samples.count, chunks: new Float64Array(0) };
  }

  #render({ scaled, of, label, texts }: SampleBatch, sample: number): RenderedRow {
    const value = scaled[sample] as number;
    const known = this.#known[of[sample] as number] as SeriesText;
    const tail = this.#tail(known, label[sample] as number);
    const row = this.#row;
    row.length = 0;
    const isText = Number.isNaN(value);
    if (isText) this.#putText(known, texts.get(sample) ?? null);
    else this.#putValue(known, value);
    row.put(tail);
    return {
      bytes: row.bytes,
      length: row.length,
      headBytes: known.head.length,
      tailBytes: tail.length,
      places: isText ? null : known.series.places,
    };
  }

  #putValue({ head, series }: SeriesText, value: number): void {
    const row = this.#row;
    row.put(head);
    row.reserve(maxDecimalBytes);
    const from = row.length;
    row.length = putDecimal(row.bytes, from, value, series.places);
    const text = row.bytes.subarray(from, row.length);
    row.put(this.#middle);
    row.put(text);
  }

  #putText({ bareHead, series }: SeriesText, value: string | null): void {
    const { quote, middle, nothing } = this.#dialect;
    const number = value === null || series.isText ? null : numberText(value);
    const text =
      value === null ? nothing : quote + value + quote + middle + (number ?? this.#noNumber);
    this.#row.put(utf8(bareHead + text));
  }

  #learn(all: readonly Series[]): void {
    if (this.#knownOf !== all) {
      if (this.#knownOf) this.#writer.clear();
      this.#known = [];
      this.#knownOf = all;
    }
    for (let of = this.#known.length; of < all.length; of++) {
      const series = all[of] as Series;
      const bareHead = this.#dialect.head(series);
      const head = utf8(bareHead + this.#dialect.quote);
      this.#known.push({ series, head, bareHead, tails: [] });
    }
  }

  #tail({ series, tails }: SeriesText, label: number): Uint8Array {
    const known = tails[label];
    if (known) return known;
    const text = label === 0 ? null : (series.labels[label - 1] ?? null);
    const made = utf8(this.#dialect.tail(series, text));
    tails[label] = made;
    return made;
  }
}
