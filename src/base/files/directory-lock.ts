import { closeSync } from 'node:fs';
import type { Clock } from '../clock/clock.ts';
import { pause } from '../clock/pause.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { type Libc, loadLibc } from '../native/libc.ts';
import { busyFile, type NamedPath } from './path-refusals.ts';

const patienceMs = 10_000;
const retryMs = 20;

const tryLock = (libc: Libc, fd: number): boolean => {
  try {
    return libc.tryLockFile(fd);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return true;
    throw thrown;
  }
};

/**
 * Runs `work` under the lock of a directory and closes the descriptor. The kernel releases the
 * lock when a process exits. Fails with `busy` if another writer does not finish in time.
 * `named` is the file to write.
 */
export const withDirectoryLock = async <T>(
  fd: number,
  named: NamedPath,
  clock: Clock,
  act: () => T,
): Promise<T> => {
  try {
    const loaded = await loadLibc();
    const deadlineUs = clock.monotonicUs() + patienceMs * 1000;
    while (loaded.available && !tryLock(loaded.libc, fd)) {
      if (clock.monotonicUs() >= deadlineUs) {
        throw busyFile(named, 'another program is writing to its directory');
      }
      await pause(clock, retryMs);
    }
    return act();
  } finally {
    closeSync(fd);
  }
};
