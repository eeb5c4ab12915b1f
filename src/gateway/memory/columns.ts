import { Cells } from '../values/cells.ts';

const arrays = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
  cell: Cells,
} as const;

export type ColumnKind = keyof typeof arrays;
export type ColumnKinds = Readonly<Record<string, ColumnKind>>;

type ArrayOf<Kind extends ColumnKind> = InstanceType<(typeof arrays)[Kind]>;

export type Columns<Kinds extends ColumnKinds> = { readonly count: number } & {
  readonly [Name in keyof Kinds]: ArrayOf<Kinds[Name]>;
};

type CellsOf<Kinds extends ColumnKinds> = {
  readonly [Name in keyof Kinds]?: number | bigint | boolean | undefined;
};

const alignment = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/**
 * A table in shared memory. The column kinds determine its layout, so that a reader needs only the
 * buffer.
 *
 *     | rows (u32) | pad | column 1 … | pad | column 2 … | pad | …
 */
export class TableLayout<Kinds extends ColumnKinds> {
  readonly #kinds: readonly (readonly [string, ColumnKind])[];

  constructor(kinds: Kinds) {
    this.#kinds = Object.entries(kinds);
  }

  create(count: number): { readonly buffer: SharedArrayBuffer; readonly columns: Columns<Kinds> } {
    let bytes = alignment;
    for (const [, kind] of this.#kinds) bytes += aligned(count * arrays[kind].BYTES_PER_ELEMENT);
    const buffer = new SharedArrayBuffer(bytes);
    new Uint32Array(buffer, 0, 1)[0] = count;
    return { buffer, columns: this.open(buffer) };
  }

  open(buffer: SharedArrayBuffer): Columns<Kinds> {
    const [count = 0] = new Uint32Array(buffer, 0, 1);
    const columns: Record<string, number | Column> = { count };
    let offset = alignment;
    for (const [name, kind] of this.#kinds) {
      const column = new arrays[kind](buffer, offset, count);
      offset += aligned(column.byteLength);
      columns[name] = column;
    }
    return columns as Columns<Kinds>;
  }

  /** Creates a table with a row for each item. Omitted cells are 0. */
  from<Item>(
    items: readonly Item[],
    cellsOf: (item: Item, index: number) => CellsOf<Kinds>,
  ): SharedArrayBuffer {
    const { buffer, columns } = this.create(items.length);
    for (let index = 0; index < items.length; index++) {
      const cells = cellsOf(items[index] as Item, index);
      for (const [name] of this.#kinds) {
        const cell = cells[name];
        if (cell === undefined || cell === 0 || cell === false) continue;
        const column = columns[name] as Column;
        if (column instanceof Cells) column.set(index, cell as number | bigint);
        else column[index] = Number(cell);
      }
    }
    return buffer;
  }

  copyRows(
    from: Columns<Kinds>,
    first: number,
    to: Columns<Kinds>,
    place: number,
    count: number,
  ): void {
    for (const [name, kind] of this.#kinds) {
      const source = bytesOf(from[name] as Column);
      const size = arrays[kind].BYTES_PER_ELEMENT;
      const rows = source.subarray(first * size, (first + count) * size);
      bytesOf(to[name] as Column).set(rows, place * size);
    }
  }
}

type Column = ArrayOf<ColumnKind>;

const bytesOf = (column: Column): Uint8Array => {
  const { buffer, byteOffset, byteLength } = column instanceof Cells ? column.floats : column;
  return new Uint8Array(buffer, byteOffset, byteLength);
};
