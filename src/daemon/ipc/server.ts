import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import { LineSplitter } from '../../link/line-splitter.ts';
import { type Answer, type Hello, longestLine, type Request } from '../../link/protocol.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { IpcSession } from './session.ts';

interface IpcServerOptions {
  readonly socket: string;
  readonly hello: Hello;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Told what went wrong inside, which callers only see as `internal_error`. */
  readonly onDefect: (thrown: unknown) => void;
}

/** Resolves once the line is with the kernel, or the caller is gone. */
const sendLine = (socket: Socket, line: string): Promise<void> =>
  new Promise((resolve) => {
    if (!socket.writable) resolve();
    else if (!socket.write(line, () => resolve())) {
      // A caller that does not read its answers is not read from either.
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  });

/** How often the socket is looked for. */
const watchMs = 1000;

/** How long a caller may take to say hello. */
const helloMs = 5000;

const lineOf = (message: object): string => {
  const line = `${stringifyJson(message)}\n`;
  if (Buffer.byteLength(line) <= longestLine) return line;
  throw new BusbarError('response_too_large', { details: { limit: longestLine } });
};

/** Serves the CLI on a socket that only its owner can open. */
export class IpcServer {
  readonly #options: IpcServerOptions;
  #server: Server;
  #watch: Timer | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: IpcServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** The caller holds the daemon's lock, so a socket found here was left by a dead daemon. */
  listen(): Promise<void> {
    const { socket } = this.#options;
    rmSync(socket, { force: true });
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(socket, () => {
        chmodSync(socket, 0o600);
        resolve();
      });
    });
  }

  /**
   * Listens anew where someone has removed the socket, as cleaners of temporary directories do.
   * Callers that are connected stay.
   */
  keepListening(): void {
    const { clock, socket } = this.#options;
    this.#watch = clock.after(watchMs, () => {
      if (existsSync(socket)) this.keepListening();
      else this.#listenAnew();
    });
  }

  #listenAnew(): void {
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

  /** Takes no more callers. Those connected stay until they leave or the process ends. */
  stopListening(): void {
    this.#watch?.cancel();
    this.#server.close();
  }

  /** Resolves once every call that has come in so far is answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  get callers(): number {
    return this.#sockets.size;
  }

  #serve(socket: Socket): void {
    const { hello, clock } = this.#options;
    const session = new IpcSession(hello);
    const splitter = new LineSplitter(longestLine);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // A caller that vanishes in mid-answer is its own business.
    socket.on('error', () => socket.destroy());
    const greeting = clock.after(helloMs, () => socket.destroy());
    socket.on('close', () => greeting.cancel());
    const reject = (error: BusbarError): void => {
      greeting.cancel();
      // Nothing more is read from it, however much it sends.
      socket.removeAllListeners('data').resume();
      socket.end(lineOf({ error: error.toRecord() }), () => socket.destroy());
    };
    socket.on('data', (chunk) => {
      let lines: Uint8Array[];
      try {
        lines = splitter.push(chunk);
      } catch (thrown) {
        reject(BusbarError.from(thrown));
        return;
      }
      for (const line of lines) {
        const step = session.receive(line);
        if (step.kind === 'greet') {
          greeting.cancel();
          void sendLine(socket, lineOf(hello));
        } else if (step.kind === 'call') this.#begin(this.#answer(socket, step.request));
        else {
          reject(step.error);
          return;
        }
      }
    });
  }

  #begin(answer: Promise<void>): void {
    this.#underWay.add(answer);
    void answer.then(() => this.#underWay.delete(answer));
  }

  async #answer(socket: Socket, request: Request): Promise<void> {
    const { dispatcher, onDefect } = this.#options;
    const caller = { face: 'cli', project: request.project } as const;
    let line: string;
    try {
      const result = await dispatcher.invoke(request.operation, request.arguments, caller);
      line = lineOf({ id: request.id, result } satisfies Answer);
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (error.code === 'internal_error') onDefect(thrown);
      line = lineOf({ id: request.id, error: error.toRecord() } satisfies Answer);
    }
    await sendLine(socket, line);
  }
}
