import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import { putDeltas } from './put-deltas.ts';
import { bitWidthOf, putHybrid, putLevels } from './put-hybrid.ts';
import { putStruct } from './thrift.ts';

/** Codes of the format. */
export const encoding = { plain: 0, rle: 3, delta: 5, dictionary: 8 } as const;
const pageType = { data: 0, dictionary: 2 } as const;

/** Numbers that describe a column chunk in `TablePart.chunks`. */
export const chunkField = {
  bytes: 0,
  dictionaryBytes: 1,
  values: 2,
  encoding: 3,
  nulls: 4,
  least: 5,
  most: 6,
} as const;
export const chunkFields = 7;

export interface ColumnChunk {
  readonly bytes: number;
  readonly dictionaryBytes: number;
  readonly values: number;
  readonly encoding: number;
  readonly nulls: number;
  /** NaN if not known. */
  readonly least: number;
  readonly most: number;
}

/** Writes column chunks of one row group, one after the other. */
export class ColumnWriter {
  readonly out = new ByteBuffer();
  readonly #page = new ByteBuffer();
  readonly #dictionary = new ByteBuffer();
  readonly #levels = new ByteBuffer(1024);

  /** Integers of doubles; `present` has the rows with a value, and is null for a required column. */
  integers(
    values: Float64Array,
    count: number,
    rows: number,
    present: Uint32Array | null,
  ): ColumnChunk {
    const page = this.#startPage(count, rows, present);
    const start = page.length;
    const range = putDeltas(page, values, count);
    if (range !== null) {
      return {
        ...this.#endChunk(this.out.length, 0, rows, encoding.delta, rows - count),
        ...range,
      };
    }
    page.length = start;
    this.#plainIntegers(values, count);
    return this.#endChunk(this.out.length, 0, rows, encoding.plain, rows - count);
  }

  bigints(values: BigUint64Array, count: number, rows: number, present: Uint32Array): ColumnChunk {
    const page = this.#startPage(count, rows, present);
    page.put(new Uint8Array(values.buffer, values.byteOffset, count * 8));
    return this.#endChunk(this.out.length, 0, rows, encoding.plain, rows - count);
  }

  /**
   * Values as indices into a dictionary, which has its own page before them. With a table, the
   * indices are in it.
   */
  indexed(
    entries: (page: ByteBuffer) => number,
    indices: Uint32Array,
    count: number,
    rows: number,
    present: Uint32Array | null,
    table?: Uint32Array,
  ): ColumnChunk {
    const start = this.out.length;
    const size = this.#putDictionary(entries);
    const dictionaryBytes = this.out.length - start;
    const page = this.#startPage(count, rows, present);
    const width = bitWidthOf(Math.max(0, size - 1));
    page.putByte(width);
    putHybrid(page, indices, count, width, table);
    return this.#endChunk(start, dictionaryBytes, rows, encoding.dictionary, rows - count);
  }

  /** The indices of the last chunk into a dictionary of the same size. */
  indexedAsLast(entries: (page: ByteBuffer) => number, count: number, rows: number): ColumnChunk {
    const start = this.out.length;
    this.#putDictionary(entries);
    const dictionaryBytes = this.out.length - start;
    return this.#endChunk(start, dictionaryBytes, rows, encoding.dictionary, rows - count);
  }

  #putDictionary(entries: (page: ByteBuffer) => number): number {
    const dictionary = this.#dictionary;
    dictionary.length = 0;
    const size = entries(dictionary);
    const body = dictionary.take();
    putStruct(this.out, (header) =>
      header
        .i32(1, pageType.dictionary)
        .i32(2, body.length)
        .i32(3, body.length)
        .struct(7, (page) => page.i32(1, size).i32(2, encoding.plain)),
    );
    this.out.put(body);
    return size;
  }

  texts(texts: readonly string[], rows: number, present: Uint32Array): ColumnChunk {
    const page = this.#startPage(texts.length, rows, present);
    for (const text of texts) putText(page, utf8(text));
    return this.#endChunk(this.out.length, 0, rows, encoding.plain, rows - texts.length);
  }

  /** A chunk whose page the caller writes. */
  plain(
    count: number,
    rows: number,
    present: Uint32Array | null,
    write: (page: ByteBuffer) => void,
  ): ColumnChunk {
    write(this.#startPage(count, rows, present));
    return this.#endChunk(this.out.length, 0, rows, encoding.plain, rows - count);
  }

  /** Definition levels come first, with their length in four bytes. */
  #startPage(count: number, rows: number, present: Uint32Array | null): ByteBuffer {
    const page = this.#page;
    page.length = 0;
    if (present === null) return page;
    const levels = this.#levels;
    levels.length = 0;
    putLevels(levels, present, count, rows);
    putUint32(page, levels.length);
    page.put(levels.bytes.subarray(0, levels.length));
    return page;
  }

  #plainIntegers(values: Float64Array, count: number): void {
    const exact = new BigInt64Array(count);
    for (let i = 0; i < count; i++) exact[i] = BigInt(values[i] as number);
    this.#page.put(new Uint8Array(exact.buffer));
  }

  #endChunk(
    start: number,
    dictionaryBytes: number,
    values: number,
    used: number,
    nulls: number,
  ): ColumnChunk {
    const body = this.#page;
    putStruct(this.out, (header) =>
      header
        .i32(1, pageType.data)
        .i32(2, body.length)
        .i32(3, body.length)
        .struct(5, (page) =>
          page.i32(1, values).i32(2, used).i32(3, encoding.rle).i32(4, encoding.rle),
        ),
    );
    this.out.put(body.bytes.subarray(0, body.length));
    const bytes = this.out.length - start;
    const unknown = { least: Number.NaN, most: Number.NaN };
    return { bytes, dictionaryBytes, values, encoding: used, nulls, ...unknown };
  }
}

export const putUint32 = (out: ByteBuffer, value: number): void => {
  for (let bits = 0; bits < 32; bits += 8) out.putByte((value >>> bits) & 0xff);
};

/** Texts are preceded by their length. */
export const putText = (out: ByteBuffer, bytes: Uint8Array): void => {
  putUint32(out, bytes.length);
  out.put(bytes);
};
