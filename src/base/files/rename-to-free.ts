import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { errnoOf } from '../errors/errno-of.ts';

const taken = (path: string): Error =>
  Object.assign(new Error(`EEXIST: ${path} already exists`), { code: 'EEXIST' });

/**
 * Gives a file another name; EEXIST if anything, a link too, has that name already. A rename replaces
 * what came there in the meantime, a second name does not.
 */
export const renameToFree = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') throw thrown;
    // Some file systems have no hard links: check first.
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw taken(to);
    renameSync(from, to);
    return;
  }
  rmSync(from);
};
