import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../errors/errno-of.ts';

/**
 * Makes a directory and those above it that are missing. Node's own `recursive` never returns where a file system
 * that has the parent denies it, as /proc does.
 */
export const makeDirectories = (path: string, mode: number): void => {
  const missing: string[] = [];
  for (let directory = path; ; directory = dirname(directory)) {
    try {
      mkdirSync(directory, { mode });
      break;
    } catch (thrown) {
      const errno = errnoOf(thrown);
      if (errno === 'EEXIST') break;
      if (errno !== 'ENOENT' || dirname(directory) === directory) throw thrown;
      missing.push(directory);
    }
  }
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode });
    } catch (thrown) {
      // Another process may create it at the same time.
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    }
  }
};
