import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { termiosLength } from './termios.ts';

export type TtyCallDone = (failure: string | undefined) => void;

export interface TtyWatch {
  start(forBytes: boolean, forRoom: boolean): void;
  stop(): void;
  close(): void;
}

/**
 * System calls that Node lacks. These can block: until output was transmitted (TIOCSBRK and
 * TCSETSW2), for a USB reply, which a hanging device delays by five seconds, or for a kernel
 * lock. A pool thread runs them; a round trip takes 35 µs on an idle machine.
 */
interface LateCalls {
  setTermios(fd: number, termios: Uint8Array, done: TtyCallDone): void;
  setTermiosDrained(fd: number, termios: Uint8Array, done: TtyCallDone): void;
  getTermios(fd: number, termios: Uint8Array, done: TtyCallDone): void;
  setExclusive(fd: number, isExclusive: boolean, done: TtyCallDone): void;
  discard(fd: number, done: TtyCallDone): void;
  setBreak(fd: number, isOn: boolean, done: TtyCallDone): void;
  /** Requests that the driver delivers bytes as they arrive. Few drivers support it. */
  setLowLatency(fd: number, done: TtyCallDone): void;
}

/**
 * These calls return immediately. A file lock does not access the device. Nonblocking reads and
 * writes only copy bytes, but they share a kernel lock with the settings. Do not call them
 * while the settings are being changed.
 */
interface PromptCalls {
  tryLock(fd: number): boolean;
  /** Returns the number of bytes read; 0 on hang-up, −errno on failure. */
  read(fd: number, buffer: Uint8Array): number;
  /** Returns the number of bytes written, or −errno. */
  write(fd: number, bytes: Uint8Array, length: number): number;
  /**
   * Clears a break. On a UART on the processor bus this writes a register under the port mutex,
   * which is free while no other control call runs. Other UARTs need a transfer on their own bus.
   */
  endBreak(fd: number): string | undefined;
  watch(fd: number, onEvent: () => void): TtyWatch;
}

export type TtyCalls = LateCalls & PromptCalls;

export const notYet = -constants.errno.EAGAIN;

const requests = {
  TCGETS2: 0x802c_542a,
  TCSETS2: 0x402c_542b,
  TCSETSW2: 0x402c_542c,
  TIOCEXCL: 0x540c,
  TIOCNXCL: 0x540d,
  TIOCSBRK: 0x5427,
  TIOCCBRK: 0x5428,
  TIOCGSERIAL: 0x541e,
  TIOCSSERIAL: 0x541f,
} as const;
const serialStruct = { length: 72, flagsAt: 16, lowLatency: 1 << 13 } as const;
const tcioflush = 2;
const tryExclusive = 2 | 4;

export const errnoName = (given: number): string => getSystemErrorName(given);

const bind = async (): Promise<TtyCalls> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const ioctl = library.func('int ioctl(int fd, unsigned long request, void *argument)');
  const flock = library.func('int flock(int fd, int operation)');
  const tcflush = library.func('int tcflush(int fd, int queue)');
  const readBytes = library.func('int64_t read(int fd, void *buffer, size_t size)');
  const writeBytes = library.func('int64_t write(int fd, const void *buffer, size_t size)');
  const failureOf = (result: number): string | undefined =>
    result === 0 ? undefined : getSystemErrorName(-koffi.errno());
  const countOf = (result: number): number => (result < 0 ? -koffi.errno() : result);
  const underWay = new Set<Uint8Array>();

  const control = (
    fd: number,
    request: number,
    argument: Uint8Array | null,
    done: TtyCallDone,
  ): void => {
    if (argument !== null) underWay.add(argument);
    ioctl.async(fd, request, argument, (error: unknown, result: number) => {
      const failure = error ? 'unknown' : failureOf(result);
      if (argument !== null) underWay.delete(argument);
      done(failure);
    });
  };

  return {
    setTermios: (fd, termios, done) => control(fd, requests.TCSETS2, termios, done),
    setTermiosDrained: (fd, termios, done) => control(fd, requests.TCSETSW2, termios, done),
    getTermios: (fd, termios, done) => control(fd, requests.TCGETS2, termios, done),
    setExclusive: (fd, isExclusive, done) =>
      control(fd, isExclusive ? requests.TIOCEXCL : requests.TIOCNXCL, null, done),
    discard(fd, done) {
      tcflush.async(fd, tcioflush, (error: unknown, result: number) =>
        done(error ? 'unknown' : failureOf(result)),
      );
    },
    setBreak: (fd, isOn, done) =>
      control(fd, isOn ? requests.TIOCSBRK : requests.TIOCCBRK, null, done),
    setLowLatency(fd, done) {
      const serial = new Uint8Array(serialStruct.length);
      control(fd, requests.TIOCGSERIAL, serial, (failure) => {
        if (failure !== undefined) {
          done(failure);
          return;
        }
        const words = new DataView(serial.buffer);
        const flags = words.getInt32(serialStruct.flagsAt, true);
        words.setInt32(serialStruct.flagsAt, flags | serialStruct.lowLatency, true);
        control(fd, requests.TIOCSSERIAL, serial, done);
      });
    },
    tryLock: (fd) => flock(fd, tryExclusive) === 0,
    read: (fd, buffer) => countOf(readBytes(fd, buffer, buffer.length)),
    write: (fd, bytes, length) => countOf(writeBytes(fd, bytes, length)),
    endBreak: (fd) => failureOf(ioctl(fd, requests.TIOCCBRK, null)),
    watch(fd, onEvent) {
      const handle = koffi.node.poll(fd, { readable: true }, onEvent);
      return {
        start: (forBytes, forRoom) =>
          handle.start({ readable: forBytes, writable: forRoom }, onEvent),
        stop: () => handle.stop(),
        close: () => handle.close(),
      };
    },
  };
};

let binding: Promise<TtyCalls> | undefined;

export const loadTtyCalls = (): Promise<TtyCalls> => {
  binding ??= bind();
  return binding;
};

export const readTermios = async (calls: TtyCalls, fd: number): Promise<Uint8Array | string> => {
  const termios = new Uint8Array(termiosLength);
  const failure = await made((done) => calls.getTermios(fd, termios, done));
  return failure ?? termios;
};

export const made = (call: (done: TtyCallDone) => void): Promise<string | undefined> =>
  new Promise((resolve) => {
    call(resolve);
  });
