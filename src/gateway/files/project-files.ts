import type { Clock } from '../../base/clock/clock.ts';
import { withDirectoryLock } from '../../base/files/directory-lock.ts';
import type { FileVersion } from '../../base/files/file-identity.ts';
import type { ReplaceOptions } from '../../base/files/project-root.ts';

/** A file that was opened, and is not read yet. */
export interface OpenedFile {
  readonly size: number;
  readonly version: FileVersion;
  read(): Uint8Array;
  close(): void;
}

/**
 * Files of projects, as far as their owner lets them be reached: a command has all of its caller's
 * files, the daemon those of its project directory. `field` is the argument that a refusal names.
 */
export interface ProjectFiles {
  open(path: string, field: string): OpenedFile;
  /** Puts a file in place as a whole or not at all; says where that is. */
  replace(path: string, pieces: Iterable<Uint8Array>, options: ReplaceOptions): string;
  /**
   * Where a path leads once its links are followed; undefined if nothing is there. Refuses one that
   * leaves what may be reached.
   */
  follow(path: string, field: string): string | undefined;
  /** Opens the directory of a file that is to be written. The caller closes the descriptor. */
  openDirectoryOf(path: string, field: string): number;
}

/** The file to write, as its argument names it. */
export interface WrittenFile {
  readonly path: string;
  readonly field: string;
}

/** Runs while no other process does the same for a file in the same directory. */
export const whileWriting = <T>(
  files: ProjectFiles,
  { path, field }: WrittenFile,
  clock: Clock,
  act: () => T,
): Promise<T> => withDirectoryLock(files.openDirectoryOf(path, field), { path, field }, clock, act);
