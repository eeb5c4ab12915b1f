import { getSystemErrorName } from 'node:util';
import { termiosLength } from './termios.ts';

/** What Node has no call for. Each acts at once and gives the errno name of a failure. */
export interface TtyCalls {
  setTermios(fd: number, termios: Uint8Array): string | undefined;
  getTermios(fd: number): Uint8Array | string;
  /** Keeps other programs from opening the device, where they are not root. */
  setExclusive(fd: number, isExclusive: boolean): void;
  /** Keeps away the programs that ask before they open; false when one of them is there. */
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
  /** Throws away what has arrived and what has not left yet. */
  discard(fd: number): void;
}

const requests = {
  TCGETS2: 0x802c_542a,
  TCSETS2: 0x402c_542b,
  TIOCEXCL: 0x540c,
  TIOCNXCL: 0x540d,
} as const;
const tcioflush = 2;
const lockOperations = { tryExclusive: 2 | 4, unlock: 8 } as const;

const bind = async (): Promise<TtyCalls> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const ioctl = library.func('int ioctl(int fd, unsigned long request, void *argument)');
  const flock = library.func('int flock(int fd, int operation)');
  const tcflush = library.func('int tcflush(int fd, int queue)');
  const failureOf = (result: number): string | undefined =>
    result === 0 ? undefined : getSystemErrorName(-koffi.errno());

  return {
    setTermios: (fd, termios) => failureOf(ioctl(fd, requests.TCSETS2, termios)),
    getTermios(fd) {
      const termios = new Uint8Array(termiosLength);
      return failureOf(ioctl(fd, requests.TCGETS2, termios)) ?? termios;
    },
    setExclusive(fd, isExclusive) {
      ioctl(fd, isExclusive ? requests.TIOCEXCL : requests.TIOCNXCL, null);
    },
    tryLock: (fd) => flock(fd, lockOperations.tryExclusive) === 0,
    unlock(fd) {
      flock(fd, lockOperations.unlock);
    },
    discard(fd) {
      tcflush(fd, tcioflush);
    },
  };
};

let binding: Promise<TtyCalls> | undefined;

/** Binds the calls on first use, so that a daemon without serial ports never pays for it. */
export const loadTtyCalls = (): Promise<TtyCalls> => {
  binding ??= bind();
  return binding;
};
