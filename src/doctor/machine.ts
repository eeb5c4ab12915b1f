import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { loadLibc } from '../base/native/libc.ts';

/** The computer as seen by the checks; tests substitute it. */
export interface Machine {
  readonly user: { readonly name: string; readonly isRoot: boolean };
  readonly groups: readonly number[];
  read(path: string): string | undefined;
  list(path: string): readonly string[];
  /** Group of a file that its group can read and write. */
  groupOf(path: string): number | undefined;
  mayReadAndWrite(path: string): boolean;
  nativeRefusal(): Promise<string | undefined>;
}

const groupMayBoth = 0o060;

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
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
