import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { BusbarError } from '../errors/busbar-error.ts';
import { errnoOf } from '../errors/errno-of.ts';
import { ConfinedWalk, type Place } from './confined-walk.ts';
import { canOpenByDescriptor, openByDescriptor } from './descriptor-handle.ts';
import type { EntryHandle, OpenEntry } from './entry-handle.ts';
import { type FileVersion, isSameVersion } from './file-identity.ts';
import { type FileListing, listFiles } from './list-files.ts';
import { openByPath } from './path-handle.ts';
import {
  alreadyExists,
  assertNameable,
  busyFile,
  type NamedPath,
  notFound,
  refusalOf,
  unavailable,
} from './path-refusals.ts';

const keptName = 32;

const temporaryForm = /^(\d+)-(\d+)\.[0-9a-f]{12}\.tmp$/;

const prefixOf = (name: string): string => `.${name.slice(0, keptName)}.`;

const statOf = (pid: number): { readonly state: string; readonly start: string } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '0' };
  } catch {
    return undefined;
  }
};

const hasNumber = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) !== 'ESRCH';
  }
};

const endedStates = ['Z', 'X'];

const isRunning = (pid: number, start: string): boolean => {
  if (!hasNumber(pid)) return false;
  const stat = statOf(pid);
  return stat === undefined || (stat.start === start && !endedStates.includes(stat.state));
};

const newTemporaryName = (name: string): string =>
  `${prefixOf(name)}${process.pid}-${statOf(process.pid)?.start ?? 0}.${randomBytes(6).toString('hex')}.tmp`;

const isAbandoned = (entry: string, name: string): boolean => {
  const prefix = prefixOf(name);
  if (!entry.startsWith(prefix)) return false;
  const [, pid, start] = temporaryForm.exec(entry.slice(prefix.length)) ?? [];
  return pid !== undefined && start !== undefined && !isRunning(Number(pid), start);
};

const removeAbandonedFiles = (directory: EntryHandle, name: string): void => {
  try {
    for (const entry of directory.list()) {
      if (isAbandoned(entry, name)) directory.remove(entry);
    }
  } catch {}
};

export interface PathOptions {
  readonly field?: string | undefined;
  /** Throws to refuse a file, by its path in the root after all links. */
  readonly assertTarget?: ((path: string) => void) | undefined;
}

export interface ReplaceOptions extends PathOptions {
  readonly overwrite?: boolean | undefined;
  /**
   * The version to replace, or null for a new file. Fails with `busy` if the file has another
   * version.
   */
  readonly expected?: FileVersion | null | undefined;
}

export interface WriteOptions extends PathOptions {
  readonly create?: boolean;
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  /** Writes append, even while other programs write. */
  readonly append?: boolean;
  readonly mode?: number;
}

export interface OpenFile {
  readonly fd: number;
  readonly path: string;
}

export interface FileFacts {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly modifiedMs: number;
}

const newFileMode = 0o644;

const maxCreateAttempts = 8;

/**
 * A directory that client paths cannot leave: not by `..`, an absolute path or a link, even one
 * created while the path is being opened. Every file that a client names is opened here. Paths
 * are literal, relative to the root or absolute inside it. Links are followed while they stay
 * inside, and only regular files are opened. The root is held by handle, so a directory renamed
 * or replaced later stays the root. It belongs to the thread that opened it. Hard links, and
 * directories moved out of the root during a walk, count as inside: both require a user with
 * permissions on either side.
 */
export class ProjectRoot {
  readonly path: string;
  #pin: EntryHandle | undefined;

  private constructor(path: string, pin: EntryHandle) {
    this.path = path;
    this.#pin = pin;
  }

  static open(dir: string, options: PathOptions = {}, pinPath?: OpenEntry): ProjectRoot {
    const named = { path: dir, field: options.field };
    assertNameable(named);
    try {
      const pin = pinPath ?? (canOpenByDescriptor() ? openByDescriptor : openByPath);
      const path = realpathSync.native(dir);
      return new ProjectRoot(path, asDirectory(named, pin(path)));
    } catch (thrown) {
      throw refusalOf(named, thrown);
    }
  }

  resolve(path: string, options: PathOptions = {}): string {
    return this.stat(path, options).path;
  }

  stat(path: string, options: PathOptions = {}): FileFacts {
    const named = { path, field: options.field };
    return this.#visit(named, (place) => {
      const { stats } = existing(named, place);
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
      const { size, mtimeMs } = stats;
      return { path: place.path, kind, size: Number(size), modifiedMs: Number(mtimeMs) };
    });
  }

  openForReading(path: string, options: PathOptions = {}): OpenFile {
    const named = { path, field: options.field };
    return this.#visit(
      named,
      (place) => {
        const fd = regular(named, existing(named, place)).open(constants.O_RDONLY);
        return { fd, path: place.path };
      },
      options,
    );
  }

  openForWriting(path: string, options: WriteOptions = {}): OpenFile {
    const named = { path, field: options.field };
    for (let attempt = 0; attempt < maxCreateAttempts; attempt += 1) {
      const opened = this.#visit(named, (place) => openOrCreate(named, place, options));
      if (opened !== undefined) return opened;
    }
    throw unavailable(named, 'EAGAIN');
  }

  /**
   * Replaces a file atomically: readers see the old or the new content, even after a crash. The
   * target of a link is replaced, and the link stays. A temporary file of a killed writer stays
   * until the next replacement.
   */
  replaceFile(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions = {}): string {
    const { field, overwrite = true, expected } = options;
    const named = { path, field };
    const target = this.#visit(
      named,
      (place) => {
        if (place.pin !== undefined) {
          regular(named, place.pin);
          if (!overwrite) throw alreadyExists(named);
        }
        return { path: place.path, mode: Number(place.pin?.stats.mode ?? newFileMode) & 0o777 };
      },
      options,
    );
    const directory = this.subRoot(dirname(target.path), options);
    try {
      directory.#put(basename(target.path), { ...target, named, overwrite, expected }, pieces);
      return target.path;
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw refusalOf(named, thrown);
      throw overwrite ? changedMeanwhile(named) : alreadyExists(named);
    } finally {
      directory.close();
    }
  }

  /** Removes a file of that version. The target of a link is removed, and the link stays. */
  removeFile(path: string, expected: FileVersion, options: PathOptions = {}): void {
    const named = { path, field: options.field };
    const target = this.#visit(
      named,
      (place) => {
        regular(named, existing(named, place));
        return place.path;
      },
      options,
    );
    const directory = this.subRoot(dirname(target), options);
    try {
      const pin = directory.#pin as EntryHandle;
      assertVersion(named, pin, basename(target), expected);
      pin.remove(basename(target));
      syncDirectory(pin);
    } catch (thrown) {
      throw refusalOf(named, thrown);
    } finally {
      directory.close();
    }
  }

  openDirectoryOf(path: string, options: PathOptions = {}): number {
    const named = { path, field: options.field };
    const target = this.#visit(named, (place) => place.path, options);
    const directory = this.subRoot(dirname(target), options);
    try {
      return (directory.#pin as EntryHandle).open(constants.O_RDONLY);
    } catch (thrown) {
      throw refusalOf(named, thrown);
    } finally {
      directory.close();
    }
  }

  list(endings: readonly string[]): FileListing {
    const named = { path: this.path, field: undefined };
    if (this.#pin === undefined) throw unavailable(named, 'EBADF');
    return listFiles(this.#pin, endings);
  }

  subRoot(path: string, options: PathOptions = {}): ProjectRoot {
    const named = { path, field: options.field };
    return this.#visit(named, (place) => {
      const pin = asDirectory(named, existing(named, place).again());
      return new ProjectRoot(place.path, pin);
    });
  }

  close(): void {
    this.#pin?.release();
    this.#pin = undefined;
  }

  #put(
    name: string,
    { mode, named, overwrite, expected }: Replacement,
    pieces: Iterable<Uint8Array>,
  ): void {
    const pin = this.#pin as EntryHandle;
    removeAbandonedFiles(pin, name);
    const temporary = newTemporaryName(name);
    const fd = pin.create(temporary, constants.O_WRONLY, mode);
    try {
      try {
        for (const piece of pieces) writeFileSync(fd, piece);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      if (expected) assertVersion(named, pin, name, expected);
      if (overwrite && expected !== null) pin.rename(temporary, name);
      else pin.renameToFree(temporary, name);
    } catch (thrown) {
      pin.remove(temporary);
      throw thrown;
    }
    syncDirectory(pin);
  }

  #visit<T>(named: NamedPath, use: (place: Place) => T, { assertTarget }: PathOptions = {}): T {
    assertNameable(named);
    if (this.#pin === undefined) throw unavailable(named, 'EBADF');
    const walk = new ConfinedWalk(this.#pin, this.path, named);
    try {
      const place = walk.finish();
      assertTarget?.(relative(this.path, place.path));
      return use(place);
    } catch (thrown) {
      throw refusalOf(named, thrown);
    } finally {
      walk.release();
    }
  }
}

interface Replacement extends Required<Pick<ReplaceOptions, 'expected'>> {
  readonly named: NamedPath;
  readonly mode: number;
  readonly overwrite: boolean;
}

const changedMeanwhile = (named: NamedPath): BusbarError =>
  busyFile(named, 'another program has changed it');

const assertVersion = (
  named: NamedPath,
  directory: EntryHandle,
  name: string,
  expected: FileVersion,
): void => {
  const found = directory.look(name);
  try {
    if (!isSameVersion(found.stats, expected)) throw changedMeanwhile(named);
  } finally {
    found.release();
  }
};

const syncDirectory = (pin: EntryHandle): void => {
  if (process.platform === 'win32') return;
  const fd = pin.open(constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

const existing = (named: NamedPath, { pin }: Place): EntryHandle => {
  if (pin === undefined) throw notFound(named);
  return pin;
};

const regular = (named: NamedPath, pin: EntryHandle): EntryHandle => {
  if (!pin.stats.isFile()) throw unavailable(named, 'not_a_file');
  return pin;
};

const asDirectory = (named: NamedPath, pin: EntryHandle): EntryHandle => {
  if (pin.stats.isDirectory()) return pin;
  pin.release();
  throw unavailable(named, 'not_a_directory');
};

/**
 * Returns undefined if another program created the file in the meantime; the caller walks again.
 */
const openOrCreate = (
  named: NamedPath,
  place: Place,
  { create = false, exclusive = false, truncate = false, append = false, mode }: WriteOptions,
): OpenFile | undefined => {
  const flags = constants.O_WRONLY | (append ? constants.O_APPEND : 0);
  if (place.pin !== undefined) {
    if (exclusive) throw unavailable(named, 'EEXIST');
    const pin = regular(named, place.pin);
    return { fd: pin.open(flags | (truncate ? constants.O_TRUNC : 0)), path: place.path };
  }
  if (!create && !exclusive) throw notFound(named);
  try {
    return { fd: place.directory.create(place.name, flags, mode ?? 0o666), path: place.path };
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return undefined;
    throw thrown;
  }
};
