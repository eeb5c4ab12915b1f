import type { ByteSource } from '../../../src/trace/trace-format.ts';

const blockBytes = 1024 * 1024;
/** MF4 files interleave their groups, so a reader moves between several blocks. */
const keptBlocks = 16;

/** Reads bytes of a file from an offset, synchronously. */
export type ReadBytes = (from: number, to: number) => Uint8Array;

/** Exists in workers only, whose types the console does not load. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

export const bytesOfBlob = (blob: Blob): ReadBytes => {
  const reader = new FileReaderSync();
  return (from, to) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, to)));
};

/** Source of a trace that keeps the blocks read last, because one access costs a millisecond. */
export class BlobSource implements ByteSource {
  readonly size: number;
  readonly #readBytes: ReadBytes;
  readonly #blocks = new Map<number, Uint8Array>();
  #at = 0;

  constructor(size: number, readBytes: ReadBytes) {
    this.size = size;
    this.#readBytes = readBytes;
  }

  read(into: Uint8Array): number {
    const length = this.readAt(into, this.#at);
    this.#at += length;
    return length;
  }

  /** Returns fewer bytes at the end of a block. */
  readAt(into: Uint8Array, at: number): number {
    if (at >= this.size) return 0;
    const index = Math.floor(at / blockBytes);
    const from = at - index * blockBytes;
    const part = this.#block(index).subarray(from, from + into.length);
    into.set(part);
    return part.length;
  }

  #block(index: number): Uint8Array {
    const from = index * blockBytes;
    const block =
      this.#blocks.get(index) ?? this.#readBytes(from, Math.min(this.size, from + blockBytes));
    this.#blocks.delete(index);
    this.#blocks.set(index, block);
    if (this.#blocks.size > keptBlocks) {
      const [oldest = index] = this.#blocks.keys();
      this.#blocks.delete(oldest);
    }
    return block;
  }
}
