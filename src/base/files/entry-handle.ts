import type { BigIntStats } from 'node:fs';

/**
 * An entry found by name and held. Fails with system errors. Held by descriptor, which no
 * rename can replace, or by path.
 */
export interface EntryHandle {
  /** Facts about the entry itself, not about a link's target. */
  readonly stats: BigIntStats;
  /** Finds an entry of this directory without following a link. */
  look(name: string): EntryHandle;
  list(): string[];
  readLink(name: string): string;
  /** Creates a file in this directory; EEXIST if the name exists. */
  create(name: string, flags: number, mode: number): number;
  /** Renames an entry within this directory, replacing atomically. */
  rename(from: string, to: string): void;
  /** The same, but EEXIST if the name exists. */
  renameToFree(from: string, to: string): void;
  remove(name: string): void;
  /** Opens exactly the pinned entry. */
  open(flags: number): number;
  /** A second, independent pin. */
  again(): EntryHandle;
  release(): void;
}

/** Pins the entry at an absolute path. */
export type OpenEntry = (path: string) => EntryHandle;
