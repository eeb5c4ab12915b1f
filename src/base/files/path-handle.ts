import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { EntryHandle, OpenEntry } from './entry-handle.ts';
import { renameToFree } from './rename-to-free.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_TRUNC } = constants;

const isSame = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino && one.dev === other.dev;

const stale = (path: string): Error =>
  Object.assign(new Error(`ESTALE: ${path} was replaced while it was being opened`), {
    code: 'ESTALE',
  });

const closedOnFailure = (fd: number, check: () => void): number => {
  try {
    check();
    return fd;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
};

const assertInPlace = (fd: number, path: string, expected?: BigIntStats): void => {
  const held = fstatSync(fd, { bigint: true });
  const inPlace =
    realpathSync.native(path) === path &&
    isSame(held, lstatSync(path, { bigint: true })) &&
    isSame(held, expected ?? held);
  if (!inPlace) throw stale(path);
};

/**
 * For systems without /proc. The walk has resolved every link, so the path is canonical. After
 * the open, the path must still be canonical and lead to the open file; only then is the
 * content truncated. Two attacks remain that descriptors prevent. If a directory is replaced by
 * a link just before a file is created, an empty file appears at the link target, and the call
 * fails. A program that swaps entries back and forth at the right moments passes the check. If
 * the file system ignores case, names must be spelled as stored.
 */
class PathHandle implements EntryHandle {
  readonly stats: BigIntStats;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.stats = lstatSync(path, { bigint: true });
  }

  look(name: string): EntryHandle {
    return new PathHandle(join(this.#path, name));
  }

  list(): string[] {
    return readdirSync(this.#path);
  }

  readLink(name: string): string {
    return readlinkSync(join(this.#path, name));
  }

  create(name: string, flags: number, mode: number): number {
    const path = join(this.#path, name);
    const fd = openSync(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    return closedOnFailure(fd, () => assertInPlace(fd, path));
  }

  rename(from: string, to: string): void {
    renameSync(join(this.#path, from), join(this.#path, to));
  }

  renameToFree(from: string, to: string): void {
    renameToFree(join(this.#path, from), join(this.#path, to));
  }

  remove(name: string): void {
    rmSync(join(this.#path, name), { force: true });
  }

  open(flags: number): number {
    // O_NONBLOCK keeps a FIFO at this path from blocking.
    const fd = openSync(this.#path, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK);
    return closedOnFailure(fd, () => {
      assertInPlace(fd, this.#path, this.stats);
      if ((flags & O_TRUNC) !== 0) ftruncateSync(fd);
    });
  }

  again(): EntryHandle {
    return new PathHandle(this.#path);
  }

  release(): void {}
}

export const openByPath: OpenEntry = (path) => new PathHandle(path);
