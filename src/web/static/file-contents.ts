import { type BigIntStats, readSync } from 'node:fs';
import { versionOf } from './content-hashes.ts';

/** Enough for the packaged console many times over. */
const defaultCapacity = 8 * 1024 * 1024;

/** What an entry takes beside its content, so that empty files count, too. */
const entryBytes = 512;

/** Contents of files, the most recently used ones kept: however many ask, all get the same bytes. */
export class FileContents {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Bytes that it takes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Leaves the descriptor's position where it is. */
  of(fd: number, stats: BigIntStats): Buffer {
    const version = versionOf(stats);
    const known = this.#kept.get(version);
    const content = known ?? contentOf(fd, Number(stats.size));
    this.#kept.delete(version);
    this.#kept.set(version, content);
    if (!known) this.#bytes += content.length + entryBytes;
    while (this.#bytes > this.#capacity) this.#forgetOldest();
    return content;
  }

  #forgetOldest(): void {
    for (const [version, { length }] of this.#kept) {
      this.#kept.delete(version);
      this.#bytes -= length + entryBytes;
      return;
    }
  }
}

/** A file that shrinks meanwhile is read up to its end. */
const contentOf = (fd: number, size: number): Buffer => {
  const content = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, content, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return content.subarray(0, length);
};
