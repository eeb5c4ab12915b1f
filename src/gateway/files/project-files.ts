import { closeSync, fstatSync, readFileSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { withDirectoryLock } from '../../base/files/directory-lock.ts';
import type { FileVersion } from '../../base/files/file-identity.ts';
import type { FileListing } from '../../base/files/list-files.ts';
import { ProjectRoot, type ReplaceOptions } from '../../base/files/project-root.ts';

export interface OpenedFile {
  readonly size: number;
  readonly version: FileVersion;
  read(): Uint8Array;
  close(): void;
}

/**
 * Files that projects can use: any file for a local command, files in the project directory for
 * the daemon. `field` is the argument that an error names.
 */
export interface ProjectFiles {
  open(path: string, field: string): OpenedFile;
  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string;
  /**
   * Returns the path after following links, or undefined if it does not exist. Rejects a path
   * outside the allowed directory.
   */
  follow(path: string, field: string): string | undefined;
  /** The caller closes the descriptor. */
  openDirectoryOf(path: string, field: string): number;
}

interface WrittenFile {
  readonly path: string;
  readonly field: string;
}

/** Runs `work` while no other process writes to a file in the same directory. */
export const whileWriting = <T>(
  files: ProjectFiles,
  { path, field }: WrittenFile,
  clock: Clock,
  act: () => T,
): Promise<T> => withDirectoryLock(files.openDirectoryOf(path, field), { path, field }, clock, act);

const ending = '.gwproj';

const formatField = '"format"';
const formatValue = /^\s*:\s*"gwproj"/;

/** Returns whether a text is an object with the `format` of a project, valid or not. */
const isProjectText = (text: Uint8Array): boolean => {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  if (!/^(\u00ef\u00bb\u00bf)?\s*\{/.test(bytes.toString('latin1', 0, 1024))) return false;
  for (let at = bytes.indexOf(formatField); at >= 0; at = bytes.indexOf(formatField, at + 1)) {
    const after = at + formatField.length;
    if (formatValue.test(bytes.toString('latin1', after, after + 64))) return true;
  }
  return false;
};

/**
 * Files inside one directory, named by remote clients. Only projects are replaced: a client
 * must not overwrite the bench file, plugins or other files.
 */
export class ConfinedFiles implements ProjectFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  open(path: string, field: string): OpenedFile {
    const { fd } = this.#visit(field, (root) => root.openForReading(path, { field }));
    const version = fstatSync(fd, { bigint: true });
    return {
      size: Number(version.size),
      version,
      read: () => readFileSync(fd),
      close: () => closeSync(fd),
    };
  }

  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string {
    const { expected = this.#replaceable(path, options) } = options;
    return this.#visit(options.field, (root) =>
      root.replaceFile(path, pieces, { ...options, expected }),
    );
  }

  openDirectoryOf(path: string, field: string): number {
    return this.#visit(field, (root) => root.openDirectoryOf(path, { field }));
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

  #replaceable(path: string, { field = 'file', overwrite }: ReplaceOptions): FileVersion | null {
    if (this.follow(path, field) === undefined) {
      if (path.endsWith(ending)) return null;
      throw invalidArgument(field, `${field} must end in ${ending} for a new project`);
    }
    const opened = this.open(path, field);
    try {
      if (overwrite === false || isProjectText(opened.read())) return opened.version;
    } finally {
      opened.close();
    }
    throw new BusbarError('file_unavailable', {
      message: `${path} is not a gateway project and was not replaced`,
      details: { field, path, reason: 'not_a_project' },
      hint: `Name a project, or a new file that ends in ${ending}.`,
    });
  }

  /** If the directory itself is missing, the error names the argument that needed it. */
  #visit<T>(field: string | undefined, use: (root: ProjectRoot) => T): T {
    const root = ProjectRoot.open(this.#directory, { field });
    try {
      return use(root);
    } finally {
      root.close();
    }
  }
}
