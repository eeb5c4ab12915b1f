import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { errnoOf } from '../errors/errno-of.ts';

const taken = (path: string): Error =>
  Object.assign(new Error(`EEXIST: ${path} already exists`), { code: 'EEXIST' });

/**
 * Renames a file, but fails with EEXIST if the name exists, also as a link. A rename would
 * replace a file created in the meantime; a hard link does not.
 */
export const renameToFree = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') throw thrown;
    // Some file systems have no hard links, so check first.
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw taken(to);
    renameSync(from, to);
    return;
  }
  rmSync(from);
};
