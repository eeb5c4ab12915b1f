import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { BusbarError } from '../../base/errors/busbar-error.ts';

/**
 * Counts connections. One beyond the limit is accepted just long enough to be told why it is not
 * served; far beyond it Node hangs up without a word, so that a flood costs next to nothing.
 */
export class ClientLimit {
  readonly #limit: number;
  readonly #served = new Set<Duplex>();

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

  /** A connection that has its last answer leaves its place, however long it takes to close. */
  release(socket: Duplex): void {
    this.#served.delete(socket);
  }

  get clients(): number {
    return this.#served.size;
  }

  /** Throws for a connection that came when all places were taken. */
  check(socket: Duplex): void {
    if (this.#served.has(socket)) return;
    throw new BusbarError('too_many_clients', { details: { limit: this.#limit } });
  }
}
