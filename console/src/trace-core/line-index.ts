import { lowerBound, type RowPosition } from './chunk-view.ts';
import { writeLine } from './frame-row.ts';

/** Rows in the order in which they are shown. */
export interface RowList {
  readonly count: number;
  at(index: number): RowPosition | null;
}

export type CountLines = (place: RowPosition) => number;

export interface LinePlace {
  readonly row: number;
  /** Line below the row, from 1; 0 is the row itself. */
  readonly line: number;
}

/**
 * Rows and the lines below some of them, which share one numbering:
 *
 *     0  row 0
 *     1  row 1
 *     2    line 1
 *     3    line 2
 *     4  row 2
 *
 * Only rows with lines are stored, so finding a place is a binary search among them.
 */
export class LineIndex {
  readonly #rowCount: number;
  readonly #rows: Float64Array;
  /** Number of each row with lines, and after the last one the total. */
  readonly #starts: Float64Array;

  /** `expanded` are rows with their lines, in order. */
  constructor(rowCount: number, expanded: readonly (readonly [row: number, lines: number])[]) {
    this.#rowCount = rowCount;
    this.#rows = Float64Array.from(expanded, ([row]) => row);
    let lines = 0;
    this.#starts = Float64Array.from(expanded, ([row, own]) => {
      lines += own;
      return row + lines - own;
    });
    this.total = rowCount + lines;
  }

  readonly total: number;

  lineOf(row: number): number {
    const before = lowerBound(this.#rows, this.#rows.length, row);
    const nextRow = this.#rows[before] ?? this.#rowCount;
    return (this.#starts[before] ?? this.total) - (nextRow - row);
  }

  placeOf(line: number): LinePlace {
    const next = lowerBound(this.#starts, this.#starts.length, line + 1);
    const start = this.#starts[next - 1];
    if (start === undefined) return { row: line, line: 0 };
    const row = this.#rows[next - 1] as number;
    const following = this.#rows[next] ?? this.#rowCount;
    // Rows between this one and the next with lines have one number each.
    const end = (this.#starts[next] ?? this.total) - (following - row - 1);
    return line < end ? { row, line: line - start } : { row: row + 1 + line - end, line: 0 };
  }
}

/** The place from which the last lines fill the room. */
export const lastPlace = (rows: RowList, room: number, linesBelow: CountLines): LinePlace => {
  let row = rows.count;
  let left = room;
  while (row > 0 && left > 0) {
    row--;
    const place = rows.at(row);
    const own = place ? 1 + linesBelow(place) : 1;
    if (own > left) return { row, line: own - left };
    left -= own;
  }
  return { row, line: 0 };
};

/** Writes rows with their lines from a place on, as far as there is room; returns their number. */
export const writeLines = (
  view: DataView,
  rows: RowList,
  from: LinePlace,
  room: number,
  linesBelow: CountLines,
  write: (at: number, place: RowPosition) => void,
): number => {
  let at = 0;
  let { line } = from;
  for (let row = from.row; at < room; row++) {
    const place = rows.at(row);
    if (!place) break;
    const lines = linesBelow(place);
    for (; line <= lines && at < room; line++) {
      write(at, place);
      writeLine(view, at, line, lines);
      at++;
    }
    line = 0;
  }
  return at;
};
