import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsync,
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
import {
  alreadyExists,
  messageOfReason,
  reasonOfErrno,
  refusalOf,
} from '../base/files/path-refusals.ts';
import { ProjectRoot } from '../base/files/project-root.ts';

const messages: Readonly<Record<string, string>> = {
  removed: 'The file was removed or moved',
  replaced: 'The file was replaced',
  truncated: 'The file was truncated by another program',
  stalled: 'The storage device does not respond',
};

/** Returns the reason of a failed system call; rethrows other errors. */
const reasonOf = (thrown: unknown): string => {
  const errno = errnoOf(thrown);
  if (errno === undefined) throw thrown;
  return errno === 'ESTALE' ? 'removed' : reasonOfErrno(errno);
};

export const fileFailure = (file: string, reason: string): BusbarError =>
  new BusbarError('file_unavailable', {
    message: `${messages[reason] ?? messageOfReason(reason) ?? 'Cannot write the file'}: ${file}`,
    details: { field: 'file', path: file, reason },
  });

export interface FileCalls {
  write(fd: number, bytes: Uint8Array, offset: number, position: number): number;
  truncate(fd: number, size: number): void;
  sync(fd: number): void;
  /** Does not block: a slow device delays no event. */
  syncLater(fd: number, done: (error: Error | null) => void): void;
}

export const systemCalls: FileCalls = {
  write: (fd, bytes, offset, position) =>
    writeSync(fd, bytes, offset, bytes.length - offset, position),
  truncate: (fd, size) => ftruncateSync(fd, size),
  sync: (fd) => fsyncSync(fd),
  syncLater: (fd, done) => fsync(fd, done),
};

export interface RecordingFileOptions {
  readonly projectRoot: string;
  readonly file: string;
  readonly overwrite: boolean;
  readonly replayed?: readonly FileIdentity[];
}

const field = 'file';

/**
 * A file with a known valid length. Bytes beyond it are cut, so a failing disk leaves a
 * complete file.
 */
export class RecordingFile {
  readonly path: string;
  size = 0;
  failure: string | null = null;
  readonly #fd: number;
  readonly #calls: FileCalls;
  readonly #isNew: boolean;
  #isSyncing = false;
  #isClosing = false;
  readonly #afterSync: (() => void)[] = [];
  #syncLoss: string | null = null;

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
      if (overwrite) emptyUnless(replayed ?? [], fd, path);
      return new RecordingFile(path, fd, !overwrite, calls);
    } catch (thrown) {
      if (!isThere(thrown)) throw thrown;
      requireFile(root, file);
      throw alreadyExists({ path: file, field });
    } finally {
      root.close();
    }
  }

  /**
   * Appends after the valid part and returns the number of bytes written. If it is smaller,
   * `failure` has the reason.
   */
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

  /** Overwrites valid bytes; returns false on failure. */
  rewrite(at: number, bytes: Uint8Array): boolean {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += this.#calls.write(this.#fd, bytes, done, at + done);
      }
      return true;
    } catch (thrown) {
      this.failure = reasonOf(thrown);
      return false;
    }
  }

  keep(count: number): void {
    this.size += count;
  }

  shrink(size: number): void {
    this.size = size;
    this.cut();
  }

  /** Removes invalid bytes. A failing device can refuse. */
  cut(): void {
    try {
      this.#calls.truncate(this.#fd, this.size);
    } catch (thrown) {
      this.failure = reasonOf(thrown);
    }
  }

  /** Returns why further writing is pointless, or null. */
  lossReason(): string | null {
    if (this.#syncLoss !== null) return this.#syncLoss;
    try {
      const own = fstatSync(this.#fd, { bigint: true });
      if (own.size < this.size) return 'truncated';
      return isSame(own, lstatSync(this.path, { bigint: true })) ? null : 'replaced';
    } catch (thrown) {
      const errno = errnoOf(thrown);
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'removed';
      // An unreadable directory can still contain the file.
      return errno === 'EACCES' ? null : reasonOf(thrown);
    }
  }

  sync(): string | null {
    try {
      this.#calls.sync(this.#fd);
      return null;
    } catch (thrown) {
      return reasonOf(thrown);
    }
  }

  /** Syncs in the background, one call at a time. A failure is a reason for loss. */
  syncLater(done: () => void = () => undefined): void {
    if (this.#isSyncing) {
      this.#afterSync.push(() => this.syncLater(done));
      return;
    }
    this.#isSyncing = true;
    this.#calls.syncLater(this.#fd, (error) => {
      this.#isSyncing = false;
      if (error) this.#syncLoss = reasonOf(error);
      done();
      const next = this.#afterSync.shift();
      if (next) next();
      else if (this.#isClosing) closeSync(this.#fd);
    });
  }

  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Waits for a sync in progress, because the number of a closed descriptor is used again. */
  close(): void {
    this.#isClosing = true;
    if (!this.#isSyncing) closeSync(this.#fd);
  }

  /** Closes an unused file, and removes it unless it existed before. */
  discard(): void {
    try {
      if (this.#isNew) this.#unlink();
    } finally {
      this.close();
    }
  }

  /** Uses the directory that contains the file, because its path can have changed. */
  #unlink(): void {
    const directory = openSync(dirname(this.path), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const name = `/proc/self/fd/${directory}/${basename(this.path)}`;
      const own = fstatSync(this.#fd, { bigint: true });
      if (isSame(own, lstatSync(name, { bigint: true }))) unlinkSync(name);
    } catch (thrown) {
      reasonOf(thrown);
    } finally {
      closeSync(directory);
    }
  }
}

const emptyUnless = (replayed: readonly FileIdentity[], fd: number, path: string): void => {
  try {
    const own = identityOf(fd);
    if (replayed.some((other) => isSameFile(own, other))) {
      throw new BusbarError('busy', {
        message: 'The file is being replayed: log to another file, or stop the replay first',
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

const requireFile = (root: ProjectRoot, file: string): void => {
  try {
    closeSync(root.openForReading(file, { field }).fd);
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.details.reason === 'not_a_file') throw thrown;
  }
};
