import { ByteBuffer, copySlack, copyWithin, FixedText, utf8 } from '../bytes/byte-buffer.ts';
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
  readonly head: FixedText;
  /** The head without the opening of a value. */
  readonly bareHead: string;
  readonly places: number;
  readonly tails: (FixedText | undefined)[];
}

export const numberText = (text: string): string | null => {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : null;
};

export class LongTextEncoder implements TableEncoder {
  readonly #dialect: LongDialect;
  readonly #start: FixedText;
  readonly #middle: FixedText;
  readonly #nothing: Uint8Array;
  readonly #noNumber: Uint8Array;
  readonly #out = new ByteBuffer();
  readonly #time = new TimeWriter();
  #known: SeriesText[] = [];
  #knownOf: readonly Series[] | undefined;

  constructor(dialect: LongDialect, noNumber: string) {
    this.#dialect = dialect;
    this.#start = new FixedText(dialect.start);
    this.#middle = new FixedText(dialect.quote + dialect.middle);
    this.#nothing = utf8(dialect.nothing);
    this.#noNumber = utf8(noNumber);
  }

  encode(samples: SampleBatch): TablePart {
    this.#learn(samples.series);
    const { count, timeUs, of, scaled, label } = samples;
    const out = this.#out;
    const start = this.#start;
    const middle = this.#middle;
    const known = this.#known;
    const fixed = start.length + timeBytes + middle.length + 2 * maxDecimalBytes + 4 * copySlack;
    let last = Number.NaN;
    let timeFrom = 0;
    let timeEnd = 0;
    for (let i = 0; i < count; i++) {
      const series = known[of[i] as number] as SeriesText;
      const { head } = series;
      const tail = series.tails[label[i] as number] ?? this.#tail(series, label[i] as number);
      out.reserve(fixed + head.length + tail.length);
      const { bytes, view } = out;
      const from = start.copyTo(view, out.length);
      let at: number;
      if (timeUs[i] === last) at = copyWithin(view, timeFrom, timeEnd, from);
      else {
        last = timeUs[i] as number;
        at = this.#time.put(bytes, from, last);
      }
      timeFrom = from;
      timeEnd = at;
      const value = scaled[i] as number;
      if (Number.isNaN(value)) {
        out.length = at;
        this.#putText(series, samples.texts.get(i) ?? null);
        out.reserve(tail.length + copySlack);
        out.length = tail.copyTo(out.view, out.length);
        continue;
      }
      at = head.copyTo(view, at);
      const valueFrom = at;
      at = putDecimal(bytes, at, value, series.places);
      const valueEnd = at;
      at = middle.copyTo(view, at);
      at = copyWithin(view, valueFrom, valueEnd, at);
      out.length = tail.copyTo(view, at);
    }
    return { bytes: out.take(), rows: count, chunks: new Float64Array(0) };
  }

  #putText({ bareHead }: SeriesText, value: string | null): void {
    const out = this.#out;
    const { quote, middle } = this.#dialect;
    out.put(utf8(bareHead));
    if (value === null) {
      out.put(this.#nothing);
      return;
    }
    out.put(utf8(quote + value + quote + middle));
    const number = numberText(value);
    out.put(number === null ? this.#noNumber : utf8(number));
  }

  #learn(all: readonly Series[]): void {
    if (this.#knownOf !== all) this.#known = [];
    this.#knownOf = all;
    for (let of = this.#known.length; of < all.length; of++) {
      const series = all[of] as Series;
      const bareHead = this.#dialect.head(series);
      const head = new FixedText(bareHead + this.#dialect.quote);
      this.#known.push({ series, head, bareHead, places: series.places, tails: [] });
    }
  }

  #tail({ series, tails }: SeriesText, label: number): FixedText {
    const text = label === 0 ? null : (series.labels[label - 1] ?? null);
    const made = new FixedText(this.#dialect.tail(series, text));
    tails[label] = made;
    return made;
  }
}
