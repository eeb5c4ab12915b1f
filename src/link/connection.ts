import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../base/clock/clock.ts';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { MessageSplitter } from './message-splitter.ts';
import {
  type Cancellation,
  encodeLine,
  type Hello,
  linkProtocol,
  maxBatch,
  maxLineLength,
  type Rejection,
  type Reply,
} from './protocol.ts';

/** Receives a stream in order. An error it throws ends the stream and the link. */
export interface StreamListener {
  message(message: object): void;
  batch(bytes: Uint8Array, records: number): void;
}

interface Waiter {
  resolve(result: unknown): void;
  reject(error: BusbarError): void;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
  readonly listener?: StreamListener;
}

interface AnnouncedBatch {
  readonly id: number;
  readonly records: number;
}

interface ConnectOptions {
  readonly socket: string;
  readonly version: string;
  readonly clock: Clock;
  readonly helloTimeoutMs?: number;
  /** Sent with the hello, to save a round trip. */
  readonly first?: FirstCall;
}

export interface FirstCall {
  readonly operation: string;
  readonly arguments: object;
  readonly project: string | null;
}

const firstId = 0;

const unreachable = (message: string, cause?: unknown): BusbarError =>
  new BusbarError('daemon_unreachable', { message, cause });

const hungUp = (message: string, cause?: unknown): BusbarError =>
  new BusbarError('daemon_unreachable', { message, details: { reason: 'hung_up' }, cause });

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const absent: readonly unknown[] = ['ENOENT', 'ECONNREFUSED'];
const brokenOff: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

const openingError = (error: Error): BusbarError =>
  brokenOff.includes(codeOf(error))
    ? hungUp('The daemon closed the connection during the handshake', error)
    : unreachable('Cannot open the daemon’s socket', error);

const notADaemon = (): BusbarError =>
  unreachable('The process on the daemon’s socket is not a daemon');

/** Parses a line as an object. Any other line does not come from a daemon. */
const readMessage = (line: Uint8Array): object => {
  try {
    const message: unknown = JSON.parse(Buffer.from(line).toString());
    if (typeof message === 'object' && message !== null) return message;
  } catch {}
  throw notADaemon();
};

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export class Connection {
  readonly daemon: Hello;
  readonly first: Promise<unknown>;
  readonly #socket: Socket;
  readonly #waiters = new Map<number, Waiter>();
  #announced: AnnouncedBatch | undefined;
  #nextId = firstId + 1;

  private constructor(socket: Socket, daemon: Hello) {
    this.#socket = socket;
    this.daemon = daemon;
    this.first = new Promise((resolve, reject) => {
      this.#waiters.set(firstId, { resolve, reject });
    });
    // Only its caller handles the rejection.
    this.first.catch(() => undefined);
  }

  static async open(options: ConnectOptions): Promise<Connection | null> {
    const socket = createConnection(options.socket);
    const opened = new Promise<Connection | null>((resolve, reject) => {
      let connection: Connection | undefined;
      const deadline = options.clock.after(options.helloTimeoutMs ?? 5000, () => {
        reject(unreachable('The daemon does not respond'));
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
        else reject(hungUp('The daemon closed the connection during the handshake'));
      });
      const splitter = new MessageSplitter(
        { line: maxLineLength, raw: maxBatch },
        {
          line: (line) => {
            const message = readMessage(line);
            if (connection) return connection.#receive(message as Reply);
            deadline.cancel();
            const refusal = refusalOf(message as Hello | Rejection);
            if (refusal) throw refusal;
            connection = new Connection(socket, message as Hello);
            resolve(connection);
            return 0;
          },
          raw: (bytes) => {
            if (connection) connection.#receiveBatch(bytes);
          },
        },
      );
      socket.on('data', (chunk) => {
        try {
          splitter.push(chunk);
        } catch (thrown) {
          // Pending calls fail on the close that follows.
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

  call(
    operation: string,
    values: object,
    project: string | null,
    onProgress?: (progress: unknown) => void,
  ): Promise<unknown> {
    return this.#request({ operation, arguments: values, project }, { onProgress });
  }

  stream(
    operation: string,
    values: object,
    project: string | null,
    listener: StreamListener,
  ): Promise<unknown> {
    return this.#request({ operation, arguments: values, project }, { listener });
  }

  /** Cancels all calls; each is still answered. */
  cancelCalls(): void {
    for (const id of this.#waiters.keys()) {
      // The id of the first call is reserved.
      if (id === firstId) continue;
      this.#socket.write(encodeLine({ cancel: id } satisfies Cancellation));
    }
  }

  closed(): Promise<void> {
    if (this.#socket.closed) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  close(): void {
    this.#socket.destroy();
  }

  #request(
    request: FirstCall,
    reported: Pick<Waiter, 'onProgress' | 'listener'>,
  ): Promise<unknown> {
    if (this.#socket.destroyed) return Promise.reject(hungUp('The daemon closed the connection'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject, ...reported });
      this.#socket.write(encodeLine({ id, ...request }));
    });
  }

  #receive(reply: Reply): number {
    const waiter = this.#waiterOf(reply.id);
    if ('batch' in reply) {
      const { bytes, records } = reply.batch;
      if (!isCount(bytes) || !isCount(records)) throw notADaemon();
      this.#announced = { id: reply.id, records };
      return bytes;
    }
    if ('message' in reply) {
      this.#report(reply.id, () => waiter?.listener?.message(reply.message));
    } else if ('progress' in reply) {
      this.#report(reply.id, () => waiter?.onProgress?.(reply.progress));
    } else if (waiter) {
      this.#waiters.delete(reply.id);
      if (reply.error) waiter.reject(BusbarError.fromRecord(reply.error));
      else waiter.resolve(reply.result);
    }
    return 0;
  }

  #receiveBatch(bytes: Uint8Array): void {
    const { id, records } = this.#announced as AnnouncedBatch;
    const listener = this.#waiterOf(id)?.listener;
    this.#report(id, () => listener?.batch(bytes, records));
  }

  #waiterOf(id: number): Waiter | undefined {
    return this.#socket.destroyed ? undefined : this.#waiters.get(id);
  }

  /** A listener's error fails its request. */
  #report(id: number, report: () => void): void {
    try {
      report();
    } catch (thrown) {
      this.#waiters.get(id)?.reject(BusbarError.from(thrown));
      this.#waiters.delete(id);
      throw thrown;
    }
  }

  #failAll(): void {
    for (const waiter of this.#waiters.values()) {
      waiter.reject(hungUp('The daemon closed the connection before it responded'));
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
