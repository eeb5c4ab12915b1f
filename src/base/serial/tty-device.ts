import { close, constants, fstatSync, open } from 'node:fs';
import { promisify } from 'node:util';
import type { SerialSettings } from './serial-settings.ts';
import { refusedSetting, termiosFor } from './termios.ts';
import { loadTtyCalls, made, readTermios, type TtyCallDone, type TtyCalls } from './tty-calls.ts';

export interface TtyDeviceOptions {
  readonly settings: SerialSettings;
  readonly marksErrors?: boolean;
  readonly lowLatency?: boolean;
}

export class TtyRefusal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

const openDescriptor = promisify(open);
const closeDescriptor = promisify(close);

/** Without O_NONBLOCK, opening would wait for a modem, and reads would wait for each other. */
const openFlags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;

const pseudoTerminals = { first: 136, last: 143 } as const;

const isPseudoTerminal = (fd: number): boolean => {
  const major = (fstatSync(fd).rdev >> 8) & 0xfff;
  return major >= pseudoTerminals.first && major <= pseudoTerminals.last;
};

/**
 * An exclusively opened serial device and its settings. Node's terminal stream is not suitable:
 * it opens the device again without O_NONBLOCK, and opens and closes it on the calling thread.
 * A silent modem would block that thread forever, a USB port for milliseconds.
 */
export class TtyDevice {
  readonly fd: number;
  readonly calls: TtyCalls;
  readonly isPseudoTerminal: boolean;
  readonly #options: TtyDeviceOptions;
  #isClaimed = false;

  private constructor(fd: number, calls: TtyCalls, options: TtyDeviceOptions) {
    this.fd = fd;
    this.calls = calls;
    this.#options = options;
    this.isPseudoTerminal = isPseudoTerminal(fd);
  }

  static async open(path: string, options: TtyDeviceOptions): Promise<TtyDevice> {
    const calls = await loadTtyCalls();
    const device = new TtyDevice(await openDescriptor(path, openFlags), calls, options);
    try {
      await device.#claim();
      await device.#configure();
    } catch (error) {
      await device.close();
      throw error;
    }
    return device;
  }

  changeSettings(settings: SerialSettings, done: TtyCallDone): void {
    this.calls.setTermiosDrained(this.fd, this.#termiosFor(settings), done);
  }

  setBreak(isOn: boolean, done: TtyCallDone): void {
    this.calls.setBreak(this.fd, isOn, done);
  }

  endBreak(): string | undefined {
    return this.calls.endBreak(this.fd);
  }

  async close(): Promise<void> {
    const { fd, calls } = this;
    if (this.#isClaimed) {
      await made((done) => calls.discard(fd, done));
      if (this.#isExclusive) await made((done) => calls.setExclusive(fd, false, done));
    }
    await closeDescriptor(fd).catch(() => undefined);
  }

  async #claim(): Promise<void> {
    const { fd, calls } = this;
    const before = await readTermios(calls, fd);
    if (typeof before === 'string') {
      throw new TtyRefusal(before === 'ENOTTY' ? 'not_a_serial_port' : before);
    }
    this.#isClaimed = calls.tryLock(fd);
    if (!this.#isClaimed) throw new TtyRefusal('in_use');
    if (this.#isExclusive) await made((done) => calls.setExclusive(fd, true, done));
  }

  async #configure(): Promise<void> {
    const { fd, calls, isPseudoTerminal: ignoresFormat } = this;
    const { settings, lowLatency } = this.#options;
    const failure = await made((done) => calls.setTermios(fd, this.#termiosFor(settings), done));
    if (failure !== undefined) throw new TtyRefusal(failure);
    const now = await readTermios(calls, fd);
    if (typeof now === 'string') throw new TtyRefusal(now);
    const refused = refusedSetting(now, settings, { ignoresFormat });
    if (refused !== undefined) throw new TtyRefusal(`${refused}_refused`);
    if (lowLatency) await made((done) => calls.setLowLatency(fd, done));
    // Earlier input cannot be the answer to our requests.
    await made((done) => calls.discard(fd, done));
  }

  /** A pseudo terminal would stay exclusive while its other end is open, even after a kill. */
  get #isExclusive(): boolean {
    return !this.isPseudoTerminal;
  }

  #termiosFor(settings: SerialSettings): Uint8Array {
    // A pseudo terminal would escape the marks that it carries.
    const areMarked = this.#options.marksErrors === true && !this.isPseudoTerminal;
    return termiosFor(settings, { areMarked });
  }
}
