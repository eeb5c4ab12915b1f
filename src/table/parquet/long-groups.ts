import { type ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart } from '../table-format.ts';
import { type ColumnChunk, ColumnWriter, putText } from './column-writer.ts';
import { SampleIndex } from './index-samples.ts';
import { rowGroupOf } from './row-group.ts';

/** Texts of a part, numbered as they are met. */
class TextIndices {
  readonly #numbers = new Map<string, number>();

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  indexOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

const textColumns = ['channel', 'message', 'signal', 'unit'] as const;
type TextColumn = (typeof textColumns)[number];

/** Above this share of distinct values, a dictionary is larger than the values. */
const worthwhile = 0.7;

/** Encodes samples as a row group of a long table, which depends on nothing before it. */
export class LongGroupEncoder implements TableEncoder {
  readonly #writer = new ColumnWriter();
  #index: SampleIndex | undefined;

  encode(samples: SampleBatch): TablePart {
    const { count, series, texts: values } = samples;
    if (!this.#index?.fits(samples)) {
      this.#index = new SampleIndex(samples.capacity, series.length * 2);
    }
    const index = this.#index;
    const all: Record<TextColumn, TextIndices> = {
      channel: new TextIndices(),
      message: new TextIndices(),
      signal: new TextIndices(),
      unit: new TextIndices(),
    };
    const labels = new TextIndices();
    const used: Series[] = [];
    index.index(samples, {
      addSeries: (number) => used.push(series[number] as Series) - 1,
      labelOf: (number, label) =>
        labels.indexOf((series[number] as Series).labels[label - 1] as string),
      textOf: (sample) => {
        const text = values.get(sample) ?? null;
        if (text === null) return null;
        return index.values.indexOfText(
          text,
          (series[samples.of[sample] as number] as Series).isText,
        );
      },
    });
    const of = (name: TextColumn): ColumnChunk => {
      const table = Uint32Array.from(used, (one) => all[name].indexOf(one[name]));
      return this.#texts(all[name].texts, index.ordinals, count, count, null, table);
    };
    const chunks = [
      this.#writer.integers(samples.timeUs, count, count, null),
      of('channel'),
      of('message'),
      of('signal'),
      ...this.#valueChunks(index, count),
      of('unit'),
      this.#texts(labels.texts, index.labelIndices, index.labels, count, index.labelRows),
    ];
    return rowGroupOf(this.#writer.out.take(), chunks, count);
  }

  #texts(
    texts: readonly string[],
    indices: Uint32Array,
    count: number,
    rows: number,
    present: Uint32Array | null,
    table?: Uint32Array,
  ): ColumnChunk {
    const putAll = (page: ByteBuffer): number => {
      for (const text of texts) putText(page, utf8(text));
      return texts.length;
    };
    return this.#writer.indexed(putAll, indices, count, rows, present, table);
  }

  /** Value and number have the same dictionary entries, so one search finds both. */
  #valueChunks({ values, indices, valueRows, found }: SampleIndex, count: number): ColumnChunk[] {
    const isIndexed = values.size <= found * worthwhile;
    const value = isIndexed
      ? this.#writer.indexed((page) => values.putTexts(page), indices, found, count, valueRows)
      : this.#writer.plain(found, count, valueRows, (page) => values.putEach(page, indices, found));
    const putNumbers = (page: ByteBuffer): number => values.putNumbers(page);
    if (isIndexed && values.withoutNumber === 0) {
      return [value, this.#writer.indexedAsLast(putNumbers, found, count)];
    }
    const kept = values.dropWithoutNumber(indices, valueRows, found);
    const number = isIndexed
      ? this.#writer.indexed(putNumbers, indices, kept, count, valueRows)
      : this.#writer.plain(kept, count, valueRows, (page) =>
          values.putEachNumber(page, indices, kept),
        );
    return [value, number];
  }
}
