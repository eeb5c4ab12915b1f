import type { ReplaceOptions } from '../../base/files/project-root.ts';

/** A file that was opened, and is not read yet. */
export interface OpenedFile {
  readonly size: number;
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
}
