import { closeSync, openSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadLibc } from '../../base/native/libc.ts';
import { signLock } from '../../link/daemon-record.ts';

/**
 * Makes this process the one daemon of its home, or refuses. The kernel's lock ends with the
 * process, so it is never stale. The descriptor stays open on purpose.
 */
export const becomeTheDaemon = async (lockPath: string): Promise<void> => {
  const libc = await loadLibc();
  if (!libc.available) {
    throw new BusbarError('daemon_start_failed', {
      message: `The daemon cannot lock its home on this platform: ${libc.reason}`,
    });
  }
  const fd = openSync(lockPath, 'a', 0o600);
  if (libc.libc.tryLockFile(fd)) {
    signLock(fd);
    return;
  }
  closeSync(fd);
  throw new BusbarError('already_running', { message: 'A daemon is running already' });
};
