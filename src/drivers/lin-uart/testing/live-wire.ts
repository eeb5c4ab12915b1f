import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { EmulatedWire } from './emulated-wire.ts';
import { WireSocket } from './wire-socket.ts';

/** An emulated wire in real time, for nodes of another process; it splits its data at random. */
export class LiveWire {
  readonly wire = new EmulatedWire();
  readonly sockets: WireSocket[] = [];
  readonly #random: () => number;
  #isRunning = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  async addSocket(): Promise<WireSocket> {
    const socket = new WireSocket(this.wire.join(), () => void this.#run());
    this.sockets.push(socket);
    await socket.plug();
    return socket;
  }

  async remove(): Promise<void> {
    await Promise.all(this.sockets.map((socket) => socket.remove()));
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.wire.step()) {
      for (const socket of this.sockets) await this.#handOn(socket);
    }
    this.#isRunning = false;
  }

  async #handOn(socket: WireSocket): Promise<void> {
    const { end } = socket;
    while (end.arriving.length > 0) {
      const piece = end.takeArrived(1 + Math.floor(this.#random() * 4));
      if (socket.isPlugged) socket.write(piece);
      await (this.#random() < 0.2 ? pause(1) : nextTurn());
    }
  }
}
