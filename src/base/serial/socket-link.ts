import type { Socket } from 'node:net';
import { errnoOf } from '../errors/errno-of.ts';
import type { ByteLink, LinkErrorOf, LinkReceiver } from './byte-link.ts';

export class SocketLink implements ByteLink {
  readonly peer: string;
  readonly #socket: Socket;
  readonly #errorOf: LinkErrorOf;
  #receiver: LinkReceiver | undefined;
  #failure: Error | undefined;

  constructor(socket: Socket, peer: string, receiver: LinkReceiver, errorOf: LinkErrorOf) {
    this.peer = peer;
    this.#socket = socket;
    this.#receiver = receiver;
    this.#errorOf = errorOf;
    socket.on('drain', () => this.#receiver?.drained?.());
    socket.on('error', (error) => {
      this.#failure = error;
    });
    socket.on('close', () => this.#end());
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#receiver = undefined;
    this.#socket.destroy();
  }

  deliver(bytes: Uint8Array): void {
    this.#receiver?.bytes(bytes);
  }

  announce(): void {
    this.#receiver?.opened();
  }

  #end(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    const failure = this.#failure;
    receiver?.closed(
      failure === undefined
        ? undefined
        : this.#errorOf(this.peer, errnoOf(failure) ?? 'unknown', failure),
    );
  }
}
