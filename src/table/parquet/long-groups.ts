import { type ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import type { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import type { TableEncoder, TablePart } from '../table-format.ts';
import { type ColumnChunk, ColumnWriter, putText } from './column-writer.ts';
import { rowGroupOf } from './row-group.ts';
import { ValueDictionary } from './value-dictionary.ts';

const none = 0xffff_ffff;

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

/** Indices of the texts of a series in a part; `none` until the part has one. */
interface SeriesIndices {
  readonly channel: number;
  readonly message: number;
  readonly signal: number;
  readonly unit: number;
  readonly labels: number[];
}

/** Above this share of distinct values, a dictionary is larger than the values. */
const worthwhile = 0.7;

/** Encodes samples as a row group of a long table. */
export class LongGroupEncoder implements TableEncoder {
  readonly #writer = new ColumnWriter();
  readonly #values = new ValueDictionary();
  #ordinals = new Uint32Array(0);
  #scratch = new Uint32Array(0);
  #present = new Uint32Array(0);

  encode(samples: SampleBatch): TablePart {
    const { count } = samples;
    if (this.#scratch.length < count) {
      this.#ordinals = new Uint32Array(samples.capacity);
      this.#scratch = new Uint32Array(samples.capacity);
      this.#present = new Uint32Array(samples.capacity);
    }
    const texts = { channel: new TextIndices(), message: new TextIndices() };
    const all = { ...texts, signal: new TextIndices(), unit: new TextIndices() };
    const labels = new TextIndices();
    const used = this.#index(samples, all, labels);
    const of = (name: keyof typeof all): ColumnChunk => {
      const table = Uint32Array.from(used, (series) => series[name]);
      const { scratch, ordinals } = { scratch: this.#scratch, ordinals: this.#ordinals };
      if (all[name].texts.length === 1) scratch.fill(0, 0, count);
      else for (let i = 0; i < count; i++) scratch[i] = table[ordinals[i] as number] as number;
      return this.#texts(all[name].texts, count, count, null);
    };
    const chunks = [
      this.#writer.integers(samples.timeUs, count, count, null),
      of('channel'),
      of('message'),
      of('signal'),
      ...this.#valueChunks(samples),
      of('unit'),
      this.#labelChunk(samples, used, labels),
    ];
    return rowGroupOf(this.#writer.out.take(), chunks, count);
  }

  /** Numbers the series of the part, so that parts do not depend on those before them. */
  #index(
    { count, of, label, series }: SampleBatch,
    all: Readonly<Record<'channel' | 'message' | 'signal' | 'unit', TextIndices>>,
    labels: TextIndices,
  ): SeriesIndices[] {
    const ordinalOf = new Uint32Array(series.length).fill(none);
    const used: SeriesIndices[] = [];
    for (let i = 0; i < count; i++) {
      const number = of[i] as number;
      let ordinal = ordinalOf[number] as number;
      if (ordinal === none) {
        const { channel, message, signal, unit } = series[number] as Series;
        ordinal = used.length;
        ordinalOf[number] = ordinal;
        used.push({
          channel: all.channel.indexOf(channel),
          message: all.message.indexOf(message),
          signal: all.signal.indexOf(signal),
          unit: all.unit.indexOf(unit),
          labels: [],
        });
      }
      this.#ordinals[i] = ordinal;
      const text = label[i] as number;
      if (text === 0) continue;
      const known = (used[ordinal] as SeriesIndices).labels;
      known[text] ??= labels.indexOf((series[number] as Series).labels[text - 1] as string);
    }
    return used;
  }

  #labelChunk(
    { count, label }: SampleBatch,
    used: readonly SeriesIndices[],
    labels: TextIndices,
  ): ColumnChunk {
    const [scratch, present] = [this.#scratch, this.#present];
    let found = 0;
    for (let i = 0; i < count; i++) {
      const text = label[i] as number;
      present[i] = text === 0 ? 0 : 1;
      if (text === 0) continue;
      scratch[found++] = (used[this.#ordinals[i] as number] as SeriesIndices).labels[
        text
      ] as number;
    }
    return this.#texts(labels.texts, found, count, present);
  }

  #texts(
    texts: readonly string[],
    count: number,
    rows: number,
    present: Uint32Array | null,
  ): ColumnChunk {
    return this.#writer.indexed(
      (page) => {
        for (const text of texts) putText(page, utf8(text));
        return texts.length;
      },
      this.#scratch,
      count,
      rows,
      present,
    );
  }

  /** Value and number have the same dictionary entries, so one search finds both. */
  #valueChunks({ count, of, scaled, series, texts }: SampleBatch): ColumnChunk[] {
    const values = this.#values;
    values.clear();
    const places = Uint32Array.from(series, (one) => one.places);
    // Most signals repeat their value from frame to frame.
    const lastScaled = new Float64Array(series.length).fill(Number.NaN);
    const lastIndex = new Uint32Array(series.length);
    const [scratch, present] = [this.#scratch, this.#present];
    let found = 0;
    for (let i = 0; i < count; i++) {
      const value = scaled[i] as number;
      let index: number;
      const signal = of[i] as number;
      if (value === lastScaled[signal]) index = lastIndex[signal] as number;
      else if (!Number.isNaN(value)) {
        index = values.indexOf(value, places[signal] as number);
        lastScaled[signal] = value;
        lastIndex[signal] = index;
      } else {
        const text = texts.get(i) ?? null;
        if (text === null) {
          present[i] = 0;
          continue;
        }
        index = values.indexOfText(text, (series[signal] as Series).isText);
      }
      present[i] = 1;
      scratch[found++] = index;
    }
    const isIndexed = values.size <= found * worthwhile;
    const value = isIndexed
      ? this.#writer.indexed((page) => values.putTexts(page), scratch, found, count, present)
      : this.#writer.plain(found, count, present, (page) => values.putEach(page, scratch, found));
    return [value, this.#numberChunk(isIndexed, count, found)];
  }

  #numberChunk(isIndexed: boolean, count: number, found: number): ColumnChunk {
    const [values, scratch, present] = [this.#values, this.#scratch, this.#present];
    const putNumbers = (page: ByteBuffer): number => values.putNumbers(page);
    if (isIndexed && values.withoutNumber === 0) {
      return this.#writer.indexedAsLast(putNumbers, found, count);
    }
    const kept = values.withoutNumber > 0 ? this.#dropWithoutNumber(count, found) : found;
    return isIndexed
      ? this.#writer.indexed(putNumbers, scratch, kept, count, present)
      : this.#writer.plain(kept, count, present, (page) =>
          values.putEachNumber(page, scratch, kept),
        );
  }

  #dropWithoutNumber(rows: number, found: number): number {
    const [scratch, present, { numbers }] = [this.#scratch, this.#present, this.#values];
    let kept = 0;
    let at = 0;
    for (let i = 0; i < rows && at < found; i++) {
      if (present[i] === 0) continue;
      const index = scratch[at++] as number;
      if (Number.isNaN(numbers[index])) present[i] = 0;
      else scratch[kept++] = index;
    }
    return kept;
  }
}
