import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FileListing } from '../../base/files/list-files.ts';
import { ProjectRoot, type ReplaceOptions } from '../../base/files/project-root.ts';
import type { OpenedFile, ProjectFiles } from './project-files.ts';

/** Files inside one directory. */
export class ConfinedFiles implements ProjectFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  open(path: string, field: string): OpenedFile {
    const { fd } = this.#visit((root) => root.openForReading(path, { field }));
    return {
      size: fstatSync(fd).size,
      read: () => readFileSync(fd),
      close: () => closeSync(fd),
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string {
    return this.#visit((root) => root.replaceFile(path, pieces, options));
  }

  follow(path: string, field: string): string | undefined {
    try {
      return this.#visit((root) => root.resolve(path, { field }));
    } catch (thrown) {
      if (BusbarError.from(thrown).code === 'file_not_found') return undefined;
      throw thrown;
    }
  }

  list(endings: readonly string[]): FileListing {
    return this.#visit((root) => root.list(endings));
  }

  #visit<T>(use: (root: ProjectRoot) => T): T {
    const root = ProjectRoot.open(this.#directory);
    try {
      return use(root);
    } finally {
      root.close();
    }
  }
}
