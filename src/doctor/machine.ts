import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { loadLibc } from '../base/native/libc.ts';

/** What checks may ask of a computer, so that a test can be one. */
export interface Machine {
  readonly user: { readonly name: string; readonly isRoot: boolean };
  /** Numbers of the groups that the caller is in. */
  readonly groups: readonly number[];
  /** Undefined where there is no such file, or it may not be read. */
  read(path: string): string | undefined;
  /** The names in a folder, in order; none where there is no such folder. */
  list(path: string): readonly string[];
  /** The group that a file belongs to, if that may read and write it. */
  groupOf(path: string): number | undefined;
  mayReadAndWrite(path: string): boolean;
  /** Why functions of the system cannot be called; undefined if they can. */
  nativeRefusal(): Promise<string | undefined>;
}

const groupMayBoth = 0o060;

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    // That it is not there, or not for us, is an answer.
    return undefined;
  }
};

/** The computer that this process runs on. */
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
