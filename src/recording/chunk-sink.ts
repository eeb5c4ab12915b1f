import type { ByteSink } from '../trace/trace-format.ts';

const firstBytes = 64 * 1024;

/** Gathers what a trace writer writes, so that it reaches the disk as one piece or not at all. */
export class ChunkSink implements ByteSink {
  #memory = new Uint8Array(firstBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was gathered; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  write(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) this.#grow(length);
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(length: number): void {
    const memory = new Uint8Array(Math.max(length, 2 * this.#memory.length));
    memory.set(this.bytes);
    this.#memory = memory;
  }
}
