import { maxFdLength } from '../../../src/frame/dlc.ts';
import type { FrameChunk } from './frame-chunk.ts';

const maxBits = 8 * maxFdLength;

/** Set in a cell if the bit had changed before the mark. */
export const seenBefore = 8;

/** How often a bit changed, per frame, from `rarely` to `mostly`; 0 for never. */
export const levels = { never: 0, rarely: 1, sometimes: 2, often: 3, mostly: 4 } as const;

/** Least number of changes per frame of `sometimes`, `often` and `mostly`. */
export const levelShares = [0.01, 0.1, 0.5] as const;

const levelOf = (changes: number, frames: number): number => {
  if (changes === 0) return levels.never;
  const [sometimes, often, mostly] = levelShares;
  const share = changes / frames;
  if (share >= mostly) return levels.mostly;
  if (share >= often) return levels.often;
  return share >= sometimes ? levels.sometimes : levels.rarely;
};

/**
 * How often each bit of each row of a table by ID changed, in all and since the mark. Bits are
 * numbered 8 × byte + bit, where bit 0 is the least significant.
 */
export class BitChanges {
  readonly #changes: Uint32Array;
  readonly #changesAtMark: Uint32Array;
  readonly #frames: Uint32Array;
  readonly #framesAtMark: Uint32Array;

  constructor(capacity: number) {
    // Pages of memory that no row uses are not allocated.
    this.#changes = new Uint32Array(capacity * maxBits);
    this.#changesAtMark = new Uint32Array(capacity * maxBits);
    this.#frames = new Uint32Array(capacity);
    this.#framesAtMark = new Uint32Array(capacity);
  }

  addRow(row: number): void {
    const [from, end] = [row * maxBits, (row + 1) * maxBits];
    this.#changes.fill(0, from, end);
    this.#changesAtMark.fill(0, from, end);
    this.#frames[row] = 0;
    this.#framesAtMark[row] = 0;
  }

  /** Compares a frame with `last`, which still has the frame before. Returns whether it differs. */
  take(row: number, last: FrameChunk, chunk: FrameChunk, from: number): boolean {
    const isFirst = this.#frames[row] === 0;
    this.#frames[row] = (this.#frames[row] as number) + 1;
    if (isFirst) return false;
    const before = last.length[row] as number;
    const now = chunk.length[from] as number;
    const common = Math.min(before, now);
    const old = row * maxFdLength;
    const fresh = from * maxFdLength;
    let isChanged = before !== now;
    for (let i = 0; i < common; i++) {
      let bits = (last.payload[old + i] as number) ^ (chunk.payload[fresh + i] as number);
      if (bits === 0) continue;
      isChanged = true;
      const to = row * maxBits + 8 * i;
      for (let bit = to; bits !== 0; bit++, bits >>= 1) {
        if ((bits & 1) !== 0) this.#changes[bit] = (this.#changes[bit] as number) + 1;
      }
    }
    return isChanged;
  }

  /** Later changes are those since the mark. */
  mark(rows: number): void {
    this.#changesAtMark.set(this.#changes.subarray(0, rows * maxBits));
    this.#framesAtMark.set(this.#frames.subarray(0, rows));
  }

  unmark(rows: number): void {
    this.#changesAtMark.fill(0, 0, rows * maxBits);
    this.#framesAtMark.fill(0, 0, rows);
  }

  framesOf(row: number): number {
    return (this.#frames[row] as number) - (this.#framesAtMark[row] as number);
  }

  /** True for an ID without a frame before the mark. */
  isNew(row: number): boolean {
    return this.#framesAtMark[row] === 0;
  }

  /** Writes a cell per bit: its level since the mark, and `seenBefore`. */
  writeCells(row: number, bytes: number, to: Uint8Array, at: number): void {
    const frames = this.framesOf(row);
    for (let bit = 0; bit < 8 * bytes; bit++) {
      const before = this.#changesAtMark[row * maxBits + bit] as number;
      const since = (this.#changes[row * maxBits + bit] as number) - before;
      to[at + bit] = levelOf(since, frames) | (before > 0 ? seenBefore : 0);
    }
  }

  /** Changes of each bit since the mark. */
  countsOf(row: number, bytes: number): Uint32Array {
    const from = row * maxBits;
    return Uint32Array.from(
      { length: 8 * bytes },
      (_, bit) =>
        (this.#changes[from + bit] as number) - (this.#changesAtMark[from + bit] as number),
    );
  }

  copyFrom(other: BitChanges, rows: number): void {
    this.#changes.set(other.#changes.subarray(0, rows * maxBits));
    this.#changesAtMark.set(other.#changesAtMark.subarray(0, rows * maxBits));
    this.#frames.set(other.#frames.subarray(0, rows));
    this.#framesAtMark.set(other.#framesAtMark.subarray(0, rows));
  }
}
