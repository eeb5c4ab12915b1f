import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../errors/errno-of.ts';

/**
 * Creates a directory and its missing parents. Node's `recursive` option never returns if the
 * file system denies it, as /proc does.
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
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    }
  }
};
