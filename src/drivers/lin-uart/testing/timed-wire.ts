import { setTimeout as pause } from 'node:timers/promises';
import type { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import type { Scheduler } from '../../../base/schedule/scheduler.ts';
import type { SerialPort } from '../../../base/serial/serial-port.ts';
import { openSerialPort } from '../../../base/serial/serial-port.ts';
import type { OpenSerialPort } from '../lin-uart-link.ts';
import { EmulatedWire } from './emulated-wire.ts';
import { WireSocket } from './wire-socket.ts';

/** Duration of a byte at 19200 bit/s. */
const byteUs = 10e6 / 19_200;
const maxDelayUs = 300;

/** Raw bytes that a port of the driver has read and written. */
interface PortCounts {
  read: number;
  written: number;
}

/**
 * An emulated wire over real terminals with its own clock. Time passes only while no byte is in
 * transit in the system, so the nodes see the same timing on any machine.
 */
export class TimedWire {
  readonly wire = new EmulatedWire();
  readonly sockets: WireSocket[] = [];
  readonly #clock: FakeClock;
  readonly #scheduler: Scheduler;
  readonly #random: () => number;
  readonly #ports = new Map<string, PortCounts>();

  constructor(clock: FakeClock, scheduler: Scheduler, random: () => number) {
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#random = random;
  }

  async addSocket(): Promise<WireSocket> {
    const socket = new WireSocket(this.wire.join());
    this.sockets.push(socket);
    await socket.plug();
    return socket;
  }

  /** Opens ports for the driver, and counts their bytes. */
  readonly openPort: OpenSerialPort = (options, receiver, errorOf) => {
    const counts: PortCounts = { read: 0, written: 0 };
    const { path } = options;
    const forget = (): void => {
      if (this.#ports.get(path) === counts) this.#ports.delete(path);
    };
    const port = openSerialPort(
      options,
      {
        opened: () => {
          const socket = this.sockets.find(({ terminal }) => terminal === path);
          socket?.end.clear();
          if (socket) {
            socket.toNode = 0;
            socket.fromNode = 0;
          }
          this.#ports.set(path, counts);
          receiver.opened();
        },
        bytes: (bytes) => {
          counts.read += bytes.length;
          receiver.bytes(bytes);
        },
        closed: (error) => {
          forget();
          receiver.closed(error);
        },
      },
      errorOf,
    );
    return counted(port, counts, forget);
  };

  /** Advances the time until the condition is true, or by the maximum. */
  async until(condition: () => boolean, maxUs: number): Promise<boolean> {
    const limitUs = this.#clock.monotonicUs() + maxUs;
    await this.#settle();
    while (!condition()) {
      if (this.#clock.monotonicUs() >= limitUs) return false;
      this.#move(limitUs);
      await this.#settle();
    }
    return true;
  }

  /** Performs the next action: delivers received bytes, puts a byte on the wire, or waits. */
  #move(limitUs: number): void {
    if (this.#handOn()) {
      this.#clock.advanceUs(this.#random() * maxDelayUs);
      return;
    }
    if (this.wire.step()) {
      this.#clock.advanceUs(byteUs);
      return;
    }
    const nextUs = Math.min(this.#scheduler.nextDeadlineUs, this.#clock.monotonicUs() + 100_000);
    this.#clock.advanceToUs(Math.max(this.#clock.monotonicUs() + 1, Math.min(nextUs, limitUs)));
  }

  #handOn(): boolean {
    let isAny = false;
    for (const socket of this.sockets) {
      const { end, terminal } = socket;
      if (!this.#ports.has(terminal)) end.arriving.length = 0;
      if (end.arriving.length === 0) continue;
      socket.write(end.takeArrived(1 + Math.floor(this.#random() * 3)));
      isAny = true;
    }
    return isAny;
  }

  /** Waits until every written byte is read. */
  async #settle(): Promise<void> {
    do await pause(0);
    while (!this.#isSettled());
  }

  #isSettled(): boolean {
    return this.sockets.every(({ terminal, toNode, fromNode, isPlugged }) => {
      const counts = this.#ports.get(terminal);
      if (counts === undefined || !isPlugged) return true;
      return counts.read === toNode && counts.written === fromNode;
    });
  }
}

const counted = (port: SerialPort, counts: PortCounts, onClose: () => void): SerialPort => ({
  get peer() {
    return port.peer;
  },
  get bufferedBytes() {
    return port.bufferedBytes;
  },
  get isPseudoTerminal() {
    return port.isPseudoTerminal;
  },
  write(bytes, length = bytes.length) {
    counts.written += length;
    port.write(bytes, length);
  },
  pause: () => port.pause(),
  resume: () => port.resume(),
  setBreak: (isOn, done) => port.setBreak(isOn, done),
  setBaudRate: (baudRate, done) => port.setBaudRate(baudRate, done),
  close() {
    onClose();
    port.close();
  },
});
