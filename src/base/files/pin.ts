import type { BigIntStats } from 'node:fs';

/**
 * Something found by its name and held on to. Failures are the system's own errors.
 * There are two kinds: by descriptor, which no change of names can replace, and by path.
 */
export interface Pin {
  /** Facts about the entry itself, never about what a link leads to. */
  readonly stats: BigIntStats;
  /** Finds an entry of this directory, without following a link. */
  look(name: string): Pin;
  /** Names of the entries of this directory. */
  list(): string[];
  /** The target of a link in this directory. */
  readLink(name: string): string;
  /** Makes a new file in this directory; EEXIST if anything, a link too, has the name. */
  create(name: string, flags: number, mode: number): number;
  /** Gives an entry of this directory another name in it; what has that name goes, in one step. */
  rename(from: string, to: string): void;
  /** The same, but EEXIST if anything, a link too, has that name already. */
  renameToFree(from: string, to: string): void;
  /** Removes a file of this directory, if it is there. */
  remove(name: string): void;
  /** Opens exactly what is pinned. */
  open(flags: number): number;
  /** Holds the same entry once more, independently of this pin. */
  again(): Pin;
  release(): void;
}

/** Pins what an absolute path names, itself a link or not. */
export type PinPath = (path: string) => Pin;
