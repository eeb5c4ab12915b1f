import { lowerBound, type RowPosition, type RowView } from '../trace-core/chunk-view.ts';
import { FrameChunk } from '../trace-core/frame-chunk.ts';
import type { PackedChunk } from './packed-chunk.ts';

/** Rows that remain where `at` has put them until as many others are asked for. */
const shownTogether = 64;
const rowsPerBlock = 256;
const none = new Uint16Array(0);

/** Rows of a chunk that pass a filter; null for all. */
type Matches = Uint16Array | null;

/** Rows of a file as they are at one time, and which of them pass the filter. */
export class FileView implements RowView {
  readonly chunks: readonly PackedChunk[];
  readonly rows: number;
  readonly count: number;
  readonly #matches: readonly Matches[];
  /** Number of shown rows before each chunk. */
  readonly #starts: Float64Array;
  readonly #unpacked = new FrameChunk(shownTogether);
  #next = 0;

  constructor(chunks: readonly PackedChunk[], isFiltered: boolean) {
    this.chunks = chunks;
    this.#matches = chunks.map(({ matches }) => (isFiltered ? (matches ?? none) : null));
    this.#starts = new Float64Array(chunks.length);
    let [rows, count] = [0, 0];
    for (const [at, chunk] of chunks.entries()) {
      this.#starts[at] = count;
      rows += chunk.count;
      count += this.#matches[at]?.length ?? chunk.count;
    }
    this.rows = rows;
    this.count = count;
  }

  at(index: number): RowPosition | null {
    if (index < 0 || index >= this.count) return null;
    const at = this.#chunkOf(index);
    const rest = index - (this.#starts[at] as number);
    const row = this.#next++ % shownTogether;
    this.chunks[at]?.unpack(this.#matches[at]?.[rest] ?? rest, this.#unpacked, row);
    return { chunk: this.#unpacked, row };
  }

  indexOf(serial: number): number {
    for (const [at, chunk] of this.chunks.entries()) {
      const row = Math.max(0, serial - chunk.first);
      if (row >= chunk.count) continue;
      const matches = this.#matches[at];
      return (
        (this.#starts[at] as number) + (matches ? lowerBound(matches, matches.length, row) : row)
      );
    }
    return this.count;
  }

  [Symbol.iterator](): Iterator<RowPosition> {
    return this.#unpack(this.#matches);
  }

  unfiltered(): Iterable<RowPosition> {
    return this.#unpack([]);
  }

  eachBackwards(take: (chunk: FrameChunk, row: number) => boolean): void {
    const one = new FrameChunk(1);
    for (const chunk of this.chunks.toReversed()) {
      for (let row = chunk.count - 1; row >= 0; row--) {
        chunk.unpack(row, one, 0);
        if (!take(one, 0)) return;
      }
    }
  }

  /** A reader may wait between two rows. */
  *#unpack(matches: readonly Matches[]): Generator<RowPosition> {
    const block = new FrameChunk(rowsPerBlock);
    for (const [at, chunk] of this.chunks.entries()) {
      const own = matches[at];
      const count = own?.length ?? chunk.count;
      for (let shown = 0; shown < count; shown++) {
        const row = shown % rowsPerBlock;
        chunk.unpack(own?.[shown] ?? shown, block, row);
        yield { chunk: block, row };
      }
    }
  }

  #chunkOf(index: number): number {
    // Chunks without a shown row begin where the next one does.
    return lowerBound(this.#starts, this.#starts.length, index + 1) - 1;
  }
}
