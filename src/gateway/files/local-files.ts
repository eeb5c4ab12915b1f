import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from '../../base/errors/errno-of.ts';
import {
  assertNameable,
  attempt,
  directoryNotFound,
  type NamedPath,
  unavailable,
} from '../../base/files/path-refusals.ts';
import { ProjectRoot, type ReplaceOptions } from '../../base/files/project-root.ts';
import type { OpenedFile, ProjectFiles } from './project-files.ts';

export class LocalFiles implements ProjectFiles {
  open(path: string, field: string): OpenedFile {
    const named = { path, field };
    assertNameable(named);
    // O_NONBLOCK, because opening a pipe must not block.
    const fd = attempt(named, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    const status = fstatSync(fd, { bigint: true });
    if (!status.isFile()) {
      closeSync(fd);
      throw unavailable(named, 'not_a_file');
    }
    return {
      size: Number(status.size),
      version: status,
      read: () => attempt(named, () => readFileSync(fd)),
      close: () => closeSync(fd),
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string {
    return this.#atTarget({ path, field: options.field }, (root, target) =>
      root.replaceFile(target, pieces, options),
    );
  }

  openDirectoryOf(path: string, field: string): number {
    return this.#atTarget({ path, field }, (root, target) =>
      root.openDirectoryOf(target, { field }),
    );
  }

  follow(path: string, field: string): string | undefined {
    return this.#follow({ path, field });
  }

  #atTarget<T>(named: NamedPath, act: (root: ProjectRoot, target: string) => T): T {
    const target = this.#follow(named) ?? resolve(named.path);
    const directory = attempt(named, () => {
      try {
        return realpathSync(dirname(target));
      } catch (thrown) {
        throw errnoOf(thrown) === 'ENOENT' ? directoryNotFound(named, thrown) : thrown;
      }
    });
    const root = ProjectRoot.open(directory, { field: named.field });
    try {
      return act(root, join(directory, basename(target)));
    } finally {
      root.close();
    }
  }

  #follow(named: NamedPath): string | undefined {
    assertNameable(named);
    return attempt(named, () => {
      try {
        return realpathSync(named.path);
      } catch (thrown) {
        if (errnoOf(thrown) === 'ENOENT') return undefined;
        throw thrown;
      }
    });
  }
}
