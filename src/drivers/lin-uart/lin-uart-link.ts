import type { Clock } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { MarkedBytes, putMarked } from '../../base/serial/marked-bytes.ts';
import type { openSerialPort, SerialPort } from '../../base/serial/serial-port.ts';
import { serialFailure } from '../serial-device/serial-failure.ts';
import type { SerialIdentity } from '../serial-device/serial-identity.ts';
import { maxLinBytes } from './lin-bytes.ts';
import type { LinLine } from './lin-line.ts';
import type { LinWire } from './lin-line-ports.ts';
import type { LinUartAddress } from './lin-uart-address.ts';
import { LineBreak } from './line-break.ts';

export type OpenSerialPort = typeof openSerialPort;

/**
 * A terminal writes the bytes of a mark together. One that is still open after this time lost its
 * rest, and must not take the break of the next frame for it.
 */
const openMarkUs = 200_000;

export interface LinUartLinkOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly address: LinUartAddress;
  readonly openPort: OpenSerialPort;
  readonly onActivity: () => void;
  readonly onGone: () => void;
}

export class LinUartLink implements LinWire {
  readonly #options: LinUartLinkOptions;
  readonly #received: MarkedBytes;
  #line: LinLine | undefined;
  #port: SerialPort | undefined;
  #break: LineBreak | undefined;
  #bitrate = 0;
  #opening: Deferred<void> | undefined;
  #changing: Deferred<void> | undefined;
  /** Buffer for a pseudo terminal, where each byte may need a mark. */
  readonly #marked = new Uint8Array(2 * maxLinBytes);
  #nowUs = 0;

  constructor(options: LinUartLinkOptions) {
    this.#options = options;
    this.#received = new MarkedBytes({
      byte: (byte) => this.#line?.byte(byte, this.#nowUs),
      lineBreak: () => this.#line?.lineBreak(this.#nowUs),
      framingError: (byte) => this.#line?.framingError(byte, this.#nowUs),
    });
  }

  join(line: LinLine): void {
    this.#line = line;
  }

  async open({ path, isMemoryMapped }: SerialIdentity, bitrate: number): Promise<void> {
    const { address, openPort, onGone } = this.#options;
    const opened = new Deferred<void>();
    let isOpen = false;
    const settings = { baudRate: bitrate, dataBits: 8, parity: 'none', stopBits: 1 } as const;
    const port = openPort(
      {
        path,
        named: address.named,
        settings,
        marksErrors: true,
        lowLatency: true,
        isPromptToControl: isMemoryMapped,
      },
      {
        opened: () => {
          isOpen = true;
          opened.resolve();
        },
        bytes: (bytes) => this.#read(bytes),
        closed: (error) => {
          if (isOpen && this.#port === port) {
            this.#forget();
            onGone();
          }
          opened.reject(error);
        },
      },
      serialFailure,
    );
    this.#bitrate = bitrate;
    this.#received.reset();
    this.#port = port;
    this.#opening = opened;
    try {
      await opened.promise;
    } catch (error) {
      if (this.#port === port) this.#forget();
      throw error;
    }
    if (this.#port !== port) throw serialFailure(address.named, 'hung_up');
    this.#opening = undefined;
    this.#break = this.#breakOn(port);
  }

  async setBitrate(bitrate: number): Promise<void> {
    const { address } = this.#options;
    const port = this.#port;
    if (port === undefined) throw serialFailure(address.named, 'hung_up');
    this.#break?.stop();
    const before = this.#bitrate;
    // Set first, so that a break in progress uses the new bit rate.
    this.#bitrate = bitrate;
    const changed = new Deferred<void>();
    this.#changing = changed;
    port.setBaudRate(bitrate, (failure) => {
      if (failure === undefined) changed.resolve();
      else changed.reject(serialFailure(address.named, failure));
    });
    try {
      await changed.promise;
    } catch (error) {
      this.#bitrate = before;
      throw error;
    }
    this.#received.reset();
  }

  sendBreak(): void {
    if (this.#line) this.#break?.send(this.#line.timing);
  }

  stopBreak(): void {
    this.#break?.stop();
  }

  write(bytes: Uint8Array, length: number): void {
    const port = this.#port;
    if (port === undefined) return;
    if (port.isPseudoTerminal) port.write(this.#marked, putMarked(this.#marked, bytes, length));
    else port.write(bytes, length);
  }

  close(): void {
    const port = this.#port;
    this.#break?.stop();
    this.#forget();
    port?.close();
  }

  #forget(): void {
    const gone = serialFailure(this.#options.address.named, 'hung_up');
    this.#opening?.reject(gone);
    this.#opening = undefined;
    this.#changing?.reject(gone);
    this.#port = undefined;
    this.#break = undefined;
  }

  #read(bytes: Uint8Array): void {
    const nowUs = this.#options.clock.monotonicUs();
    if (nowUs - this.#nowUs > openMarkUs) this.#received.reset();
    this.#nowUs = nowUs;
    this.#received.read(bytes);
    this.#line?.batchEnd(this.#nowUs);
    this.#options.onActivity();
  }

  #breakOn(port: SerialPort): LineBreak {
    const { clock, scheduler, address, onActivity } = this.#options;
    return new LineBreak({
      clock,
      scheduler,
      port,
      method: address.breakMethod,
      bitrate: () => this.#bitrate,
      onSent: (nowUs) => {
        this.#line?.breakSent(nowUs);
        onActivity();
      },
      onFailed: (nowUs) => {
        this.#line?.breakFailed(nowUs);
        onActivity();
      },
    });
  }
}
