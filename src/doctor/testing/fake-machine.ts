import type { Machine } from '../machine.ts';

interface FakeMachineOptions {
  /** File contents by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly isRoot?: boolean;
  readonly groups?: readonly number[];
  /** Groups of files, and whether the caller may access them. */
  readonly devices?: Readonly<Record<string, { readonly gid: number; readonly mayUse: boolean }>>;
  readonly nativeRefusal?: string;
}

/** A simulated computer. */
export const fakeMachine = (options: FakeMachineOptions = {}): Machine => {
  const { files = {}, isRoot = false, groups = [], devices = {}, nativeRefusal } = options;
  const paths = [...Object.keys(files), ...Object.keys(devices)];
  return {
    user: { name: isRoot ? 'root' : 'ada', isRoot },
    groups,
    read: (path) => files[path],
    list: (folder) => {
      const below = paths.filter((path) => path.startsWith(`${folder}/`));
      const names = below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? '');
      return [...new Set(names)].sort();
    },
    groupOf: (path) => devices[path]?.gid,
    mayReadAndWrite: (path) => devices[path]?.mayUse ?? false,
    nativeRefusal: async () => nativeRefusal,
  };
};
