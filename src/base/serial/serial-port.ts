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
import { loadTtyCalls, type TtyCalls } from './tty-calls.ts';

export interface SerialPortOptions {
  readonly path: string;
  /** A name that must still lead to that path. */
  readonly named?: string;
  readonly settings: SerialSettings;
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
): ByteLink => {
  const link = new SerialLink(options, receiver, errorOf);
  void link.open();
  return link;
};

class SerialLink implements ByteLink {
  readonly #options: SerialPortOptions;
  readonly #errorOf: LinkErrorOf;
  #receiver: LinkReceiver | undefined;
  #link: SocketLink | undefined;
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

  close(): void {
    this.#receiver = undefined;
    this.#releaseDevice();
    this.#releaseDevice = () => undefined;
    this.#link?.close();
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
    const isExclusive = !isPseudoTerminal(fd);
    if (isExclusive) calls.setExclusive(fd, true);
    this.#releaseDevice = () => {
      // Closing would otherwise wait until all that was written has left, on this very thread.
      calls.discard(fd);
      if (isExclusive) calls.setExclusive(fd, false);
      calls.unlock(fd);
    };
  }

  #configure(fd: number, calls: TtyCalls): void {
    const { settings } = this.#options;
    const failure = calls.setTermios(fd, termiosFor(settings));
    if (failure !== undefined) throw this.#errorOf(this.peer, failure);
    const now = calls.getTermios(fd);
    if (typeof now === 'string') throw this.#errorOf(this.peer, now);
    const refused = refusedSetting(now, settings, { ignoresFormat: isPseudoTerminal(fd) });
    if (refused !== undefined) throw this.#errorOf(this.peer, `${refused}_refused`);
    // What came before answers no request of ours.
    calls.discard(fd);
  }

  #fail(error: unknown): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
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
