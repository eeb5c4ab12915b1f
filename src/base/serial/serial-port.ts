import { realpath } from 'node:fs/promises';
import { Deferred } from '../deferred.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { errnoOf } from '../errors/errno-of.ts';
import type { ByteLink, LinkErrorOf, LinkReceiver } from './byte-link.ts';
import type { SerialSettings } from './serial-settings.ts';
import type { TtyCallDone } from './tty-calls.ts';
import { TtyDevice, TtyRefusal } from './tty-device.ts';
import { TtyStream } from './tty-stream.ts';

/**
 * Released ports that the thread pool has not closed yet. They are still locked, so the next
 * owner has to wait.
 */
const closing = new Map<Promise<void>, string>();

const portCloses = (path: string, closed: Promise<void>): void => {
  closing.set(closed, path);
  void closed.then(() => closing.delete(closed));
};

const portIsClosed = async (path: string): Promise<void> => {
  for (const [closed, each] of closing) if (each === path) await closed;
};

export const portsAreClosed = async (): Promise<void> => {
  await Promise.all(closing.keys());
};

export interface SerialPortOptions {
  readonly path: string;
  readonly named?: string;
  readonly settings: SerialSettings;
  readonly marksErrors?: boolean;
  readonly lowLatency?: boolean;
  /** The UART is controlled by registers, not over a bus such as USB. */
  readonly isPromptToControl?: boolean;
}

export interface SerialPort extends ByteLink {
  /** A pseudo terminal carries bytes only: no error marks, no breaks. */
  readonly isPseudoTerminal: boolean;
  /** The bytes can be reused after the call. */
  write(bytes: Uint8Array, length?: number): void;
  /** Sets or clears a break after all output was transmitted. Can call `done` synchronously. */
  setBreak(isOn: boolean, done: TtyCallDone): void;
  setBaudRate(baudRate: number, done: TtyCallDone): void;
}

/** Opens a serial port exclusively, in raw mode with these settings, or reports an error. */
export const openSerialPort = (
  options: SerialPortOptions,
  receiver: LinkReceiver,
  errorOf: LinkErrorOf,
): SerialPort => {
  const link = new SerialLink(options, receiver, errorOf);
  void link.open();
  return link;
};

/** Line controls run one at a time, so a break cannot end before it starts. */
interface LineControl {
  run(device: TtyDevice, done: TtyCallDone): void;
  readonly done: TtyCallDone;
  readonly holdsBytes: boolean;
}

class SerialLink implements SerialPort {
  readonly #options: SerialPortOptions;
  readonly #errorOf: LinkErrorOf;
  #receiver: LinkReceiver | undefined;
  #path: string | undefined;
  #device: TtyDevice | undefined;
  #stream: TtyStream | undefined;
  #left: Deferred<void> | undefined;
  readonly #controls: LineControl[] = [];
  #isControlling = false;

  constructor(options: SerialPortOptions, receiver: LinkReceiver, errorOf: LinkErrorOf) {
    this.#options = options;
    this.#errorOf = errorOf;
    this.#receiver = receiver;
  }

  get peer(): string {
    return this.#options.path;
  }

  get bufferedBytes(): number {
    return this.#stream?.bufferedBytes ?? 0;
  }

  get isPseudoTerminal(): boolean {
    return this.#device?.isPseudoTerminal ?? false;
  }

  write(bytes: Uint8Array, length = bytes.length): void {
    this.#stream?.write(bytes, length);
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  setBreak(isOn: boolean, done: TtyCallDone): void {
    if (this.#endsBreakAtOnce(isOn)) done((this.#device as TtyDevice).endBreak());
    else this.#control({ run: isOn ? holdLine : freeLine, done, holdsBytes: false });
  }

  setBaudRate(baudRate: number, done: TtyCallDone): void {
    const settings = { ...this.#options.settings, baudRate };
    const run: LineControl['run'] = (device, reported) => device.changeSettings(settings, reported);
    this.#control({ run, done, holdsBytes: true });
  }

  close(): void {
    this.#receiver = undefined;
    this.#release();
  }

  async open(): Promise<void> {
    try {
      await this.#requireName();
      this.#path = await realpath(this.peer);
      await portIsClosed(this.#path);
      if (this.#receiver === undefined) return;
      this.#left = new Deferred();
      const device = await TtyDevice.open(this.#path, this.#options);
      this.#device = device;
      this.#stream = this.#streamOf(device);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#receiver === undefined) this.#release();
    else this.#receiver.opened();
  }

  /** After replugging, the adapter may be another device, or another device may have its name. */
  async #requireName(): Promise<void> {
    const { named, path } = this.#options;
    if (named === undefined || (await realpath(named)) === path) return;
    throw this.#errorOf(this.peer, 'device_moved');
  }

  #streamOf({ fd, calls }: TtyDevice): TtyStream {
    return new TtyStream(fd, calls, {
      bytes: (bytes) => this.#receiver?.bytes(bytes),
      drained: () => this.#receiver?.drained?.(),
      ended: (reason) => this.#fail(this.#errorOf(this.peer, reason)),
    });
  }

  #endsBreakAtOnce(isOn: boolean): boolean {
    const { isPromptToControl } = this.#options;
    return (
      !isOn && isPromptToControl === true && this.#stream !== undefined && !this.#isControlling
    );
  }

  #control(control: LineControl): void {
    if (this.#stream === undefined) {
      control.done('EBADF');
      return;
    }
    this.#controls.push(control);
    if (!this.#isControlling) this.#controlNext();
  }

  #controlNext(): void {
    const control = this.#controls.shift();
    const device = this.#device;
    if (control === undefined || device === undefined) return;
    this.#isControlling = true;
    if (control.holdsBytes) this.#stream?.hold();
    control.run(device, (failure) => {
      this.#isControlling = false;
      if (control.holdsBytes) this.#stream?.release();
      if (this.#stream === undefined) {
        this.#closeDevice();
        return;
      }
      control.done(failure);
      if (!this.#isControlling) this.#controlNext();
    });
  }

  #release(): void {
    if (this.#left !== undefined) portCloses(this.#path as string, this.#left.promise);
    this.#stream?.close();
    this.#stream = undefined;
    this.#controls.length = 0;
    // The descriptor must not be reused by another file during a call.
    if (!this.#isControlling) this.#closeDevice();
  }

  #closeDevice(): void {
    const device = this.#device;
    this.#device = undefined;
    void device?.close().then(() => this.#left?.resolve());
  }

  #fail(error: unknown): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    // A device that failed to open has already closed itself.
    if (this.#device === undefined) this.#left?.resolve();
    this.#release();
    const isOurs = error instanceof BusbarError;
    receiver?.closed(isOurs ? error : this.#errorOf(this.peer, reasonOf(error), error));
  }
}

const holdLine: LineControl['run'] = (device, done) => device.setBreak(true, done);
const freeLine: LineControl['run'] = (device, done) => device.setBreak(false, done);

const reasonOf = (error: unknown): string => {
  if (error instanceof TtyRefusal) return error.reason;
  const errno = errnoOf(error) ?? 'unknown';
  return errno === 'EBUSY' ? 'in_use' : errno;
};
