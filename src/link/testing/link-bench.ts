import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Connection } from '../connection.ts';
import { encodeLine, type Hello, linkProtocol } from '../protocol.ts';

export const hello: Hello = { busbar: linkProtocol, version: '9.9.9', pid: 4321 };

/** The daemon's end, controlled by the test. */
export class Peer {
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
    });
  }

  say(text: string | Buffer): void {
    this.#socket.write(text);
  }

  send(message: object): void {
    this.say(encodeLine(message));
  }

  async nextLine<T>(): Promise<T> {
    while (this.#lines.length === 0) await once(this.#socket, 'data');
    return JSON.parse(this.#lines.shift() ?? '');
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  async left(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }
}

/** A socket on which the test answers as the daemon would. */
export class LinkBench {
  readonly clock = new FakeClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-connection-'));
  readonly socket = join(this.folder, 'd.sock');
  readonly #peers: Peer[] = [];
  readonly #links: Connection[] = [];
  readonly #server: Server = createServer((accepted) => this.#peers.push(new Peer(accepted)));

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.socket, resolve));
  }

  open(socket = this.socket): Promise<Connection | null> {
    return Connection.open({ socket, version: '1.0.0', clock: this.clock });
  }

  async accepted(): Promise<Peer> {
    if (this.#peers.length === 0) await once(this.#server, 'connection');
    const peer = this.#peers.at(-1);
    if (!peer) throw new Error('no call came');
    return peer;
  }

  /** A link after the handshake. */
  async established(): Promise<{ link: Connection; peer: Peer }> {
    const opening = this.open();
    const peer = await this.accepted();
    await peer.nextLine();
    peer.send(hello);
    const link = await opening;
    if (!link) throw new Error('there is no link');
    this.#links.push(link);
    return { link, peer };
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.close();
    for (const peer of this.#peers) peer.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true });
  }
}
