import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { errnoOf } from '../errors/errno-of.ts';
import type { EntryHandle, OpenEntry } from './entry-handle.ts';
import { renameToFree } from './rename-to-free.ts';

const { O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW } = constants;

/**
 * Linux O_PATH, the same number on every architecture that Node supports. It holds an entry
 * without opening it, so a FIFO cannot block and a device is not touched.
 */
const oPath = 0o10000000;

/**
 * Linux only. Node has no openat, so names are resolved relative to a descriptor through
 * `/proc/self/fd/<n>/<name>`. The entry is then opened through its own descriptor, so the
 * opened file is the one that was checked.
 */
class DescriptorHandle implements EntryHandle {
  readonly stats: BigIntStats;
  readonly #fd: number;

  constructor(path: string, flags: number) {
    this.#fd = openSync(path, flags);
    try {
      this.stats = fstatSync(this.#fd, { bigint: true });
    } catch (thrown) {
      closeSync(this.#fd);
      throw thrown;
    }
  }

  get #self(): string {
    return `/proc/self/fd/${this.#fd}`;
  }

  look(name: string): EntryHandle {
    return new DescriptorHandle(`${this.#self}/${name}`, oPath | O_NOFOLLOW);
  }

  list(): string[] {
    return readdirSync(this.#self);
  }

  readLink(name: string): string {
    return readlinkSync(`${this.#self}/${name}`);
  }

  create(name: string, flags: number, mode: number): number {
    // O_EXCL does not follow a final link, so the file can only appear in this directory.
    return openSync(`${this.#self}/${name}`, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  }

  rename(from: string, to: string): void {
    renameSync(`${this.#self}/${from}`, `${this.#self}/${to}`);
  }

  renameToFree(from: string, to: string): void {
    renameToFree(`${this.#self}/${from}`, `${this.#self}/${to}`);
  }

  remove(name: string): void {
    rmSync(`${this.#self}/${name}`, { force: true });
  }

  open(flags: number): number {
    return openSync(this.#self, flags | O_NOCTTY);
  }

  again(): EntryHandle {
    return new DescriptorHandle(this.#self, oPath);
  }

  release(): void {
    closeSync(this.#fd);
  }
}

export const openByDescriptor: OpenEntry = (path) => new DescriptorHandle(path, oPath | O_NOFOLLOW);

const noProc: readonly (string | undefined)[] = ['ENOENT', 'EACCES', 'EPERM'];

/**
 * True if names can be resolved relative to a descriptor: on Linux with /proc. Transient errors
 * are thrown, so they cannot select the weaker method.
 */
export const canOpenByDescriptor = (): boolean => {
  if (process.platform !== 'linux') return false;
  const held = openByDescriptor('/');
  try {
    held.again().release();
    return true;
  } catch (thrown) {
    if (noProc.includes(errnoOf(thrown))) return false;
    throw thrown;
  } finally {
    held.release();
  }
};
