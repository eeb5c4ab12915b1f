import {
  closeSync,
  constants,
  fdatasyncSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { errnoOf } from '../base/errors/errno-of.ts';
import { canOpenByDescriptor } from '../base/files/descriptor-handle.ts';
import { notFound, refusalOf } from '../base/files/path-refusals.ts';
import { ProjectRoot } from '../base/files/project-root.ts';

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
/** A pipe of that name must not block the recorder, or the calls of all threads. */
const opening = O_NOFOLLOW | O_NONBLOCK;
const newFile = O_CREAT | O_TRUNC | O_WRONLY | opening;
const newFileMode = 0o644;

const unlinkIfPossible = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
};

const openFolder = (root: ProjectRoot, folder: string): number => {
  try {
    return root.openDirectoryOf(`${folder}*`, { field: 'file' });
  } catch (thrown) {
    const isMissing = thrown instanceof BusbarError && thrown.code === 'file_not_found';
    if (!isMissing) throw thrown;
    throw notFound({ path: folder.slice(0, -1) || '.', field: 'file' }, thrown);
  }
};

/**
 * The folder of a series while something is done in it. It is held by descriptor, so that no link
 * leads its files out of the project; calls that can take long do not block.
 */
export class SeriesFolder {
  readonly #fd: number;
  readonly #path: string;
  readonly #folder: string;

  private constructor(fd: number, path: string, folder: string) {
    this.#fd = fd;
    this.#path = path;
    this.#folder = folder;
  }

  /** `folder` is relative to the project: empty, or ending in a slash. */
  static open(projectRoot: string, folder: string): SeriesFolder {
    const root = ProjectRoot.open(projectRoot, { field: 'file' });
    try {
      const fd = openFolder(root, folder);
      const path = canOpenByDescriptor()
        ? `/proc/self/fd/${fd}`
        : dirname(root.resolve(folder || '.'));
      return new SeriesFolder(fd, path, folder);
    } finally {
      root.close();
    }
  }

  /** Runs a task that can wait for the disk, and closes the folder after it. */
  static async use<T>(
    projectRoot: string,
    folder: string,
    task: (folder: SeriesFolder) => Promise<T>,
  ): Promise<T> {
    const opened = SeriesFolder.open(projectRoot, folder);
    try {
      return await task(opened);
    } finally {
      opened.close();
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  list(): readonly string[] {
    return readdirSync(this.#path);
  }

  read(name: string): Promise<FileHandle> {
    return open(this.#at(name), O_RDONLY | opening);
  }

  async sizeOf(name: string): Promise<number | null> {
    try {
      return (await stat(this.#at(name))).size;
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') return null;
      throw thrown;
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await unlink(this.#at(name));
    } catch (thrown) {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown;
    }
  }

  /**
   * Writes a file under another name first: a reader sees all of it, or what was there before.
   * Returns whether it was still wanted when it was written.
   */
  async replace(
    name: string,
    write: (file: FileHandle) => Promise<unknown>,
    isWanted: () => boolean = () => true,
  ): Promise<boolean> {
    const temporary = `.${name}.tmp`;
    const file = await open(this.#at(temporary), newFile, newFileMode);
    try {
      try {
        await write(file);
        await file.sync();
      } finally {
        await file.close();
      }
      const isDue = isWanted();
      if (isDue) renameSync(this.#at(temporary), this.#at(name));
      else await this.remove(temporary);
      return isDue;
    } catch (thrown) {
      await this.remove(temporary).catch(() => undefined);
      throw thrown;
    }
  }

  /** Replaces a file before it returns: also a power cut leaves the old one or the new one. */
  replaceNow(name: string, text: string): void {
    const temporary = this.#at(`.${name}.new`);
    try {
      const fd = openSync(temporary, newFile, newFileMode);
      try {
        writeFileSync(fd, text);
        fdatasyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, this.#at(name));
    } catch (thrown) {
      unlinkIfPossible(temporary);
      throw refusalOf({ path: this.#folder + name, field: 'file' }, thrown);
    }
  }

  #at(name: string): string {
    return `${this.#path}/${name}`;
  }
}
