import type { ByteSink, ByteSource } from '../trace-format.ts';

/** Bytes in memory as a source that returns portions of the given sizes, in turn. */
export class MemorySource implements ByteSource {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #sizes: readonly number[];
  #at = 0;
  #turn = 0;

  constructor(bytes: Uint8Array, sizes: readonly number[] = []) {
    this.size = bytes.length;
    this.#bytes = bytes;
    this.#sizes = sizes;
  }

  read(into: Uint8Array): number {
    const length = this.readAt(into, this.#at);
    this.#at += length;
    return length;
  }

  readAt(into: Uint8Array, at: number): number {
    const size = this.#sizes[this.#turn++ % this.#sizes.length] ?? into.length;
    const part = this.#bytes.subarray(at, at + Math.min(size, into.length));
    into.set(part);
    return part.length;
  }
}

/** A sink that collects bytes, and cannot seek. */
export class StreamSink implements ByteSink {
  readonly #chunks: Buffer[] = [];

  /** Number of writes. */
  get writes(): number {
    return this.#chunks.length;
  }

  write(bytes: Uint8Array): void {
    this.#chunks.push(Buffer.from(bytes));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** A sink that collects bytes, like a file. */
export class FileSink extends StreamSink {
  readonly #rewritten: { at: number; bytes: Buffer }[] = [];

  rewrite(at: number, bytes: Uint8Array): void {
    this.#rewritten.push({ at, bytes: Buffer.from(bytes) });
  }

  override bytes(): Buffer {
    const all = super.bytes();
    for (const { at, bytes } of this.#rewritten) all.set(bytes, at);
    return all;
  }
}

/** A sink that accepts this many calls and fails at the next with the given error. */
export class FailingSink implements ByteSink {
  readonly #error: Error;
  #left: number;

  constructor(calls: number, error: Error) {
    this.#left = calls;
    this.#error = error;
  }

  write(): void {
    if (this.#left-- === 0) throw this.#error;
  }

  rewrite(): void {
    this.write();
  }
}
