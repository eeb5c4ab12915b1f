import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { loadLibc } from '../base/native/libc.ts';

/** What checks may ask of a computer; tests substitute it. */
export interface Machine {
  readonly user: { readonly name: string; readonly isRoot: boolean };
  /** Group ids of the caller. */
  readonly groups: readonly number[];
  /** Undefined if missing or unreadable. */
  read(path: string): string | undefined;
  list(path: string): readonly string[];
  /** Group of a file if it may read and write it. */
  groupOf(path: string): number | undefined;
  mayReadAndWrite(path: string): boolean;
  /** Why native calls are unavailable, or undefined. */
  nativeRefusal(): Promise<string | undefined>;
}

const groupMayBoth = 0o060;

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    // Missing or unreadable.
    return undefined;
  }
};

export const systemMachine = (): Machine => ({
  user: {
    name: attempt(() => userInfo().username) ?? String(process.getuid?.() ?? 'user'),
    isRoot: process.geteuid?.() === 0,
  },
  groups: process.getgroups?.() ?? [],
  read: (path) => attempt(() => readFileSync(path, 'utf8')),
  list: (path) => attempt(() => readdirSync(path).sort()) ?? [],
  groupOf: (path) =>
    attempt(() => {
      const { gid, mode } = statSync(path);
      return (mode & groupMayBoth) === groupMayBoth ? gid : undefined;
    }),
  mayReadAndWrite: (path) =>
    attempt(() => {
      accessSync(path, constants.R_OK | constants.W_OK);
      return true;
    }) ?? false,
  nativeRefusal: async () => {
    const loaded = await loadLibc();
    return loaded.available ? undefined : loaded.reason;
  },
});
