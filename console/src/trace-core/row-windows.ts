import type { ByIdTable } from './by-id-table.ts';
import type { RowPosition, RowView } from './chunk-view.ts';
import { rowBytes, writeByIdRow, writeRow } from './frame-row.ts';
import {
  type CountLines,
  type LineIndex,
  lastPlace,
  type RowList,
  writeLines,
} from './line-index.ts';

export type WindowPlace =
  | { readonly at: 'end' }
  | { readonly at: 'index'; readonly index: number }
  | { readonly at: 'serial'; readonly serial: number; readonly shift: number };

export type FrameView = 'frames' | 'by-id';

export interface WindowRequest {
  readonly view: FrameView;
  readonly rows: number;
  readonly place: WindowPlace;
  /** Serial of a row that is always included in the view by ID. */
  readonly selected: number | null;
}

export interface WindowFacts {
  /** Number of the first row, counting rows and the signal lines below them. */
  readonly first: number;
  /** Rows and signal lines in the window. */
  readonly rows: number;
  /** Rows and signal lines in all; an estimate while rows are followed. */
  readonly lines: number;
  readonly count: number;
  readonly total: number;
  readonly originUs: number;
  /** The selected row follows the rows of the window. */
  readonly hasSelected: boolean;
}

export interface WindowQuestion {
  readonly type: 'window';
  readonly number: number;
  readonly request: WindowRequest;
  readonly isImmediate: boolean;
  /** Returned with the rows; null if the request replaces a waiting one. */
  readonly buffer: ArrayBuffer | null;
}

export interface WindowAnswer {
  readonly type: 'window';
  readonly number: number;
  readonly request: WindowRequest;
  readonly facts: WindowFacts;
  readonly buffer: ArrayBuffer;
}

/** Serials of two rows, or infinite ones for all rows. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** Rows that are selected at most. */
export const maxSelected = 4096;

/** The shown rows of a view. */
export interface ShownRows extends RowList, Iterable<RowPosition> {
  readonly total: number;
  /** Whether later rows have higher serials. */
  readonly isOrdered: boolean;
  serialOf(place: RowPosition): number;
  /** The row with a serial, or the next one if it is not shown. */
  rowOf(serial: number): number;
  write(view: DataView, at: number, place: RowPosition, previousUs: number): void;
}

export class FrameRows implements ShownRows {
  readonly isOrdered = true;
  readonly view: RowView;
  readonly count: number;
  readonly total: number;

  constructor(view: RowView) {
    this.view = view;
    this.count = view.count;
    this.total = view.rows;
  }

  at(row: number): RowPosition | null {
    return row < this.count ? this.view.at(row) : null;
  }

  serialOf({ chunk, row }: RowPosition): number {
    return chunk.serial[row] as number;
  }

  rowOf(serial: number): number {
    return this.view.indexOf(serial);
  }

  write(view: DataView, at: number, place: RowPosition, previousUs: number): void {
    writeRow(view, at, place, this.serialOf(place), previousUs);
  }

  [Symbol.iterator](): Iterator<RowPosition> {
    return this.view[Symbol.iterator]();
  }
}

export class ByIdRows implements ShownRows {
  readonly isOrdered = false;
  readonly total: number;
  readonly #table: ByIdTable;
  readonly #rows: Uint16Array;

  constructor(table: ByIdTable, rows: Uint16Array) {
    this.#table = table;
    this.#rows = rows;
    this.total = table.sorted.length;
  }

  get count(): number {
    return this.#rows.length;
  }

  at(row: number): RowPosition | null {
    const own = this.#rows[row];
    return own === undefined ? null : { chunk: this.#table.last, row: own };
  }

  serialOf({ row }: RowPosition): number {
    return this.#table.firstSerial + row;
  }

  rowOf(serial: number): number {
    if (!Number.isFinite(serial)) return serial < 0 ? 0 : this.count;
    return this.#rows.indexOf(serial - this.#table.firstSerial);
  }

  write(view: DataView, at: number, { row }: RowPosition): void {
    writeByIdRow(view, at, this.#table, row);
  }

  /** Writes a row that need not be shown. Returns whether it exists. */
  writeSelected(view: DataView, at: number, serial: number | null): boolean {
    const row = serial === null ? -1 : serial - this.#table.firstSerial;
    if (row < 0 || row >= this.#table.last.count) return false;
    writeByIdRow(view, at, this.#table, row);
    return true;
  }

  *[Symbol.iterator](): Generator<RowPosition> {
    for (const row of this.#rows) yield { chunk: this.#table.last, row };
  }
}

const timeOf = (place: RowPosition | null): number =>
  place ? (place.chunk.timestampUs[place.row] as number) : Number.NaN;

/** Writes the rows of a place with their signal lines. */
export const windowOf = (
  rows: ShownRows,
  linesBelow: CountLines,
  indexOf: () => LineIndex,
  place: WindowPlace,
  room: number,
  view: DataView,
): Pick<WindowFacts, 'first' | 'rows' | 'lines' | 'count' | 'total'> => {
  const { count, total } = rows;
  // The numbers of followed rows change constantly, so they are not counted.
  const index = place.at === 'end' ? null : indexOf();
  const wanted =
    place.at === 'serial'
      ? (index?.lineOf(rows.rowOf(place.serial)) ?? 0) + place.shift
      : place.at === 'index'
        ? place.index
        : 0;
  const first = Math.max(0, Math.min(wanted, (index?.total ?? 0) - room));
  const from = index?.placeOf(first) ?? lastPlace(rows, room, linesBelow);
  let current = from.row > 0 ? rows.at(from.row - 1) : null;
  let previousUs = Number.NaN;
  const written = writeLines(view, rows, from, room, linesBelow, (at, each) => {
    if (each !== current) {
      previousUs = timeOf(current);
      current = each;
    }
    rows.write(view, at, each, previousUs);
  });
  if (index) return { first, rows: written, lines: index.total, count, total };
  const hidden = from.row + from.line;
  return { first: hidden, rows: written, lines: hidden + written, count, total };
};

/** Shown rows with these serials. */
export const rowsAt = (
  rows: ShownRows,
  serials: Float64Array,
): { readonly rows: number; readonly buffer: ArrayBuffer } => {
  const wanted = serials.subarray(-maxSelected);
  const buffer = new ArrayBuffer(wanted.length * rowBytes);
  const view = new DataView(buffer);
  let count = 0;
  for (const serial of wanted) {
    const row = rows.rowOf(serial);
    const before = timeOf(row > 0 ? rows.at(row - 1) : null);
    const place = rows.at(row);
    if (place === null || rows.serialOf(place) !== serial) continue;
    rows.write(view, count++, place, before);
  }
  return { rows: count, buffer };
};

export const rowsBetween = (
  rows: ShownRows,
  { from, to }: RowSpan,
): { readonly rows: number; readonly buffer: ArrayBuffer } => {
  const ends = [rows.rowOf(from), rows.rowOf(to)];
  const last = Math.min(Math.max(...ends), rows.count - 1);
  const first = Math.max(0, Math.min(...ends), last - maxSelected + 1);
  const count = last - first + 1;
  const buffer = new ArrayBuffer(count * rowBytes);
  const view = new DataView(buffer);
  let before = first > 0 ? rows.at(first - 1) : null;
  for (let row = first; row <= last; row++) {
    const place = rows.at(row);
    if (place) rows.write(view, row - first, place, timeOf(before));
    before = place;
  }
  return { rows: count, buffer };
};
