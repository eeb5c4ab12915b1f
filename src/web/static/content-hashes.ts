import { createHash } from 'node:crypto';
import { type BigIntStats, readSync } from 'node:fs';

const chunkBytes = 64 * 1024;

/** What changes whenever a file's content does. */
export const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;

/** Hashes of files' content, the most recently used ones remembered. Holds no content. */
export class ContentHashes {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #known = new Map<string, string>();

  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Leaves the descriptor's position where it is. */
  of(fd: number, stats: BigIntStats): string {
    const version = versionOf(stats);
    const hash = this.#known.get(version) ?? hashOf(fd, Number(stats.size));
    this.#known.delete(version);
    this.#known.set(version, hash);
    if (this.#known.size > this.#capacity) this.#forgetOldest();
    return hash;
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** A file that shrinks meanwhile is hashed up to its end: its version is never asked for again. */
const hashOf = (fd: number, size: number): string => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(size, chunkBytes));
  for (let position = 0; position < size; ) {
    const read = readSync(fd, chunk, 0, Math.min(chunk.length, size - position), position);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    position += read;
  }
  return hash.digest('base64url');
};
