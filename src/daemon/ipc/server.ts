import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';

interface IpcServerOptions extends Omit<ConversationOptions, 'onBegun'> {
  readonly socket: string;
}

const watchMs = 1000;

const notListening = (socket: string, { code }: NodeJS.ErrnoException): BusbarError =>
  new BusbarError('daemon_start_failed', {
    message: 'The daemon cannot listen on its socket',
    details: { socket, reason: code },
  });

export class IpcServer {
  readonly #options: IpcServerOptions;
  #server: Server;
  #watch: Timer | undefined;
  readonly #conversations = new Set<Conversation>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: IpcServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** The caller has the lock, so an existing socket is stale. */
  listen(): Promise<void> {
    const { socket } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (thrown: unknown): void =>
        reject(notListening(socket, thrown as NodeJS.ErrnoException));
      try {
        rmSync(socket, { force: true });
      } catch (thrown) {
        fail(thrown);
        return;
      }
      this.#server.once('error', fail);
      this.#server.listen(socket, () => {
        chmodSync(socket, 0o600);
        resolve();
      });
    });
  }

  /**
   * Listens again if the socket was removed, as cleaners of temporary directories do. Connected
   * callers stay.
   */
  keepListening(): void {
    const { clock, socket } = this.#options;
    this.#watch = clock.after(watchMs, () => {
      if (existsSync(socket)) this.keepListening();
      else this.#listenAgain();
    });
  }

  #listenAgain(): void {
    this.#server.close();
    this.#server = createServer((socket) => this.#serve(socket));
    void this.listen().then(
      () => this.keepListening(),
      (thrown: unknown) => {
        this.#options.onDefect(thrown);
        this.keepListening();
      },
    );
  }

  stopListening(): void {
    this.#watch?.cancel();
    this.#server.close();
  }

  cancelCalls(reason: CancelReason): void {
    for (const conversation of this.#conversations) conversation.cancel(reason);
  }

  /** Resolves when all calls are answered and all streams have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  get callers(): number {
    return this.#conversations.size;
  }

  #serve(socket: Socket): void {
    const conversation = new Conversation(socket, {
      ...this.#options,
      onBegun: (work) => this.#begun(work),
    });
    this.#conversations.add(conversation);
    socket.on('close', () => this.#conversations.delete(conversation));
  }

  #begun(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }
}
