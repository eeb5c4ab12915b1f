import type { ByteSink } from '../trace/trace-format.ts';

const firstBytes = 64 * 1024;

interface Patch {
  /** Number of collected bytes that are written before it. */
  readonly after: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** What a collected piece is written to. Both return false if the disk refuses. */
export interface PieceTarget {
  append(bytes: Uint8Array): boolean;
  rewrite(at: number, bytes: Uint8Array): boolean;
}

/**
 * Collects output, so that it is written to disk completely or not at all. Changes of earlier
 * bytes keep their place in the order, so that a file is valid between any two of them.
 */
export class ChunkSink implements ByteSink {
  readonly #patches: Patch[] = [];
  #memory = new Uint8Array(firstBytes);
  #length = 0;
  #stored = 0;

  /** Bytes that are not in the file. */
  get length(): number {
    return this.#length - this.#stored;
  }

  /** Some of it is in the file already. */
  get isBegun(): boolean {
    return this.#stored > 0;
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(this.#stored, this.#length);
  }

  /** Continues where the disk refused the last time. */
  writeTo(target: PieceTarget): boolean {
    for (;;) {
      const [patch] = this.#patches;
      const end = patch?.after ?? this.#length;
      if (end > this.#stored) {
        if (!target.append(this.#memory.subarray(this.#stored, end))) return false;
        this.#stored = end;
      }
      if (!patch) break;
      if (!target.rewrite(patch.at, patch.bytes)) return false;
      this.#patches.shift();
    }
    this.clear();
    return true;
  }

  write(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) this.#grow(length);
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  rewrite(at: number, bytes: Uint8Array): void {
    this.#patches.push({ after: this.#length, at, bytes: bytes.slice() });
  }

  clear(): void {
    this.#length = 0;
    this.#stored = 0;
    this.#patches.length = 0;
  }

  #grow(length: number): void {
    const memory = new Uint8Array(Math.max(length, 2 * this.#memory.length));
    memory.set(this.#memory.subarray(0, this.#length));
    this.#memory = memory;
  }
}
