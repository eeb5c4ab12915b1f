import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { LineSplitter } from './line-splitter.ts';
import {
  type Answer,
  encodeLine,
  type Hello,
  linkProtocol,
  longestLine,
  type Rejection,
} from './protocol.ts';

interface Waiter {
  resolve(result: unknown): void;
  reject(error: BusbarError): void;
}

interface ConnectOptions {
  readonly socket: string;
  readonly version: string;
  readonly clock: Clock;
  /** How long a daemon may take to say hello. */
  readonly helloTimeoutMs?: number;
  /** Sent right behind the hello, so that its answer costs no second wait. */
  readonly first?: FirstCall;
}

/** A call that opens a conversation. */
export interface FirstCall {
  readonly operation: string;
  readonly arguments: object;
  readonly project: string | null;
}

const firstId = 0;

const unreachable = (message: string, cause?: unknown): BusbarError =>
  new BusbarError('daemon_unreachable', { message, cause });

/** The daemon went away while it was talked to; callers may want to ask again. */
const hungUp = (message: string, cause?: unknown): BusbarError =>
  new BusbarError('daemon_unreachable', { message, details: { reason: 'hung_up' }, cause });

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** Nothing listens: no socket, or one that a dead daemon left. */
const absent: readonly unknown[] = ['ENOENT', 'ECONNREFUSED'];
const brokenOff: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

const openingError = (error: Error): BusbarError =>
  brokenOff.includes(codeOf(error))
    ? hungUp('The daemon hung up before it said hello', error)
    : unreachable('The daemon’s socket cannot be opened', error);

/** A line as an object. Whatever else comes is not said by a daemon. */
const readMessage = (line: Uint8Array): object => {
  try {
    const message: unknown = JSON.parse(Buffer.from(line).toString());
    if (typeof message === 'object' && message !== null) return message;
  } catch {
    // Told below.
  }
  throw unreachable('What answers on the daemon’s socket is not a daemon');
};

/** A caller's end of the link to the daemon. */
export class Connection {
  readonly daemon: Hello;
  /** The answer to the first call; pending for ever where none was made. */
  readonly first: Promise<unknown>;
  readonly #socket: Socket;
  readonly #waiters = new Map<number, Waiter>();
  #nextId = firstId + 1;

  private constructor(socket: Socket, daemon: Hello) {
    this.#socket = socket;
    this.daemon = daemon;
    this.first = new Promise((resolve, reject) => {
      this.#waiters.set(firstId, { resolve, reject });
    });
    // Whoever asked looks at it; whoever did not must not hear of it.
    this.first.catch(() => undefined);
  }

  /** The link to the running daemon, or null where there is none. */
  static async open(options: ConnectOptions): Promise<Connection | null> {
    const socket = createConnection(options.socket);
    const opened = new Promise<Connection | null>((resolve, reject) => {
      const splitter = new LineSplitter(longestLine);
      let connection: Connection | undefined;
      const deadline = options.clock.after(options.helloTimeoutMs ?? 5000, () => {
        reject(unreachable('The daemon does not answer'));
        socket.destroy();
      });
      socket.on('error', (error) => {
        deadline.cancel();
        if (connection) return;
        if (absent.includes(codeOf(error))) resolve(null);
        else reject(openingError(error));
      });
      socket.on('close', () => {
        deadline.cancel();
        if (connection) connection.#failAll();
        else reject(hungUp('The daemon hung up before it said hello'));
      });
      const receive = (line: Uint8Array): void => {
        const message = readMessage(line);
        if (connection) {
          connection.#settle(message as Answer);
          return;
        }
        deadline.cancel();
        const refusal = refusalOf(message as Hello | Rejection);
        if (refusal) throw refusal;
        connection = new Connection(socket, message as Hello);
        resolve(connection);
      };
      socket.on('data', (chunk) => {
        try {
          for (const line of splitter.push(chunk)) receive(line);
        } catch (thrown) {
          // Whoever waits is told by the close that follows; before the hello, by this.
          reject(thrown);
          socket.destroy();
        }
      });
    });
    const hello: Hello = { busbar: linkProtocol, version: options.version, pid: process.pid };
    const first = options.first ? encodeLine({ id: firstId, ...options.first }) : '';
    socket.write(encodeLine(hello) + first);
    return opened;
  }

  call(operation: string, values: object, project: string | null): Promise<unknown> {
    if (this.#socket.destroyed) return Promise.reject(hungUp('The daemon has hung up'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
      this.#socket.write(encodeLine({ id, operation, arguments: values, project }));
    });
  }

  /** Resolves when the daemon has hung up, which it does at the latest by ending. */
  closed(): Promise<void> {
    if (this.#socket.closed) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  close(): void {
    this.#socket.destroy();
  }

  #settle(answer: Answer): void {
    const waiter = this.#waiters.get(answer.id);
    this.#waiters.delete(answer.id);
    if (answer.error) waiter?.reject(BusbarError.fromRecord(answer.error));
    else waiter?.resolve(answer.result);
  }

  #failAll(): void {
    for (const waiter of this.#waiters.values()) {
      waiter.reject(hungUp('The daemon hung up before it answered'));
    }
    this.#waiters.clear();
  }
}

const refusalOf = (message: Hello | Rejection): BusbarError | undefined => {
  if ('error' in message) return BusbarError.fromRecord(message.error as ErrorRecord);
  if (message.busbar === linkProtocol) return undefined;
  return new BusbarError('version_mismatch', {
    details: { daemon: message.version, pid: message.pid },
  });
};
