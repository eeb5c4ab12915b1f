import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { errnoOf } from '../base/errors/errno-of.ts';
import { identityAt, identityOf, isSameFile } from '../base/files/file-identity.ts';
import {
  alreadyExists,
  assertNameable,
  attempt,
  directoryNotFound,
  type NamedPath,
  unavailable,
} from '../base/files/path-refusals.ts';
import { renameToFree } from '../base/files/rename-to-free.ts';
import { writeAllAt } from '../base/files/write-all.ts';
import type { ByteSink, ByteSource } from '../trace/trace-format.ts';

const created = (named: NamedPath, path: string): number =>
  attempt(named, () => {
    try {
      return openSync(path, 'wx');
    } catch (thrown) {
      throw errnoOf(thrown) === 'ENOENT' ? directoryNotFound(named, thrown) : thrown;
    }
  });

export class TraceInput implements ByteSource {
  readonly size: number | null;
  readonly #named: NamedPath;
  readonly #fd: number;

  constructor(named: NamedPath) {
    assertNameable(named);
    this.#named = named;
    this.#fd = attempt(named, () => openSync(named.path, 'r'));
    const status = fstatSync(this.#fd);
    this.size = status.isFile() ? status.size : null;
    if (status.isDirectory()) {
      this.close();
      throw unavailable(named, 'not_a_file');
    }
  }

  isAt(path: string): boolean {
    const there = identityAt(path);
    return there !== undefined && isSameFile(there, identityOf(this.#fd));
  }

  read(into: Uint8Array): number {
    return attempt(this.#named, () => readSync(this.#fd, into));
  }

  /** Only of a file, which has a size. */
  readAt(into: Uint8Array, at: number): number {
    return attempt(this.#named, () => readSync(this.#fd, into, 0, into.length, at));
  }

  /** The same file from its start, next to this one; refused for a pipe. */
  again(): ByteSource {
    const { size } = this;
    if (size === null) throw unavailable(this.#named, 'not_a_file');
    let position = 0;
    return {
      size,
      read: (into) => {
        const length = this.readAt(into, position);
        position += length;
        return length;
      },
      readAt: (into, at) => this.readAt(into, at),
    };
  }

  close(): void {
    closeSync(this.#fd);
  }
}

const bufferBytes = 256 * 1024;
const keptName = 32;

const temporaryBeside = (path: string): string => {
  const suffix = randomBytes(6).toString('hex');
  return join(dirname(path), `.${basename(path).slice(0, keptName)}.${suffix}.tmp`);
};

/** Output in a temporary file next to its target, so readers never see a partial file. */
export class TraceOutput implements ByteSink {
  readonly #named: NamedPath;
  readonly #place: string;
  readonly #path: string;
  readonly #fd: number;
  readonly #overwrite: boolean;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #held = 0;
  #written = 0;
  #isOpen = true;

  /** Refuses to replace the input; null if there is none. */
  constructor(named: NamedPath, input: Pick<TraceInput, 'isAt'> | null, overwrite: boolean) {
    const { path } = named;
    assertNameable(named);
    const there = attempt(named, () => statSync(path, { throwIfNoEntry: false }));
    if (input?.isAt(path)) {
      throw invalidArgument(named.field ?? 'output', 'Input and output are the same file');
    }
    if (there && !there.isFile()) throw unavailable(named, 'not_a_file');
    if (there && !overwrite) throw alreadyExists(named);
    this.#named = named;
    this.#overwrite = overwrite;
    this.#place = there ? attempt(named, () => realpathSync(path)) : path;
    this.#path = temporaryBeside(this.#place);
    this.#fd = created(named, this.#path);
  }

  get size(): number {
    return this.#written + this.#held;
  }

  write(bytes: Uint8Array): void {
    if (this.#held + bytes.length > bufferBytes) this.#flush();
    if (bytes.length > bufferBytes) {
      this.#put(bytes, this.#written);
      this.#written += bytes.length;
      return;
    }
    this.#buffer.set(bytes, this.#held);
    this.#held += bytes.length;
  }

  rewrite(at: number, bytes: Uint8Array): void {
    this.#flush();
    this.#put(bytes, at);
  }

  finish(): void {
    this.#flush();
    attempt(this.#named, () => this.#close());
    attempt(this.#named, () => this.#publish());
  }

  discard(): void {
    try {
      this.#close();
    } catch {}
    rmSync(this.#path, { force: true });
  }

  /** Only once: the number of a closed descriptor may be reused. */
  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }

  #publish(): void {
    if (this.#overwrite) {
      renameSync(this.#path, this.#place);
      return;
    }
    try {
      renameToFree(this.#path, this.#place);
    } catch (thrown) {
      throw errnoOf(thrown) === 'EEXIST' ? alreadyExists(this.#named) : thrown;
    }
  }

  #flush(): void {
    this.#put(this.#buffer.subarray(0, this.#held), this.#written);
    this.#written += this.#held;
    this.#held = 0;
  }

  #put(bytes: Uint8Array, position: number): void {
    attempt(this.#named, () => writeAllAt(this.#fd, bytes, position));
  }
}
