import { closeSync, openSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadLibc } from '../../base/native/libc.ts';

const stdoutFd = 1;
const stderrFd = 2;

/**
 * Lets the standard output and error of all threads go on in the file of that name, which is made
 * if it is not there: the one they wrote to may have been renamed. Where it cannot be opened they
 * stay as they are.
 */
export const redirectStandardStreams = async (path: string): Promise<void> => {
  const loaded = await loadLibc();
  if (!loaded.available) throw new BusbarError('internal_error', { message: loaded.reason });
  const fd = openSync(path, 'a', 0o600);
  try {
    for (const stream of [stdoutFd, stderrFd]) loaded.libc.redirect(fd, stream);
  } finally {
    closeSync(fd);
  }
};
