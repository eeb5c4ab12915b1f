import { ByteBuffer, utf8 } from '../bytes/byte-buffer.ts';
import type { TableAssembler, TableFormatParts, TableShape, WrittenPart } from '../table-format.ts';
import { chunkField, chunkFields, encoding, putUint32 } from './column-writer.ts';
import { LongGroupEncoder } from './long-groups.ts';
import { columnsOf, type ParquetColumn, putSchemaColumn } from './table-schema.ts';
import { putStruct, type ThriftStruct } from './thrift.ts';
import { WideGroupEncoder } from './wide-groups.ts';

const magic = utf8('PAR1');
const uncompressed = 0;
const createdBy = 'busbar';
/** Rows of a group at most, if a frame has few signals. */
const samplesPerGroup = 524_288;

const encodingsOf = (used: number, hasDictionary: boolean): number[] =>
  hasDictionary ? [encoding.plain, encoding.rle, used] : [encoding.rle, used];

const int64Bytes = (value: number): Uint8Array =>
  new Uint8Array(BigInt64Array.of(BigInt(value)).buffer);

/** Column chunk at an offset of the file, described by numbers of its part. */
const putColumn = (
  struct: ThriftStruct,
  { name, physical }: ParquetColumn,
  start: number,
  chunk: Float64Array,
): void => {
  const of = (field: number): number => chunk[field] as number;
  const bytes = of(chunkField.bytes);
  const dictionaryBytes = of(chunkField.dictionaryBytes);
  const [least, most] = [of(chunkField.least), of(chunkField.most)];
  struct.i64(2, start).struct(3, (meta) => {
    meta
      .i32(1, physical)
      .i32List(2, encodingsOf(of(chunkField.encoding), dictionaryBytes > 0))
      .textList(3, [name])
      .i32(4, uncompressed)
      .i64(5, of(chunkField.values))
      .i64(6, bytes)
      .i64(7, bytes)
      .i64(9, start + dictionaryBytes);
    if (dictionaryBytes > 0) meta.i64(11, start);
    meta.struct(12, (statistics) => {
      statistics.i64(3, of(chunkField.nulls));
      if (least <= most) statistics.binary(5, int64Bytes(most)).binary(6, int64Bytes(least));
    });
  });
};

class ParquetAssembler implements TableAssembler {
  readonly #columns: readonly ParquetColumn[];
  /** Row groups as they will be in the footer: a file has many. */
  readonly #groups = new ByteBuffer();
  #groupCount = 0;
  #rows = 0;
  #position = magic.length;

  constructor(shape: TableShape) {
    this.#columns = columnsOf(shape);
  }

  begin(): Uint8Array {
    return magic;
  }

  add({ length, rows, chunks }: WrittenPart): void {
    this.#groupCount++;
    this.#rows += rows;
    putStruct(this.#groups, (group) => {
      group.structList(1, this.#columns.length);
      let start = this.#position;
      this.#columns.forEach((column, number) => {
        const at = number * chunkFields;
        const chunk = chunks.subarray(at, at + chunkFields);
        putStruct(this.#groups, (struct) => putColumn(struct, column, start, chunk));
        start += chunk[chunkField.bytes] as number;
      });
      group.i64(2, length).i64(3, rows).i64(5, this.#position);
    });
    this.#position += length;
  }

  end(): Uint8Array {
    const out = new ByteBuffer(this.#groups.length + 64 * 1024);
    putStruct(out, (file) => {
      file.i32(1, 1).structList(2, this.#columns.length + 1);
      putStruct(out, (root) => root.text(4, 'schema').i32(5, this.#columns.length));
      for (const column of this.#columns) {
        putStruct(out, (struct) => putSchemaColumn(struct, column));
      }
      file.i64(3, this.#rows).structList(4, this.#groupCount);
      out.put(this.#groups.bytes.subarray(0, this.#groups.length));
      file.text(6, createdBy).structList(7, this.#columns.length);
      // Without an order of values, readers ignore the statistics.
      for (const _ of this.#columns) putStruct(out, (order) => order.struct(1, () => {}));
    });
    const { length } = out;
    putUint32(out, length);
    out.put(magic);
    return out.take();
  }
}

export const parquetTable: TableFormatParts = {
  samplesPerPart: samplesPerGroup,
  encoder: (shape) => (shape ? new WideGroupEncoder(shape) : new LongGroupEncoder()),
  assembler: (shape) => new ParquetAssembler(shape),
};
