import { closeSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadLibc } from '../../base/native/libc.ts';
import { signLock } from '../../link/daemon-record.ts';
import { type StartReport, type StartStage, starterFd } from '../../link/start-report.ts';

/**
 * Makes this process the only daemon of its home, or fails. The kernel releases the lock with
 * the process, so it is never stale. The descriptor stays open on purpose.
 */
export const becomeDaemon = async (lockPath: string): Promise<void> => {
  const libc = await loadLibc();
  if (!libc.available) {
    throw new BusbarError('daemon_start_failed', {
      message: `The daemon cannot lock its home directory on this platform: ${libc.reason}`,
    });
  }
  const fd = openSync(lockPath, 'a', 0o600);
  if (libc.libc.tryLockFile(fd)) {
    signLock(fd);
    return;
  }
  closeSync(fd);
  throw new BusbarError('already_running', { message: 'A daemon is already running' });
};

const stdoutFd = 1;
const stderrFd = 2;

/**
 * Redirects stdout and stderr of all threads to the named file, creating it if necessary, since
 * log rotation may have renamed the current one. If the file cannot be opened, nothing changes.
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

export class Starter {
  /** Reports progress or the result. Ignored if the starter no longer waits. */
  report(report: StartReport | StartStage): void {
    try {
      writeSync(starterFd, `${JSON.stringify(report)}\n`);
    } catch {}
  }

  release(): void {
    try {
      closeSync(starterFd);
    } catch {}
  }

  /** A foreground daemon stops with its starter, even if that was killed. */
  follow(onGone: () => void): void {
    const pipe = new Socket({ fd: starterFd, readable: true, writable: false });
    pipe.on('error', () => undefined);
    pipe.on('close', onGone);
    pipe.resume();
  }
}
