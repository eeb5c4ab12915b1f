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
    const { fd } = this.#visit(field, (root) => root.openForReading(path, { field }));
    return {
      size: fstatSync(fd).size,
      read: () => readFileSync(fd),
      close: () => closeSync(fd),
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string {
    return this.#visit(options.field, (root) => root.replaceFile(path, pieces, options));
  }

  follow(path: string, field: string): string | undefined {
    try {
      return this.#visit(field, (root) => root.resolve(path, { field }));
    } catch (thrown) {
      if (BusbarError.from(thrown).code === 'file_not_found') return undefined;
      throw thrown;
    }
  }

  list(endings: readonly string[]): FileListing {
    return this.#visit(undefined, (root) => root.list(endings));
  }

  /** Where the directory itself is gone, the argument that needed it is named. */
  #visit<T>(field: string | undefined, use: (root: ProjectRoot) => T): T {
    const root = ProjectRoot.open(this.#directory, { field });
    try {
      return use(root);
    } finally {
      root.close();
    }
  }
}
