import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { errnoOf } from '../base/errors/errno-of.ts';
import { type FileIdentity, identityOf, isSameFile } from '../base/files/file-identity.ts';
import { alreadyExists, refusalOf } from '../base/files/path-refusals.ts';
import { ProjectRoot } from '../base/files/project-root.ts';
import { reasonOf } from './file-failure.ts';

/** The calls that a disk can refuse, so that a test can refuse them. */
export interface FileCalls {
  /** Writes the rest of the bytes from an offset on, to a place in the file; answers how many. */
  write(fd: number, bytes: Uint8Array, offset: number, position: number): number;
  truncate(fd: number, size: number): void;
  sync(fd: number): void;
}

export const systemCalls: FileCalls = {
  write: (fd, bytes, offset, position) =>
    writeSync(fd, bytes, offset, bytes.length - offset, position),
  truncate: (fd, size) => ftruncateSync(fd, size),
  sync: (fd) => fsyncSync(fd),
};

export interface RecordingFileOptions {
  readonly projectRoot: string;
  /** As the caller named it. */
  readonly file: string;
  /** Takes the place of a file that exists; else that is refused. */
  readonly overwrite: boolean;
  /** The file that is being replayed: it is needed as it is. */
  readonly replayed?: FileIdentity | null;
}

const field = 'file';

/**
 * A file that grows at its end and knows how far it is good. What was written beyond that can be
 * cut off, so that a disk that fails in the middle of something leaves what is complete.
 */
export class RecordingFile {
  /** Canonical absolute path. */
  readonly path: string;
  /** Bytes that are complete and stay. */
  size = 0;
  /** Why the last append did not get through; null if it did. */
  failure: string | null = null;
  readonly #fd: number;
  readonly #calls: FileCalls;
  readonly #isNew: boolean;

  private constructor(path: string, fd: number, isNew: boolean, calls: FileCalls) {
    this.path = path;
    this.#fd = fd;
    this.#isNew = isNew;
    this.#calls = calls;
  }

  static open(
    { projectRoot, file, overwrite, replayed }: RecordingFileOptions,
    calls: FileCalls = systemCalls,
  ): RecordingFile {
    const root = ProjectRoot.open(projectRoot, { field });
    try {
      const how = overwrite ? { create: true } : { exclusive: true };
      const { fd, path } = root.openForWriting(file, { field, ...how });
      if (overwrite) emptyUnless(replayed ?? null, fd, path);
      return new RecordingFile(path, fd, !overwrite, calls);
    } catch (thrown) {
      if (!isThere(thrown)) throw thrown;
      requireFile(root, file);
      throw alreadyExists({ path: file, field });
    } finally {
      root.close();
    }
  }

  /** Writes behind what is good. How many bytes got through; if not all, `failure` says why. */
  append(bytes: Uint8Array): number {
    let done = 0;
    this.failure = null;
    try {
      while (done < bytes.length) {
        done += this.#calls.write(this.#fd, bytes, done, this.size + done);
      }
    } catch (thrown) {
      this.failure = reasonOf(thrown);
    }
    return done;
  }

  /** So many of the bytes appended last are good. */
  keep(count: number): void {
    this.size += count;
  }

  /** Gives up what lies behind a place in what was good. */
  shrink(size: number): void {
    this.size = size;
    this.cut();
  }

  /** Cuts off what is not good. A device that fails altogether may not even do that. */
  cut(): void {
    try {
      this.#calls.truncate(this.#fd, this.size);
    } catch (thrown) {
      this.failure = reasonOf(thrown);
    }
  }

  /** Why writing on would be in vain although the system lets us; null if it would not. */
  lossReason(): string | null {
    try {
      const own = fstatSync(this.#fd, { bigint: true });
      if (own.size < this.size) return 'truncated';
      return isSame(own, lstatSync(this.path, { bigint: true })) ? null : 'replaced';
    } catch (thrown) {
      const errno = errnoOf(thrown);
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'removed';
      // A directory that may no longer be looked into may well hold the file still.
      return errno === 'EACCES' ? null : reasonOf(thrown);
    }
  }

  /** Brings everything to the disk; why that failed, or null. */
  sync(): string | null {
    try {
      this.#calls.sync(this.#fd);
      return null;
    } catch (thrown) {
      return reasonOf(thrown);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Closes a file that nothing came of, and removes it unless it was there before. */
  discard(): void {
    try {
      if (this.#isNew) this.#unlink();
    } finally {
      this.close();
    }
  }

  /** In the directory that does hold the file, whatever its path leads to by now. */
  #unlink(): void {
    const directory = openSync(dirname(this.path), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const name = `/proc/self/fd/${directory}/${basename(this.path)}`;
      const own = fstatSync(this.#fd, { bigint: true });
      if (isSame(own, lstatSync(name, { bigint: true }))) unlinkSync(name);
    } catch (thrown) {
      // It stays behind, empty: there is nothing to lose in it.
      reasonOf(thrown);
    } finally {
      closeSync(directory);
    }
  }
}

/** Empties an open file, unless it is the one that is being replayed. */
const emptyUnless = (replayed: FileIdentity | null, fd: number, path: string): void => {
  try {
    if (replayed && isSameFile(identityOf(fd), replayed)) {
      throw new BusbarError('busy', {
        message: 'The file is being replayed: log to another one, or stop the replay first',
        details: { field, path, reason: 'replayed' },
      });
    }
    ftruncateSync(fd, 0);
  } catch (thrown) {
    closeSync(fd);
    throw refusalOf({ path, field }, thrown);
  }
};

const isSame = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino && one.dev === other.dev;

const isThere = (thrown: unknown): thrown is BusbarError =>
  thrown instanceof BusbarError && thrown.details.reason === 'EEXIST';

/** Refuses a folder or a pipe for what it is: a recording could not replace it. */
const requireFile = (root: ProjectRoot, file: string): void => {
  try {
    closeSync(root.openForReading(file, { field }).fd);
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.details.reason === 'not_a_file') throw thrown;
  }
};
