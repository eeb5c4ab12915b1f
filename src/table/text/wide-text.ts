import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { maxDecimalBytes, putDecimal } from '../bytes/put-decimal.ts';
import { TimeWriter, timeBytes } from '../bytes/put-time.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart, WideShape } from '../table-format.ts';

/** The text of a wide row around its time and values. */
export interface WideDialect {
  readonly start: string;
  /** After the time; the channel is null if rows have none. */
  channel(name: string | null): string;
  /** Before the value of a column. */
  before(column: number): string;
  /** Repeated for each column without a value, before the next one and at the end. */
  readonly skipped: string;
  readonly end: string;
  /** Value of a cell that is not a plain decimal, or null for an empty cell. */
  cell(column: number, text: string): string | null;
  /** Opens and closes the values of a column. */
  quote(column: number): string;
}

export class WideTextEncoder implements TableEncoder {
  readonly #dialect: WideDialect;
  readonly #columns: number;
  readonly #hold: boolean;
  readonly #out = new ByteBuffer();
  readonly #time = new TimeWriter();
  readonly #start: Uint8Array;
  readonly #skippedBytes: number;
  /** As for a row without values. */
  readonly #skipped: Uint8Array;
  readonly #end: Uint8Array;
  readonly #before: readonly Uint8Array[];
  readonly #quotes: readonly Uint8Array[];
  readonly #channels = new Map<string, Uint8Array>();

  constructor({ columns, hold }: WideShape, dialect: WideDialect) {
    this.#dialect = dialect;
    this.#columns = columns.length;
    this.#hold = hold;
    this.#start = utf8(dialect.start);
    this.#skippedBytes = utf8(dialect.skipped).length;
    this.#skipped = utf8(dialect.skipped.repeat(columns.length));
    this.#end = utf8(dialect.end);
    this.#before = columns.map((_, column) => utf8(dialect.before(column)));
    this.#quotes = columns.map((_, column) => utf8(dialect.quote(column)));
  }

  encode(samples: SampleBatch): TablePart {
    const { count, row } = samples;
    let rows = 0;
    for (let from = 0; from < count; rows++) {
      let to = from + 1;
      while (to < count && row[to] === row[from]) to++;
      this.#putRow(samples, from, to);
      from = to;
    }
    return { bytes: this.#out.take(), rows, chunks: new Float64Array(0) };
  }

  #putRow(samples: SampleBatch, from: number, to: number): void {
    const out = this.#out;
    out.put(this.#start);
    out.reserve(timeBytes);
    out.length = this.#time.put(out.bytes, out.length, samples.timeUs[from] as number);
    const first = samples.series[samples.of[from] as number] as Series;
    out.put(this.#channel(this.#hold ? null : first.channel));
    let next = 0;
    for (let i = from; i < to; i++) {
      const { column, places } = samples.series[samples.of[i] as number] as Series;
      this.#skip(column - next);
      next = column + 1;
      this.#putCell(samples, i, column, places);
    }
    this.#skip(this.#columns - next);
    out.put(this.#end);
  }

  #putCell(samples: SampleBatch, i: number, column: number, places: number): void {
    const out = this.#out;
    const value = samples.scaled[i] as number;
    if (Number.isNaN(value)) {
      const text = samples.texts.get(i) ?? null;
      const cell = text === null ? null : this.#dialect.cell(column, text);
      if (cell === null) this.#skip(1);
      else {
        out.put(this.#before[column] as Uint8Array);
        out.put(utf8(cell));
      }
      return;
    }
    const quote = this.#quotes[column] as Uint8Array;
    out.put(this.#before[column] as Uint8Array);
    out.put(quote);
    out.reserve(maxDecimalBytes);
    out.length = putDecimal(out.bytes, out.length, value, places);
    out.put(quote);
  }

  #skip(columns: number): void {
    const bytes = columns * this.#skippedBytes;
    if (bytes > 0) this.#out.put(this.#skipped.subarray(0, bytes));
  }

  #channel(name: string | null): Uint8Array {
    const known = this.#channels.get(name ?? '');
    if (known) return known;
    const text = utf8(this.#dialect.channel(name));
    this.#channels.set(name ?? '', text);
    return text;
  }
}
