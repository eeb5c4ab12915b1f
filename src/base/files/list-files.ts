import type { EntryHandle } from './entry-handle.ts';

export interface FoundFile {
  readonly file: string;
  readonly bytes: number;
  readonly modifiedUs: number;
}

export interface FileListing {
  readonly files: readonly FoundFile[];
  readonly isCut: boolean;
}

const maxEntries = 20_000;
const maxLevels = 8;

const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** Tool directories are large and contain no project files. */
const isPassedOver = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

export const listFiles = (root: EntryHandle, endings: readonly string[]): FileListing => {
  const files: FoundFile[] = [];
  let left = maxEntries;
  let isCut = false;
  const visit = (directory: EntryHandle, path: string, level: number): void => {
    for (const name of (attempt(() => directory.list()) ?? []).toSorted()) {
      if (isPassedOver(name)) continue;
      left -= 1;
      if (left < 0) {
        isCut = true;
        return;
      }
      const entry = attempt(() => directory.look(name));
      if (!entry) continue;
      try {
        take(entry, `${path}${name}`, level);
      } finally {
        entry.release();
      }
    }
  };
  const take = (entry: EntryHandle, path: string, level: number): void => {
    const { stats } = entry;
    if (stats.isDirectory()) {
      if (level < maxLevels) visit(entry, `${path}/`, level + 1);
      else isCut = true;
      return;
    }
    if (!stats.isFile() || !endings.some((ending) => path.toLowerCase().endsWith(ending))) return;
    const modifiedUs = Number(stats.mtimeNs / 1000n);
    files.push({ file: path, bytes: Number(stats.size), modifiedUs });
  };
  visit(root, '', 1);
  files.sort((one, other) => (one.file < other.file ? -1 : 1));
  return { files, isCut };
};
