import { closeSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { BusbarError } from '../errors/busbar-error.ts';
import { assertNameable, refusalOf } from './path-refusals.ts';
import type { ProjectRoot } from './project-root.ts';
import { readAtMost } from './read-at-most.ts';

/** Whole files inside a root, by the paths and in the name of the arguments that callers give. */
export class RootFiles {
  readonly #root: ProjectRoot;
  readonly #directory: string;

  /** `directory`: absolute, where relative paths begin; the root itself if left out. */
  constructor(root: ProjectRoot, directory = '') {
    this.#root = root;
    this.#directory = directory;
  }

  /** What a file holds: no more than the limit and one byte, which tells that it is larger. */
  read(path: string, field: string, limit: number): Uint8Array {
    const { fd } = this.#root.openForReading(this.#placed(path, field), { field });
    try {
      return readAtMost(fd, limit);
    } catch (thrown) {
      throw refusalOf({ path, field }, thrown);
    } finally {
      closeSync(fd);
    }
  }

  /** Whether two paths lead to one file; not if one leads nowhere. */
  isSame(path: string, other: string): boolean {
    try {
      return this.#resolved(path) === this.#resolved(other);
    } catch (thrown) {
      if (BusbarError.from(thrown).code === 'file_not_found') return false;
      throw thrown;
    }
  }

  /** Puts bytes in the place of a file, all of them or none. */
  replace(path: string, field: string, bytes: Uint8Array): void {
    this.#root.replaceFile(this.#placed(path, field), [bytes], { field });
  }

  #resolved(path: string): string {
    return this.#root.resolve(this.#placed(path, 'path'));
  }

  /** Names are left as they are: `..` behind a link leads to the directory above its target. */
  #placed(path: string, field: string): string {
    assertNameable({ path, field });
    return this.#directory === '' || isAbsolute(path) ? path : `${this.#directory}/${path}`;
  }
}
