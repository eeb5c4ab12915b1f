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

const withFile = (path: string, flags: string, use: (fd: number) => void): void => {
  const fd = openSync(path, flags, 0o600);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
};

/**
 * Replaces a small file atomically: after a crash it has the old or the new content, never a
 * part. For the daemon's own files; paths are not confined to the project.
 */
export const writeFileAtomically = (path: string, text: string, mode = 0o600): void => {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    withFile(temporary, 'wx', (fd) => {
      writeFileSync(fd, text);
      fchmodSync(fd, mode);
      fsyncSync(fd);
    });
    renameSync(temporary, path);
    // A rename is durable only after the directory is synced. Windows cannot open directories.
    if (process.platform !== 'win32') withFile(directory, 'r', fsyncSync);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw refusalOf({ path }, thrown);
  }
};
