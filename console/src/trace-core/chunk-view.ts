import type { FrameChunk } from './frame-chunk.ts';

/** Rows that are searched before other events are handled. */
export const rowsPerTurn = 8192;

export interface RowPosition {
  readonly chunk: FrameChunk;
  readonly row: number;
}

export const lowerBound = (
  values: Uint16Array | Float64Array,
  count: number,
  wanted: number,
): number => {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Rows of a source in their order, filtered or not. */
export interface RowView extends Iterable<RowPosition> {
  /** Where the rows are. Other chunks, or another number of rows, are another content. */
  readonly chunks: readonly unknown[];
  readonly rows: number;
  /** Rows that pass the filter; an iteration has only these. */
  readonly count: number;
  at(index: number): RowPosition | null;
  /** Index of the row with that serial, or of the next filtered one. */
  indexOf(serial: number): number;
  unfiltered(): Iterable<RowPosition>;
  /**
   * All rows from the newest to the oldest, filtered or not, without an object per row, until
   * `take` returns false.
   */
  eachBackwards(take: (chunk: FrameChunk, row: number) => boolean): void;
}

export class ChunkView implements RowView {
  readonly chunks: readonly FrameChunk[];
  readonly #isFiltered: boolean;
  readonly #lastRows: number;

  constructor(
    chunks: readonly FrameChunk[],
    isFiltered: boolean,
    lastRows = Number.POSITIVE_INFINITY,
  ) {
    this.chunks = chunks;
    this.#isFiltered = isFiltered;
    this.#lastRows = lastRows;
  }

  sealed(): ChunkView {
    return new ChunkView(this.chunks, this.#isFiltered, this.chunks.at(-1)?.count ?? 0);
  }

  with(older: FrameChunk): ChunkView {
    const lastRows = this.chunks.length === 0 ? older.count : this.#lastRows;
    return new ChunkView([older, ...this.chunks], this.#isFiltered, lastRows);
  }

  inserted(chunk: FrameChunk, row: number): ChunkView {
    const isLater = chunk !== this.chunks.at(-1) || row >= this.#lastRows;
    return isLater ? this : new ChunkView(this.chunks, this.#isFiltered, this.#lastRows + 1);
  }

  without(chunks: ReadonlySet<FrameChunk>): ChunkView {
    const left = this.chunks.filter((chunk) => !chunks.has(chunk));
    return new ChunkView(left, this.#isFiltered, this.#lastRows);
  }

  filtered(isFiltered: boolean): ChunkView {
    return new ChunkView(this.chunks, isFiltered, this.#lastRows);
  }

  get rows(): number {
    return this.chunks.reduce((sum, chunk, i) => sum + this.#rowsOf(chunk, i), 0);
  }

  get count(): number {
    return this.chunks.reduce((sum, chunk, i) => sum + this.#shownOf(chunk, i), 0);
  }

  at(index: number): RowPosition | null {
    let rest = index;
    for (const [i, chunk] of this.chunks.entries()) {
      const shown = this.#shownOf(chunk, i);
      if (rest < shown) {
        return { chunk, row: this.#isFiltered ? (chunk.matches[rest] as number) : rest };
      }
      rest -= shown;
    }
    return null;
  }

  indexOf(serial: number): number {
    let index = 0;
    for (const [i, chunk] of this.chunks.entries()) {
      const rows = this.#rowsOf(chunk, i);
      const before = lowerBound(chunk.serial, rows, serial);
      if (before < rows) {
        return index + (this.#isFiltered ? this.#shownBefore(chunk, before) : before);
      }
      index += this.#shownOf(chunk, i);
    }
    return index;
  }

  *[Symbol.iterator](): Generator<RowPosition> {
    for (const [i, chunk] of this.chunks.entries()) {
      const shown = this.#shownOf(chunk, i);
      for (let at = 0; at < shown; at++) {
        yield { chunk, row: this.#isFiltered ? (chunk.matches[at] as number) : at };
      }
    }
  }

  *unfiltered(): Generator<RowPosition> {
    for (const [i, chunk] of this.chunks.entries()) {
      const rows = this.#rowsOf(chunk, i);
      for (let row = 0; row < rows; row++) yield { chunk, row };
    }
  }

  eachBackwards(take: (chunk: FrameChunk, row: number) => boolean): void {
    for (let i = this.chunks.length - 1; i >= 0; i--) {
      const chunk = this.chunks[i] as FrameChunk;
      for (let row = this.#rowsOf(chunk, i) - 1; row >= 0; row--) if (!take(chunk, row)) return;
    }
  }

  #rowsOf(chunk: FrameChunk, index: number): number {
    return index === this.chunks.length - 1 ? Math.min(chunk.count, this.#lastRows) : chunk.count;
  }

  #shownOf(chunk: FrameChunk, index: number): number {
    const rows = this.#rowsOf(chunk, index);
    if (!this.#isFiltered) return rows;
    return rows === chunk.count ? chunk.matchCount : this.#shownBefore(chunk, rows);
  }

  #shownBefore(chunk: FrameChunk, row: number): number {
    return lowerBound(chunk.matches, chunk.matchCount, row);
  }
}
