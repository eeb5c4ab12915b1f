import type { Clock } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import { openSerialPort } from '../../base/serial/serial-port.ts';
import type { SerialSettings } from '../../base/serial/serial-settings.ts';
import {
  type OptionErrors,
  readSerialAddress,
  serialAddressError,
} from '../serial-device/serial-address.ts';
import { serialFailure } from '../serial-device/serial-failure.ts';
import {
  type Command,
  Exchange,
  type ExchangeEvents,
  type ProbeStats,
  type Reply,
} from './exchange.ts';
import type { StampDigits } from './frame-text.ts';
import type { CommandLine } from './probe.ts';

/** Address in the bench file: `/dev/ttyACM0` or `/dev/ttyUSB0,baud=57600`. */
export interface SlcanAddress {
  readonly text: string;
  readonly named: string;
  readonly settings: SerialSettings;
  /** False for silent firmware, which looks like an empty port. */
  readonly answers: boolean;
}

/** Usual rate of serial adapters. USB ignores it. */
const defaultBaudRate = 115_200;
const baudRates = { min: 300, max: 4_000_000 } as const;

const optionErrors: OptionErrors = {
  baud: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= baudRates.min && Number(value) <= baudRates.max
      ? undefined
      : `has a baud outside ${baudRates.min} to ${baudRates.max}`,
  answers: (value) =>
    value === 'yes' || value === 'no' ? undefined : 'has an answers other than yes or no',
};

export const slcanAddressError = (text: string): string | undefined =>
  serialAddressError(text, '/dev/ttyACM0 or /dev/ttyUSB0,baud=57600', optionErrors);

export const parseSlcanAddress = (text: string): SlcanAddress => {
  const { named, options: given } = readSerialAddress(text);
  const options = new Map(given);
  const baudRate = Number(options.get('baud') ?? defaultBaudRate);
  return {
    text,
    named,
    settings: { baudRate, dataBits: 8, parity: 'none', stopBits: 1 },
    answers: options.get('answers') !== 'no',
  };
};

export interface LineEvents extends ExchangeEvents {
  drained(nowUs: number): void;
  /** The last call: the port was closed or lost. */
  closed(error: BusbarError): void;
}

export interface SlcanPortOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly address: SlcanAddress;
  readonly path: string;
  readonly events: LineEvents;
}

export class SlcanPort implements CommandLine, LinkReceiver {
  readonly #options: SlcanPortOptions;
  readonly #exchange: Exchange;
  readonly #timeouts: Task;
  readonly #opened = new Deferred<void>();
  readonly #link: ByteLink;
  #turn: Promise<unknown> = Promise.resolve();
  #isOver = false;

  private constructor(options: SlcanPortOptions) {
    const { scheduler, address, path, events } = options;
    this.#options = options;
    this.#exchange = new Exchange(events);
    this.#timeouts = scheduler.createTask(`slcan ${path}`, (nowUs) => {
      this.#exchange.tick(nowUs);
      return this.#exchange.deadlineUs;
    });
    const { named, settings } = address;
    this.#link = openSerialPort({ path, named, settings }, this, serialFailure);
  }

  static async open(options: SlcanPortOptions): Promise<SlcanPort> {
    const line = new SlcanPort(options);
    await line.#opened.promise;
    return line;
  }

  get peer(): string {
    return this.#options.address.named;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get probeStats(): ProbeStats {
    return this.#exchange.probeStats;
  }

  set isProbing(isProbing: boolean) {
    this.#exchange.isProbing = isProbing;
  }

  get malformed(): number {
    return this.#exchange.malformed;
  }

  get unansweredFrames(): number {
    return this.#exchange.unansweredFrames;
  }

  get bufferedBytes(): number {
    return this.#link.bufferedBytes;
  }

  set stampDigits(digits: StampDigits) {
    this.#exchange.stampDigits = digits;
  }

  ask(command: Command): Promise<Reply> {
    const reply = this.#turn.then(() => this.#askNow(command));
    this.#turn = reply;
    return reply;
  }

  report(text: string): void {
    if (!this.#isOver) this.#link.write(Buffer.from(`${text}\r`, 'latin1'));
  }

  /**
   * Sends frames, whose bytes must not change until drained; `answers` of them are acknowledged.
   */
  write(bytes: Uint8Array, answers: number): void {
    if (this.#isOver) return;
    this.#link.write(bytes);
    if (answers === 0) return;
    this.#exchange.wrote(answers, this.#nowUs());
    this.#arm();
  }

  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#link.close();
  }

  opened(): void {
    this.#opened.resolve();
  }

  bytes(bytes: Uint8Array): void {
    this.#exchange.receive(bytes, this.#nowUs());
    this.#arm();
  }

  drained(): void {
    if (!this.#isOver) this.#options.events.drained(this.#nowUs());
  }

  closed(error: BusbarError | undefined): void {
    const reason = error ?? serialFailure(this.peer, 'hung_up');
    this.#opened.reject(reason);
    // The caller may already have the port.
    this.#opened.promise.catch(() => undefined);
    if (this.#isOver) return;
    this.#end();
    this.#options.events.closed(reason);
  }

  #nowUs(): number {
    return this.#options.clock.monotonicUs();
  }

  #askNow(command: Command): Promise<Reply> {
    if (this.#isOver) return Promise.resolve({ outcome: 'gone', text: '' });
    return new Promise((resolve) => {
      this.report(command.text);
      this.#exchange.ask(command, this.#nowUs(), resolve);
      this.#arm();
    });
  }

  #arm(): void {
    if (!this.#isOver) this.#timeouts.scheduleAt(this.#exchange.deadlineUs);
  }

  #end(): void {
    this.#isOver = true;
    this.#timeouts.cancel();
    this.#exchange.end();
  }
}
