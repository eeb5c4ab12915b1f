// Machines share test files through a folder: each file has an entry, created by the machine
// that takes it, with a note if the file failed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Exit code of a machine whose files all ran, some of which failed. */
export const failedFilesCode = 3;

const entryOf = (claims, file) => join(claims, file.replaceAll('/', '+'));
const noteOf = (claims, file) => join(entryOf(claims, file), 'failed');

/** Takes a file; false if another machine has it. */
export const take = (claims, file) => {
  try {
    mkdirSync(entryOf(claims, file));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
};

export const noteFailed = (claims, file) => writeFileSync(noteOf(claims, file), '');

export const hasFailed = (claims, file) => existsSync(noteOf(claims, file));
