import { constants, getPriority } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { BusbarError } from '../errors/busbar-error.ts';

/** Result of a request for real-time scheduling. The reason is usually an errno name. */
export type FifoOutcome =
  | { readonly granted: true }
  | { readonly granted: false; readonly reason: string };

export interface Libc {
  /**
   * Takes an exclusive lock on an open file; false if another process has it. The kernel
   * releases it with the last descriptor, also after a kill.
   */
  tryLockFile(fd: number): boolean;
  /** dup2: another descriptor for the same open file. */
  redirect(fd: number, target: number): void;
  /**
   * Requests SCHED_FIFO for one thread, by default the caller. Threads started later do not
   * inherit it.
   */
  requestFifo(priority: number, thread?: number): FifoOutcome;
  /** Returns the calling thread to normal scheduling and its niceness. */
  leaveFifo(): void;
  /**
   * Requests time slices of this length for the calling thread; threads started later do not
   * inherit it. From Linux 6.12 on, a waking thread preempts threads with longer slices,
   * without privileges. Older kernels ignore the request. Returns false if it is refused or if
   * the thread has no normal scheduling policy.
   */
  requestSlice(ns: number): boolean;
}

export type LibcAvailability =
  | { readonly available: true; readonly libc: Libc }
  | { readonly available: false; readonly reason: string };

const lockExclusiveNonblocking = 2 | 4;
const schedOther = 0;
const schedFifo = 1;
const ownThread = 0;
const schedResetOnFork = 0x4000_0000;

/** System call number of `sched_setattr`, which older C libraries lack. */
const setAttributesCall: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
const attributesResetOnFork = 1;
const attributesWords = 12;
const sizeAt = 0;
const flagsAt = 2;
const nicenessAt = 4;
const runtimeAt = 6;

const bind = async (): Promise<Libc> => {
  const { default: koffi } = await import('koffi');
  // Loads the process itself, which works with glibc, musl and BSD libc.
  const library = koffi.load(null);
  const flock = library.func('int flock(int fd, int operation)');
  const dup2 = library.func('int dup2(int from, int to)');
  const schedSetScheduler =
    process.platform === 'linux'
      ? library.func('int sched_setscheduler(int pid, int policy, const void *param)')
      : undefined;
  const param = new Int32Array(1);
  const setAttributes = process.platform === 'linux' ? setAttributesCall[process.arch] : undefined;
  const granted: FifoOutcome = { granted: true };
  const lastError = (): string => getSystemErrorName(-koffi.errno());

  return {
    tryLockFile(fd) {
      while (flock(fd, lockExclusiveNonblocking) !== 0) {
        const errno = koffi.errno();
        if (errno === constants.errno.EWOULDBLOCK) return false;
        if (errno === constants.errno.EINTR) continue;
        throw new BusbarError('internal_error', {
          message: 'A file could not be locked',
          details: { errno: getSystemErrorName(-errno) },
        });
      }
      return true;
    },

    redirect(fd, target) {
      while (dup2(fd, target) < 0) {
        if (koffi.errno() === constants.errno.EINTR) continue;
        throw new BusbarError('internal_error', {
          message: 'A descriptor could not be redirected',
          details: { errno: lastError() },
        });
      }
    },

    requestFifo(priority, thread = ownThread) {
      if (!schedSetScheduler) return { granted: false, reason: `not on ${process.platform}` };
      param[0] = priority;
      const failed = schedSetScheduler(thread, schedFifo | schedResetOnFork, param) !== 0;
      return failed ? { granted: false, reason: lastError() } : granted;
    },

    leaveFifo() {
      param[0] = 0;
      schedSetScheduler?.(ownThread, schedOther, param);
    },

    requestSlice(ns) {
      if (setAttributes === undefined) return false;
      const getScheduler = library.func('int sched_getscheduler(int pid)');
      if (getScheduler(ownThread) !== schedOther) return false;
      const syscall = library.func(
        'long syscall(long number, long pid, const void *attributes, long flags)',
      );
      const attributes = new Int32Array(attributesWords);
      attributes[sizeAt] = attributes.byteLength;
      attributes[flagsAt] = attributesResetOnFork;
      attributes[nicenessAt] = getPriority();
      attributes[runtimeAt] = ns;
      return syscall(setAttributes, ownThread, attributes, 0) === 0;
    },
  };
};

const load = async (): Promise<LibcAvailability> => {
  try {
    return { available: true, libc: await bind() };
  } catch (error) {
    return { available: false, reason: error instanceof Error ? error.message : String(error) };
  }
};

let loading: Promise<LibcAvailability> | undefined;

/**
 * Loads the binding on first use, so importing this file is free. The import expression works
 * in modules and CommonJS bundles.
 */
export const loadLibc = (): Promise<LibcAvailability> => {
  loading ??= load();
  return loading;
};

export const requestFifo = async (priority: number, thread?: number): Promise<FifoOutcome> => {
  const loaded = await loadLibc();
  if (!loaded.available) return { granted: false, reason: loaded.reason };
  return loaded.libc.requestFifo(priority, thread);
};
