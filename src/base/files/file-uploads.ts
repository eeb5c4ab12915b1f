import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import type { Clock, Timer } from '../clock/clock.ts';
import { BusbarError, invalidArgument } from '../errors/busbar-error.ts';
import { type FileVersion, versionText } from './file-identity.ts';
import type { FileUpload } from './file-upload.ts';
import { alreadyExists, busyFile, type NamedPath, notFound, refusalOf } from './path-refusals.ts';
import { ProjectRoot } from './project-root.ts';
import { writeAllAt } from './write-all.ts';

const field = 'file';
const copyBytes = 1024 * 1024;

export interface FilePart {
  readonly file: string;
  readonly data: Uint8Array;
  /** Null for the first part. */
  readonly upload: string | null;
  readonly offset: number;
  readonly complete: boolean;
  /** Version of the file that is replaced; null for a new file. */
  readonly replaces: string | null;
}

/** Parts that have arrived, in a file without a name: it is gone with the process. */
class Upload {
  readonly id = randomBytes(12).toString('hex');
  readonly file: string;
  readonly replaces: string | null;
  readonly #writer: number;
  readonly #reader: number;
  size = 0;
  timer: Timer | undefined;

  constructor(root: ProjectRoot, { file, replaces }: FilePart) {
    this.file = file;
    this.replaces = replaces;
    const name = `.upload.${this.id}.tmp`;
    const { fd, path } = root.openForWriting(name, { exclusive: true, mode: 0o600, field });
    this.#writer = fd;
    try {
      this.#reader = root.openForReading(name, { field }).fd;
    } finally {
      rmSync(path, { force: true });
    }
  }

  write(data: Uint8Array): void {
    writeAllAt(this.#writer, data, this.size);
    this.size += data.length;
  }

  *pieces(): Generator<Uint8Array> {
    const piece = new Uint8Array(Math.min(copyBytes, this.size));
    for (let at = 0; at < this.size; ) {
      const length = readSync(this.#reader, piece, 0, piece.length, at);
      yield piece.subarray(0, length);
      at += length;
    }
  }

  close(): void {
    this.timer?.cancel();
    closeSync(this.#writer);
    closeSync(this.#reader);
  }
}

interface FileUploadsOptions {
  readonly projectRoot: string;
  readonly atOnce: number;
  readonly idleMs: number;
  /** Names of files that clients may write. A library would be code that the daemon runs. */
  readonly endings: readonly string[];
  readonly clock: Clock;
}

/** Files that clients write into the project, whole or in parts. Nothing is seen until the end. */
export class FileUploads {
  readonly #options: FileUploadsOptions;
  readonly #uploads = new Map<string, Upload>();

  constructor(options: FileUploadsOptions) {
    this.#options = options;
  }

  put(part: FilePart): FileUpload {
    const named = namedFile(part.file, this.#options.endings);
    const root = ProjectRoot.open(this.#options.projectRoot, { field });
    try {
      if (part.upload === null) checkTarget(root, named, part.replaces);
      const upload = part.upload === null ? this.#begin(root, part) : this.#continued(part);
      return this.#take(root, upload, part, named);
    } finally {
      root.close();
    }
  }

  /** Removes the version of a file that a client knows. */
  remove(file: string, version: string): void {
    const named = namedFile(file, this.#options.endings);
    const root = ProjectRoot.open(this.#options.projectRoot, { field });
    try {
      const found = checkTarget(root, named, version);
      if (found !== null) root.removeFile(file, found, named);
    } finally {
      root.close();
    }
  }

  #begin(root: ProjectRoot, part: FilePart): Upload {
    const { atOnce } = this.#options;
    checkOffset(part, 0);
    if (this.#uploads.size >= atOnce) {
      throw new BusbarError('busy', {
        message: `${atOnce} files are already being uploaded`,
        details: { field, limit: atOnce },
      });
    }
    const upload = new Upload(root, part);
    this.#uploads.set(upload.id, upload);
    return upload;
  }

  #continued({ upload: id, file }: FilePart): Upload {
    const upload = this.#uploads.get(id ?? '');
    if (upload?.file === file) return upload;
    throw invalidArgument('upload', 'upload is not an upload of this file, or it has ended');
  }

  #take(root: ProjectRoot, upload: Upload, part: FilePart, named: NamedFile): FileUpload {
    // A repeated part is refused, and the upload can continue.
    checkOffset(part, upload.size);
    try {
      upload.write(part.data);
      if (!part.complete) {
        this.#wait(upload);
        return { file: part.file, upload: upload.id, bytes: upload.size, version: null };
      }
      const version = replace(root, upload, named);
      this.#end(upload);
      return { file: part.file, upload: null, bytes: upload.size, version };
    } catch (thrown) {
      this.#end(upload);
      throw refusalOf(named, thrown);
    }
  }

  #wait(upload: Upload): void {
    upload.timer?.cancel();
    upload.timer = this.#options.clock.after(this.#options.idleMs, () => this.#end(upload));
  }

  #end(upload: Upload): void {
    if (this.#uploads.delete(upload.id)) upload.close();
  }
}

/** Hidden files are not listed, and clients neither read nor write them. */
export const isHidden = (file: string): boolean => /(^|\/)\.(?!\.?(\/|$))/.test(file);

interface NamedFile extends NamedPath {
  readonly assertTarget: (path: string) => void;
}

/** A file that clients may write: its name, and that of its target if it is a link. */
const namedFile = (path: string, endings: readonly string[]): NamedFile => {
  const check = (file: string, subject: string): void => {
    if (isHidden(file)) throw invalidArgument(field, `${subject} must not be hidden`);
    const name = file.toLowerCase();
    if (endings.some((ending) => name.endsWith(ending))) return;
    throw invalidArgument(field, `${subject} must end with one of ${endings.join(', ')}`);
  };
  check(path, 'file');
  return { path, field, assertTarget: (target) => check(target, 'file is a link: its target') };
};

const checkOffset = ({ offset }: FilePart, expected: number): void => {
  if (offset === expected) return;
  throw invalidArgument('offset', `offset must be ${expected}, the end of the parts so far`, {
    expected,
  });
};

/** Refuses at the first part what would be refused at the last. Returns what is replaced. */
const checkTarget = (
  root: ProjectRoot,
  named: NamedFile,
  replaces: string | null,
): FileVersion | null => {
  const found = statAt(root, named);
  if (found === null) {
    if (replaces !== null) throw notFound(named);
    closeSync(root.openDirectoryOf(named.path, named));
  } else if (replaces === null) throw alreadyExists(named);
  else if (versionText(found) !== replaces) throw busyFile(named, 'another program has changed it');
  return found;
};

const statAt = (root: ProjectRoot, named: NamedFile) => {
  let fd: number;
  try {
    fd = root.openForReading(named.path, named).fd;
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.code === 'file_not_found') return null;
    throw thrown;
  }
  try {
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
};

const replace = (root: ProjectRoot, upload: Upload, named: NamedFile): string | null => {
  const expected = checkTarget(root, named, upload.replaces);
  root.replaceFile(named.path, upload.pieces(), {
    ...named,
    overwrite: upload.replaces !== null,
    expected,
  });
  const written = statAt(root, named);
  return written && versionText(written);
};
