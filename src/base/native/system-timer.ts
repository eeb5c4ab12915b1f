import { getSystemErrorName } from 'node:util';
import type { Clock, Timer } from '../clock/clock.ts';
import { BusbarError } from '../errors/busbar-error.ts';

export interface SystemTimer {
  /**
   * Expires once at this monotonic microsecond, or immediately if it has passed. Replaces an
   * earlier time.
   */
  arm(atUs: number): void;
  close(): void;
}

export type OpenSystemTimer = (onExpire: () => void) => SystemTimer;

const clockMonotonic = 1;
const absoluteTime = 1;
const nonblockingClosedOnExec = 0o4000 | 0o2000000;

const specWords = 4;
const secondsAt = 2;
const nanosecondsAt = 3;

/** Seventy years, so that the seconds stay below 2^32. */
const latestUs = 2 ** 31 * 1e6;

const failed = (call: string, errno: number): BusbarError =>
  new BusbarError('internal_error', {
    message: 'The timer of the bench thread failed',
    details: { call, errno: getSystemErrorName(-errno) },
  });

/** A kernel timer (timerfd) that the event loop polls like a socket. */
const loadKernelTimer = async (): Promise<OpenSystemTimer> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const create = library.func('int timerfd_create(int clock, int flags)');
  const setTime = library.func(
    'int timerfd_settime(int fd, int flags, const void *spec, void *old)',
  );
  const read = library.func('int64_t read(int fd, void *buffer, size_t size)');
  const closeDescriptor = library.func('int close(int fd)');

  return (onExpire) => {
    const fd: number = create(clockMonotonic, nonblockingClosedOnExec);
    if (fd < 0) throw failed('timerfd_create', koffi.errno());
    const spec = new BigInt64Array(specWords);
    // Accesses the same memory without BigInts, which allocate. Every machine that Node
    // supports is little-endian.
    const halves = new Uint32Array(spec.buffer);
    const expirations = new BigUint64Array(1);
    const watch = koffi.node.poll(fd, { readable: true }, () => {
      // An unread timer would wake the loop repeatedly.
      read(fd, expirations, expirations.byteLength);
      onExpire();
    });
    return {
      arm(atUs) {
        // Rounded up, so that it is never early. Zero would disarm the timer.
        const atNs = Math.max(1, Math.ceil(Math.min(atUs, latestUs) * 1000));
        const seconds = Math.floor(atNs / 1e9);
        halves[2 * secondsAt] = seconds;
        halves[2 * nanosecondsAt] = atNs - seconds * 1e9;
        if (setTime(fd, absoluteTime, spec, null) !== 0) {
          throw failed('timerfd_settime', koffi.errno());
        }
      },
      close() {
        watch.close();
        closeDescriptor(fd);
      },
    };
  };
};

/** Node's timer is up to a millisecond late. */
const loopTimer =
  (clock: Clock): OpenSystemTimer =>
  (onExpire) => {
    let timer: Timer | undefined;
    return {
      arm(atUs) {
        timer?.cancel();
        timer = clock.after(Math.max(0, atUs - clock.monotonicUs()) / 1000, onExpire);
      },
      close: () => timer?.cancel(),
    };
  };

export const loadSystemTimer = async (
  clock: Clock,
  platform: NodeJS.Platform = process.platform,
): Promise<OpenSystemTimer> => (platform === 'linux' ? loadKernelTimer() : loopTimer(clock));
