import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const prefixLength = 6;

/** Splits a Modbus TCP stream into frames. */
const frameCutter = (take: (frame: Buffer) => void) => {
  let held = Buffer.alloc(0);
  return (bytes: Buffer): void => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= prefixLength) {
      const end = prefixLength + held.readUInt16BE(4);
      if (held.length < end) return;
      take(held.subarray(0, end));
      held = held.subarray(end);
    }
  };
};

/** A response of the server that has not reached the client. */
export class HeldReply {
  readonly frame: Buffer;
  readonly #client: Socket;

  constructor(frame: Buffer, client: Socket) {
    this.frame = frame;
    this.#client = client;
  }

  get transaction(): number {
    return this.frame.readUInt16BE(0);
  }

  forward(): void {
    this.send(this.frame);
  }

  /** Sends other bytes instead. */
  send(bytes: Uint8Array): void {
    if (!this.#client.destroyed) this.#client.write(bytes);
  }

  /** The same with one byte changed. */
  with(at: number, value: number): Buffer {
    const changed = Buffer.from(this.frame);
    changed[at] = value;
    return changed;
  }

  /** Closes the client's connection after the sent data. */
  hangUp(): void {
    this.#client.end();
  }

  reset(): void {
    this.#client.resetAndDestroy();
  }
}

/** How a response is changed. */
export type Fault = (reply: HeldReply) => void;

export const forward: Fault = (reply) => reply.forward();
export const drop: Fault = () => undefined;

/** A proxy between client and server that treats each response as the test says. */
export class FaultProxy {
  /** Number of client connections. */
  connections = 0;
  /** Transactions of all requests, in order. */
  readonly transactions: number[] = [];
  /** How responses are changed from now on. */
  fault: Fault = forward;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #waiting: ((reply: HeldReply) => void) | undefined;

  private constructor(upstreamPort: number) {
    this.#server = createServer({ noDelay: true }, (client) => this.#join(client, upstreamPort));
  }

  static async before(upstreamPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstreamPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(() => proxy.close());
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get endpoint(): string {
    return `tcp:127.0.0.1:${this.port}`;
  }

  /** The next response, which is held; call before the request is made. */
  nextReply(): Promise<HeldReply> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /**
   * Applies a fault to the response of the next request only. Requests are counted, so it affects
   * no other even if that one is abandoned earlier.
   */
  once(fault: Fault): void {
    const next = ((this.transactions.at(-1) ?? 0) + 1) & 0xffff;
    const before = this.fault;
    this.fault = (reply) => (reply.transaction === next ? fault(reply) : before(reply));
  }

  /** Drops all connections silently. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(client: Socket, upstreamPort: number): void {
    this.connections += 1;
    const upstream = connect({ port: upstreamPort, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    const noteRequest = frameCutter((frame) => this.transactions.push(frame.readUInt16BE(0)));
    client.on('data', (bytes) => {
      noteRequest(bytes as Buffer);
      upstream.write(bytes);
    });
    const cutReplies = frameCutter((frame) => this.#take(new HeldReply(frame, client)));
    upstream.on('data', (bytes) => cutReplies(bytes as Buffer));
  }

  #take(reply: HeldReply): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(reply);
    else this.fault(reply);
  }
}
