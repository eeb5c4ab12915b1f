// Machines that share a folder share test files by it: each file is an entry, made by the machine that
// takes the file first, with a note in it if the file failed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a machine ends all of whose files were run, and some of which failed; any other error has another code. */
export const failedFilesCode = 3;

const entryOf = (claims, file) => join(claims, file.replaceAll('/', '+'));
const noteOf = (claims, file) => join(entryOf(claims, file), 'failed');

/** Whether no other machine has taken it. */
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
