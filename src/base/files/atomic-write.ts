import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refusalOf } from './path-refusals.ts';

/** Opens, uses and closes a file. */
const withFile = (path: string, flags: string, use: (fd: number) => void): void => {
  const fd = openSync(path, flags, 0o600);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
};

/**
 * Replaces a small file as a whole: a reader, or a machine that loses power, finds the old text or
 * the new one, never a part. For the daemon's own files; it is not confined to the project.
 */
export const writeFileAtomically = (path: string, text: string, mode = 0o600): void => {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    withFile(temporary, 'wx', (fd) => {
      writeFileSync(fd, text);
      // The exact mode regardless of umask, before the name is visible.
      fchmodSync(fd, mode);
      fsyncSync(fd);
    });
    renameSync(temporary, path);
    // The rename is durable only after the directory is synced. Windows cannot open one.
    if (process.platform !== 'win32') withFile(directory, 'r', fsyncSync);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw refusalOf({ path }, thrown);
  }
};
