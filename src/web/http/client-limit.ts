import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { BusbarError } from '../../base/errors/busbar-error.ts';

/**
 * Counts connections. One beyond the limit is accepted just long enough to be told why it is not
 * served; far beyond it Node hangs up without a word, so that a flood costs next to nothing.
 */
export class ClientLimit {
  readonly #limit: number;
  readonly #served = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  watch(server: Server): void {
    server.maxConnections = this.#limit * 2;
    server.on('connection', (socket) => {
      if (this.#served.size >= this.#limit) return;
      this.#served.add(socket);
      socket.once('close', () => this.#served.delete(socket));
    });
  }

  get clients(): number {
    return this.#served.size;
  }

  /** Throws for a connection that came when all places were taken. */
  check(socket: Socket): void {
    if (this.#served.has(socket)) return;
    throw new BusbarError('too_many_clients', { details: { limit: this.#limit } });
  }
}
