import { close, closeSync, constants, fstatSync, open } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { BusbarError } from '../errors/busbar-error.ts';
import { errnoOf } from '../errors/errno-of.ts';
import type { ByteLink, LinkErrorOf, LinkReceiver } from './byte-link.ts';
import type { SerialSettings } from './serial-settings.ts';
import { SocketLink } from './socket-link.ts';
import { refusedSetting, termiosFor } from './termios.ts';
import { loadTtyCalls, type TtyCallDone, type TtyCalls } from './tty-calls.ts';

export interface SerialPortOptions {
  readonly path: string;
  /** A name that must still lead to that path. */
  readonly named?: string;
  readonly settings: SerialSettings;
  /** Breaks and framing errors come marked among the bytes, for a `MarkedBytes` to read. */
  readonly marksErrors?: boolean;
  /** Bytes are wanted as they come, where the driver of the port can do so. */
  readonly lowLatency?: boolean;
  /** Controlling the line takes long, as behind USB, and is left to a thread of the pool. */
  readonly isSlowToControl?: boolean;
}

/** A serial port, and what only such a link has. What it is told to do waits until it is open. */
export interface SerialPort extends ByteLink {
  /**
   * Nothing but bytes crosses a pseudo terminal. What it carries may have marks in it, but it adds
   * none and has no line to hold.
   */
  readonly isPseudoTerminal: boolean;
  /** Holds the line low, or lets it go. May be done before it returns. */
  setBreak(isOn: boolean, done: TtyCallDone): void;
  /** Goes on at another baud rate once all that was written has left. */
  setBaudRate(baudRate: number, done: TtyCallDone): void;
}

const openDescriptor = promisify(open);

/** Unix 98 pseudo terminals have these major numbers; nothing about them is serial but the name. */
const pseudoTerminals = { first: 136, last: 143 } as const;

const isPseudoTerminal = (fd: number): boolean => {
  const major = (fstatSync(fd).rdev >> 8) & 0xfff;
  return major >= pseudoTerminals.first && major <= pseudoTerminals.last;
};

/**
 * The descriptor that a stream of a terminal uses and closes. It opens the device once more, which
 * locks must know, as they belong to what was opened, and lets the one that it was given stay open.
 */
const ownDescriptor = (stream: ReadStream, given: number): number => {
  const { _handle: handle } = stream as unknown as { _handle: { readonly fd: number } | null };
  if (handle === null || handle.fd === given) return given;
  closeSync(given);
  return handle.fd;
};

/** Opens a serial port for this process alone, raw and with the settings, or tells why not. */
export const openSerialPort = (
  options: SerialPortOptions,
  receiver: LinkReceiver,
  errorOf: LinkErrorOf,
): SerialPort => {
  const link = new SerialLink(options, receiver, errorOf);
  void link.open();
  return link;
};

interface Device {
  readonly fd: number;
  readonly calls: TtyCalls;
}

class SerialLink implements SerialPort {
  readonly #options: SerialPortOptions;
  readonly #errorOf: LinkErrorOf;
  #receiver: LinkReceiver | undefined;
  #link: SocketLink | undefined;
  #device: Device | undefined;
  #isPseudoTerminal = false;
  /** Calls that a thread of the pool still makes with the descriptor. */
  #underWay = 0;
  /** Undoes what keeps others away, before the descriptor is closed by the event loop. */
  #releaseDevice: () => void = () => undefined;

  constructor(options: SerialPortOptions, receiver: LinkReceiver, errorOf: LinkErrorOf) {
    this.#options = options;
    this.#errorOf = errorOf;
    this.#receiver = receiver;
  }

  get peer(): string {
    return this.#options.path;
  }

  get bufferedBytes(): number {
    return this.#link?.bufferedBytes ?? 0;
  }

  write(bytes: Uint8Array): void {
    this.#link?.write(bytes);
  }

  pause(): void {
    this.#link?.pause();
  }

  resume(): void {
    this.#link?.resume();
  }

  get isPseudoTerminal(): boolean {
    return this.#isPseudoTerminal;
  }

  setBreak(isOn: boolean, done: TtyCallDone): void {
    const device = this.#device;
    if (device === undefined) done('EBADF');
    else if (this.#options.isSlowToControl) this.#setBreakSlowly(device, isOn, done);
    else done(device.calls.setBreak(device.fd, isOn));
  }

  /** Behind USB control and data go different ways: a break would overtake what was written before. */
  #setBreakSlowly({ fd, calls }: Device, isOn: boolean, done: TtyCallDone): void {
    const set = (): void => calls.setBreakOffThread(fd, isOn, this.#whenMade(done));
    if (!isOn) set();
    else {
      const drained = (failure: string | undefined): void =>
        failure === undefined ? set() : done(failure);
      calls.drain(fd, this.#whenMade(drained));
    }
  }

  setBaudRate(baudRate: number, done: TtyCallDone): void {
    const device = this.#device;
    if (device === undefined) {
      done('EBADF');
      return;
    }
    const termios = this.#termiosFor({ ...this.#options.settings, baudRate });
    device.calls.setTermiosDrained(device.fd, termios, this.#whenMade(done));
  }

  close(): void {
    this.#receiver = undefined;
    this.#device = undefined;
    // The descriptor must not become another file's under a call.
    if (this.#underWay > 0) return;
    this.#releaseDevice();
    this.#releaseDevice = () => undefined;
    this.#link?.close();
  }

  #whenMade(done: TtyCallDone): TtyCallDone {
    this.#underWay += 1;
    return (failure) => {
      this.#underWay -= 1;
      if (this.#device !== undefined) done(failure);
      else if (this.#underWay === 0) this.close();
    };
  }

  #termiosFor(settings: SerialSettings): Uint8Array {
    // A pseudo terminal would take the marks that it is to carry for bytes, and mark those.
    const areMarked = this.#options.marksErrors === true && !this.#isPseudoTerminal;
    return termiosFor(settings, { areMarked });
  }

  async open(): Promise<void> {
    try {
      const calls = await loadTtyCalls();
      await this.#requireName();
      // Without O_NONBLOCK a port would wait for a modem to answer.
      const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
      const fd = await openDescriptor(this.peer, flags);
      if (this.#receiver === undefined) close(fd);
      else this.#adopt(fd, calls);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#receiver?.opened();
  }

  /** An adapter that was plugged in again may be another device, and another may have its place. */
  async #requireName(): Promise<void> {
    const { named, path } = this.#options;
    if (named === undefined || (await realpath(named)) === path) return;
    throw this.#errorOf(this.peer, 'device_moved');
  }

  #adopt(fd: number, calls: TtyCalls): void {
    const before = calls.getTermios(fd);
    if (typeof before === 'string') {
      close(fd);
      throw this.#errorOf(this.peer, before === 'ENOTTY' ? 'not_a_serial_port' : before);
    }
    const stream = new ReadStream(fd);
    const own = ownDescriptor(stream, fd);
    const receiver: LinkReceiver = {
      opened: () => undefined,
      bytes: (bytes) => this.#receiver?.bytes(bytes),
      drained: () => this.#receiver?.drained?.(),
      closed: (error) => this.#fail(error ?? this.#errorOf(this.peer, 'hung_up')),
    };
    const link = new SocketLink(stream, this.peer, receiver, this.#errorOf);
    this.#link = link;
    this.#isPseudoTerminal = isPseudoTerminal(own);
    try {
      this.#claim(own, calls);
      this.#configure(own, calls);
    } catch (error) {
      this.#releaseDevice();
      link.close();
      throw error;
    }
    stream.on('data', (bytes: Uint8Array) => link.deliver(bytes));
  }

  #claim(fd: number, calls: TtyCalls): void {
    if (!calls.tryLock(fd)) throw this.#errorOf(this.peer, 'in_use');
    // A pseudo terminal would stay exclusive for as long as its other end is open, even if this
    // process were killed.
    const isExclusive = !this.#isPseudoTerminal;
    if (isExclusive) calls.setExclusive(fd, true);
    this.#releaseDevice = () => {
      // Closing would otherwise wait until all that was written has left, on this very thread.
      calls.discard(fd);
      if (isExclusive) calls.setExclusive(fd, false);
      calls.unlock(fd);
    };
  }

  #configure(fd: number, calls: TtyCalls): void {
    const { settings, lowLatency } = this.#options;
    const failure = calls.setTermios(fd, this.#termiosFor(settings));
    if (failure !== undefined) throw this.#errorOf(this.peer, failure);
    const now = calls.getTermios(fd);
    if (typeof now === 'string') throw this.#errorOf(this.peer, now);
    const refused = refusedSetting(now, settings, { ignoresFormat: this.#isPseudoTerminal });
    if (refused !== undefined) throw this.#errorOf(this.peer, `${refused}_refused`);
    if (lowLatency) calls.setLowLatency(fd);
    // What came before answers no request of ours.
    calls.discard(fd);
    this.#device = { fd, calls };
  }

  #fail(error: unknown): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#device = undefined;
    this.#releaseDevice = () => undefined;
    const isOurs = error instanceof BusbarError;
    receiver?.closed(isOurs ? error : this.#errorOf(this.peer, reasonOf(error), error));
  }
}

/** Another program that keeps the port for itself makes opening it fail with EBUSY. */
const reasonOf = (error: unknown): string => {
  const errno = errnoOf(error) ?? 'unknown';
  return errno === 'EBUSY' ? 'in_use' : errno;
};
