import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { maxDecimalBytes, putDecimal } from '../bytes/put-decimal.ts';
import { TimeWriter, timeBytes } from '../bytes/put-time.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart } from '../table-format.ts';

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
  readonly places: number;
  readonly tails: (Uint8Array | undefined)[];
}

const copy = (from: Uint8Array, to: Uint8Array, at: number): number => {
  const { length } = from;
  for (let i = 0; i < length; i++) to[at + i] = from[i] as number;
  return at + length;
};

export const numberText = (text: string): string | null => {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : null;
};

export class LongTextEncoder implements TableEncoder {
  readonly #dialect: LongDialect;
  readonly #start: Uint8Array;
  readonly #middle: Uint8Array;
  readonly #nothing: Uint8Array;
  readonly #noNumber: Uint8Array;
  readonly #out = new ByteBuffer();
  readonly #time = new TimeWriter();
  #known: SeriesText[] = [];
  #knownOf: readonly Series[] | undefined;

  constructor(dialect: LongDialect, noNumber: string) {
    this.#dialect = dialect;
    this.#start = utf8(dialect.start);
    this.#middle = utf8(dialect.quote + dialect.middle);
    this.#nothing = utf8(dialect.nothing);
    this.#noNumber = utf8(noNumber);
  }

  encode(samples: SampleBatch): TablePart {
    this.#learn(samples.series);
    const { count, timeUs, of, scaled, label } = samples;
    const out = this.#out;
    const start = this.#start;
    let last = Number.NaN;
    let timeFrom = 0;
    let timeEnd = 0;
    for (let i = 0; i < count; i++) {
      const series = this.#known[of[i] as number] as SeriesText;
      const { head } = series;
      const tail = this.#tail(series, label[i] as number);
      const fixed = start.length + timeBytes + head.length + this.#middle.length + tail.length;
      out.reserve(fixed + 2 * maxDecimalBytes);
      const { bytes } = out;
      const from = copy(start, bytes, out.length);
      let at: number;
      if (timeUs[i] === last) {
        at = from;
        for (let k = timeFrom; k < timeEnd; k++) bytes[at++] = bytes[k] as number;
      } else {
        last = timeUs[i] as number;
        at = this.#time.put(bytes, from, last);
      }
      timeFrom = from;
      timeEnd = at;
      const value = scaled[i] as number;
      if (Number.isNaN(value)) {
        out.length = at;
        this.#putText(head, samples.texts.get(i) ?? null);
        at = out.length;
      } else {
        at = copy(head, bytes, at);
        const valueFrom = at;
        at = putDecimal(bytes, at, value, series.places);
        const valueEnd = at;
        at = copy(this.#middle, bytes, at);
        for (let k = valueFrom; k < valueEnd; k++) bytes[at++] = bytes[k] as number;
      }
      out.length = at;
      out.reserve(tail.length);
      out.length = copy(tail, out.bytes, at);
    }
    return { bytes: out.take(), rows: count, chunks: new Float64Array(0) };
  }

  #putText(head: Uint8Array, value: string | null): void {
    const out = this.#out;
    if (value === null) {
      out.put(head.subarray(0, head.length - this.#dialect.quote.length));
      out.put(this.#nothing);
      return;
    }
    out.put(head);
    out.put(utf8(value));
    out.put(this.#middle);
    const number = numberText(value);
    out.put(number === null ? this.#noNumber : utf8(number));
  }

  #learn(all: readonly Series[]): void {
    if (this.#knownOf !== all) this.#known = [];
    this.#knownOf = all;
    for (let of = this.#known.length; of < all.length; of++) {
      const series = all[of] as Series;
      const head = utf8(this.#dialect.head(series) + this.#dialect.quote);
      this.#known.push({ series, head, places: series.places, tails: [] });
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
