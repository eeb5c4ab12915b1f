/**
 * A slow Parquet reader for tests, from the format's documents alone. It reads one page a column
 * chunk, uncompressed and flat, in the encodings PLAIN, RLE_DICTIONARY and DELTA_BINARY_PACKED.
 */
type ThriftValue = number | bigint | boolean | Uint8Array | ThriftValue[] | ThriftFields;
export type ThriftFields = { [id: number]: ThriftValue };

class Bytes {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('Read past the end');
    return byte;
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('Read past the end');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  zigzag(): bigint {
    const value = this.varint();
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n;
  }

  uint(length: number): bigint {
    return this.take(length).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }
}

const readValue = (bytes: Bytes, type: number): ThriftValue => {
  switch (type) {
    case 1:
    case 2:
      return type === 1;
    case 3:
      return bytes.byte();
    case 5:
    case 6:
      return Number(bytes.zigzag());
    case 8:
      return bytes.take(Number(bytes.varint()));
    case 9: {
      const head = bytes.byte();
      const size = head >> 4 === 15 ? Number(bytes.varint()) : head >> 4;
      return Array.from({ length: size }, () => readValue(bytes, head & 15));
    }
    case 12:
      return readStruct(bytes);
    default:
      throw new TypeError(`Unknown type ${type}`);
  }
};

const readStruct = (bytes: Bytes): ThriftFields => {
  const fields: ThriftFields = {};
  for (let id = 0; ; ) {
    const head = bytes.byte();
    if (head === 0) return fields;
    id = head >> 4 === 0 ? Number(bytes.zigzag()) : id + (head >> 4);
    fields[id] = readValue(bytes, head & 15);
  }
};

const textOf = (value: ThriftValue | undefined): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(value as Uint8Array);

const unpack = (bytes: Uint8Array, width: number, count: number): bigint[] => {
  const all = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const mask = (1n << BigInt(width)) - 1n;
  return Array.from({ length: count }, (_, i) => (all >> BigInt(i * width)) & mask);
};

const readHybrid = (bytes: Bytes, width: number, count: number): number[] => {
  const values: number[] = [];
  while (values.length < count) {
    const head = Number(bytes.varint());
    if (head % 2 === 0) {
      const value = Number(bytes.uint(Math.ceil(width / 8)));
      for (let i = 0; i < head / 2; i++) values.push(value);
    } else {
      const groups = (head - 1) / 2;
      for (let i = 0; i < groups; i++)
        values.push(...unpack(bytes.take(width), width, 8).map(Number));
    }
  }
  return values.slice(0, count);
};

const readDeltas = (bytes: Bytes): bigint[] => {
  const block = Number(bytes.varint());
  const miniblocks = Number(bytes.varint());
  const count = Number(bytes.varint());
  const values = [bytes.zigzag()];
  while (values.length < count) {
    const least = bytes.zigzag();
    const widths = Array.from({ length: miniblocks }, () => bytes.byte());
    for (const width of widths) {
      if (values.length >= count) break;
      const size = block / miniblocks;
      for (const above of unpack(bytes.take((size * width) / 8), width, size)) {
        values.push((values.at(-1) as bigint) + least + above);
      }
    }
  }
  return values.slice(0, count);
};

export type Cell = bigint | number | string | null;

const readPlain = (bytes: Bytes, physical: number): Cell => {
  if (physical === 2) return BigInt.asIntN(64, bytes.uint(8));
  if (physical === 6) return textOf(bytes.take(Number(bytes.uint(4))));
  const copy = Uint8Array.from(bytes.take(8));
  return new DataView(copy.buffer).getFloat64(0, true);
};

export interface ParquetColumn {
  readonly name: string;
  readonly schema: ThriftFields;
  readonly cells: Cell[];
}

export interface ParquetContent {
  readonly rows: number;
  readonly groups: number;
  readonly columns: readonly ParquetColumn[];
}

const readChunk = (file: Uint8Array, meta: ThriftFields, column: ParquetColumn): void => {
  const physical = meta[1] as number;
  const start = (meta[11] ?? meta[9]) as number;
  const bytes = new Bytes(file.subarray(start, start + (meta[7] as number)));
  let entries: Cell[] = [];
  if (meta[11] !== undefined) {
    const header = readStruct(bytes);
    const page = new Bytes(bytes.take(header[3] as number));
    const size = (header[7] as ThriftFields)[1] as number;
    entries = Array.from({ length: size }, () => readPlain(page, physical));
  }
  if (bytes.at + start !== meta[9]) throw new RangeError('Data page is elsewhere');
  const header = readStruct(bytes);
  const page = new Bytes(bytes.take(header[3] as number));
  if (bytes.at !== bytes.bytes.length) throw new RangeError('Chunk has another length');
  const data = header[5] as ThriftFields;
  const count = data[1] as number;
  const isOptional = column.schema[3] === 1;
  const levels = isOptional
    ? readHybrid(new Bytes(page.take(Number(page.uint(4)))), 1, count)
    : new Array<number>(count).fill(1);
  const present = levels.reduce((sum, level) => sum + level, 0);
  const values = ((): Cell[] => {
    if (data[2] === 5) return readDeltas(page);
    if (data[2] !== 8) return Array.from({ length: present }, () => readPlain(page, physical));
    const width = page.byte();
    return readHybrid(page, width, present).map((index) => entries[index] as Cell);
  })();
  let next = 0;
  for (const level of levels) column.cells.push(level === 0 ? null : (values[next++] as Cell));
};

export const readParquet = (file: Uint8Array): ParquetContent => {
  const mark = (at: number): string => new TextDecoder().decode(file.subarray(at, at + 4));
  if (mark(0) !== 'PAR1' || mark(file.length - 4) !== 'PAR1')
    throw new TypeError('No Parquet file');
  const length = new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true);
  const meta = readStruct(new Bytes(file.subarray(file.length - 8 - length, file.length - 8)));
  const [, ...schema] = meta[2] as ThriftFields[];
  const columns = schema.map((each) => ({ name: textOf(each[4]), schema: each, cells: [] }));
  const groups = meta[4] as ThriftFields[];
  for (const group of groups) {
    (group[1] as ThriftFields[]).forEach((chunk, number) => {
      readChunk(file, chunk[3] as ThriftFields, columns[number] as ParquetColumn);
    });
  }
  return { rows: meta[3] as number, groups: groups.length, columns };
};
