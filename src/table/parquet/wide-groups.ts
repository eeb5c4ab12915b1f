import { placedDigits } from '../../base/decimal/decimal.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { utf8 } from '../bytes/byte-buffer.ts';
import type { ColumnType } from '../rows/column-type.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart, WideShape } from '../table-format.ts';
import { type ColumnChunk, ColumnWriter, putText } from './column-writer.ts';
import { rowGroupOf } from './row-group.ts';
import { ValueDictionary } from './value-dictionary.ts';

/** Above this share of distinct values, a dictionary is larger than the values. */
const worthwhile = 0.5;

/** Rows of a part: the index of their first sample. */
const rowsOf = ({ count, row }: SampleBatch): Uint32Array => {
  const firsts: number[] = [];
  for (let i = 0; i < count; i++) if (i === 0 || row[i] !== row[i - 1]) firsts.push(i);
  return Uint32Array.from(firsts);
};

/** Encodes samples as a row group with one column for each signal. */
export class WideGroupEncoder implements TableEncoder {
  readonly #shape: WideShape;
  readonly #writer = new ColumnWriter();
  #values = new ValueDictionary(0);

  constructor(shape: WideShape) {
    this.#shape = shape;
  }

  encode(samples: SampleBatch): TablePart {
    const firsts = rowsOf(samples);
    const rows = firsts.length;
    if (this.#values.numbers.length < samples.capacity) {
      this.#values = new ValueDictionary(samples.capacity);
    }
    const times = Float64Array.from(firsts, (first) => samples.timeUs[first] as number);
    const { columns, hold } = this.#shape;
    const sorted = this.#sortByColumn(samples);
    const rowOf = this.#rowNumbers(samples);
    const chunks = [this.#writer.integers(times, rows, rows, null)];
    if (!hold) chunks.push(this.#channels(samples, firsts));
    columns.forEach(({ type }, column) => {
      const from = sorted.starts[column] as number;
      const members = sorted.members.subarray(from, sorted.starts[column + 1]);
      chunks.push(this.#column(samples, members, rowOf, rows, type));
    });
    return rowGroupOf(this.#writer.out.take(), chunks, rows);
  }

  /** Counting sort: samples of each column, in the order of rows. */
  #sortByColumn({ count, of, series }: SampleBatch) {
    const columnOf = Uint32Array.from(series, ({ column }) => column);
    const starts = new Uint32Array(this.#shape.columns.length + 1);
    for (let i = 0; i < count; i++) {
      const column = columnOf[of[i] as number] as number;
      starts[column + 1] = (starts[column + 1] as number) + 1;
    }
    for (let i = 1; i < starts.length; i++) {
      starts[i] = (starts[i] as number) + (starts[i - 1] as number);
    }
    const next = starts.slice();
    const members = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const column = columnOf[of[i] as number] as number;
      const place = next[column] as number;
      members[place] = i;
      next[column] = place + 1;
    }
    return { starts, members };
  }

  #rowNumbers({ count, row }: SampleBatch): Uint32Array {
    const numbers = new Uint32Array(count);
    for (let i = 1, number = 0; i < count; i++) {
      if (row[i] !== row[i - 1]) number++;
      numbers[i] = number;
    }
    return numbers;
  }

  #channels({ of, series }: SampleBatch, firsts: Uint32Array): ColumnChunk {
    const texts = new Map<string, number>();
    const indices = Uint32Array.from(firsts, (first) => {
      const { channel } = series[of[first] as number] as Series;
      const known = texts.get(channel);
      if (known !== undefined) return known;
      texts.set(channel, texts.size);
      return texts.size - 1;
    });
    const putAll = (page: ByteBuffer): number => {
      for (const text of texts.keys()) putText(page, utf8(text));
      return texts.size;
    };
    return this.#writer.indexed(putAll, indices, indices.length, indices.length, null);
  }

  #column(
    samples: SampleBatch,
    members: Uint32Array,
    rowOf: Uint32Array,
    rows: number,
    type: ColumnType,
  ): ColumnChunk {
    const kept = members.filter((i) => {
      if (!Number.isNaN(samples.scaled[i])) return true;
      const text = samples.texts.get(i) ?? null;
      return text !== null && (type !== 'double' || Number.isFinite(Number(text)));
    });
    const present = kept.map((i) => rowOf[i] as number);
    switch (type) {
      case 'integer': {
        const values = Float64Array.from(kept, (i) => this.#number(samples, i));
        return this.#writer.integers(values, values.length, rows, present);
      }
      case 'double':
        return this.#doubles(samples, kept, rows, present);
      case 'text':
        return this.#writer.texts(
          Array.from(kept, (i) => this.#text(samples, i)),
          rows,
          present,
        );
      default: {
        const values = BigUint64Array.from(kept, (i) => BigInt(this.#text(samples, i)));
        return this.#writer.bigints(values, values.length, rows, present);
      }
    }
  }

  #doubles(
    samples: SampleBatch,
    kept: Uint32Array,
    rows: number,
    present: Uint32Array,
  ): ColumnChunk {
    const values = this.#values;
    values.clear();
    const indices = kept.map((i) => {
      const scaled = samples.scaled[i] as number;
      if (Number.isNaN(scaled)) return values.indexOfText(this.#text(samples, i), false);
      return values.indexOf(scaled, this.#places(samples, i));
    });
    const { length } = indices;
    if (values.size <= length * worthwhile) {
      const putAll = (page: ByteBuffer): number => values.putNumbers(page);
      return this.#writer.indexed(putAll, indices, length, rows, present);
    }
    return this.#writer.plain(length, rows, present, (page) =>
      values.putEachNumber(page, indices, length),
    );
  }

  #places({ of, series }: SampleBatch, i: number): number {
    return (series[of[i] as number] as Series).places;
  }

  #number(samples: SampleBatch, i: number): number {
    const scaled = samples.scaled[i] as number;
    return Number.isNaN(scaled) ? Number(samples.texts.get(i)) : scaled;
  }

  #text(samples: SampleBatch, i: number): string {
    const scaled = samples.scaled[i] as number;
    if (Number.isNaN(scaled)) return samples.texts.get(i) ?? '';
    return placedDigits(scaled < 0, String(Math.abs(scaled)), this.#places(samples, i));
  }
}
