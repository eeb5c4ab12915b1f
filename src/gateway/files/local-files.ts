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

/** All files that the caller of a command can reach. */
export class LocalFiles implements ProjectFiles {
  open(path: string, field: string): OpenedFile {
    const named = { path, field };
    assertNameable(named);
    // A pipe must not hold the command up until something is written to it.
    const fd = attempt(named, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
    const status = fstatSync(fd);
    if (!status.isFile()) {
      closeSync(fd);
      throw unavailable(named, 'not_a_file');
    }
    return {
      size: status.size,
      read: () => attempt(named, () => readFileSync(fd)),
      close: () => closeSync(fd),
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string {
    const { field } = options;
    const named = { path, field };
    // A link stays what it is: its target is replaced.
    const target = this.#follow(named) ?? resolve(path);
    const directory = attempt(named, () => {
      try {
        return realpathSync(dirname(target));
      } catch (thrown) {
        throw errnoOf(thrown) === 'ENOENT' ? directoryNotFound(named, thrown) : thrown;
      }
    });
    const root = ProjectRoot.open(directory, options);
    try {
      return root.replaceFile(join(directory, basename(target)), pieces, options);
    } finally {
      root.close();
    }
  }

  follow(path: string, field: string): string | undefined {
    return this.#follow({ path, field });
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
