import { getSystemErrorName } from 'node:util';
import { termiosLength } from './termios.ts';

/** Told the errno name of a failure, or nothing. */
export type TtyCallDone = (failure: string | undefined) => void;

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
  /** Holds the line low until it is let go. */
  setBreak(fd: number, isOn: boolean): string | undefined;
  /** The same on a thread of the pool: where a USB adapter is asked, that takes a millisecond. */
  setBreakOffThread(fd: number, isOn: boolean, done: TtyCallDone): void;
  /** Waits on a thread of the pool until all that was written has left. */
  drain(fd: number, done: TtyCallDone): void;
  /** Changes the settings once all that was written has left; waits for that on a thread of the pool. */
  setTermiosDrained(fd: number, termios: Uint8Array, done: TtyCallDone): void;
  /** Asks the driver to hand on bytes as they come, not in lots. Few drivers know of it. */
  setLowLatency(fd: number): void;
}

const requests = {
  TCGETS2: 0x802c_542a,
  TCSETS2: 0x402c_542b,
  TIOCEXCL: 0x540c,
  TIOCNXCL: 0x540d,
  TCSETSW2: 0x402c_542c,
  TIOCSBRK: 0x5427,
  TIOCCBRK: 0x5428,
  TIOCGSERIAL: 0x541e,
  TIOCSSERIAL: 0x541f,
} as const;
/** The kernel's `struct serial_struct`, which has the same places on all 64-bit machines. */
const serialStruct = { length: 72, flagsAt: 16, lowLatency: 1 << 13 } as const;
const tcioflush = 2;
const lockOperations = { tryExclusive: 2 | 4, unlock: 8 } as const;

const bind = async (): Promise<TtyCalls> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const ioctl = library.func('int ioctl(int fd, unsigned long request, void *argument)');
  const flock = library.func('int flock(int fd, int operation)');
  const tcflush = library.func('int tcflush(int fd, int queue)');
  const tcdrain = library.func('int tcdrain(int fd)');
  const failureOf = (result: number): string | undefined =>
    result === 0 ? undefined : getSystemErrorName(-koffi.errno());
  const onPool = (
    fd: number,
    request: number,
    argument: Uint8Array | null,
    done: TtyCallDone,
  ): void => {
    ioctl.async(fd, request, argument, (error: unknown, result: number) =>
      done(error ? 'unknown' : failureOf(result)),
    );
  };
  const breakRequest = (isOn: boolean): number => (isOn ? requests.TIOCSBRK : requests.TIOCCBRK);

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
    setBreak: (fd, isOn) => failureOf(ioctl(fd, breakRequest(isOn), null)),
    setBreakOffThread: (fd, isOn, done) => onPool(fd, breakRequest(isOn), null, done),
    drain(fd, done) {
      tcdrain.async(fd, (error: unknown, result: number) =>
        done(error ? 'unknown' : failureOf(result)),
      );
    },
    setTermiosDrained: (fd, termios, done) => onPool(fd, requests.TCSETSW2, termios, done),
    setLowLatency(fd) {
      const serial = new Uint8Array(serialStruct.length);
      if (ioctl(fd, requests.TIOCGSERIAL, serial) !== 0) return;
      const words = new DataView(serial.buffer);
      const flags = words.getInt32(serialStruct.flagsAt, true);
      words.setInt32(serialStruct.flagsAt, flags | serialStruct.lowLatency, true);
      ioctl(fd, requests.TIOCSSERIAL, serial);
    },
  };
};

let binding: Promise<TtyCalls> | undefined;

/** Binds the calls on first use, so that a daemon without serial ports never pays for it. */
export const loadTtyCalls = (): Promise<TtyCalls> => {
  binding ??= bind();
  return binding;
};
