import type { BigIntStats } from 'node:fs';

/**
 * A directory entry, held by descriptor, which a rename cannot replace, or by path. Methods
 * throw system errors.
 */
export interface EntryHandle {
  readonly stats: BigIntStats;
  look(name: string): EntryHandle;
  list(): string[];
  readLink(name: string): string;
  create(name: string, flags: number, mode: number): number;
  rename(from: string, to: string): void;
  renameToFree(from: string, to: string): void;
  remove(name: string): void;
  open(flags: number): number;
  again(): EntryHandle;
  release(): void;
}

export type OpenEntry = (path: string) => EntryHandle;
