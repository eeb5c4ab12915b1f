import { createServer, type Server, type Socket } from 'node:net';
import { encodeLine, linkProtocol, type Request } from '../../link/protocol.ts';

/** The daemon's end of one request, controlled by the test. */
export class FakeCall {
  readonly request: Request;
  readonly #socket: Socket;

  constructor(request: Request, socket: Socket) {
    this.request = request;
    this.#socket = socket;
  }

  /** Whether the caller has hung up. */
  get isOver(): boolean {
    return this.#socket.closed;
  }

  reply(message: object): this {
    this.#socket.write(encodeLine({ id: this.request.id, ...message }));
    return this;
  }

  batch(records: readonly Uint8Array[]): this {
    const bytes = Buffer.concat(records);
    this.reply({ batch: { bytes: bytes.length, records: records.length } });
    this.#socket.write(bytes);
    return this;
  }

  hangUp(): void {
    this.#socket.destroy();
  }
}

/** A fake daemon on a socket, controlled by the test. */
export class FakeDaemon {
  readonly requests: Request[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(answer: (call: FakeCall) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write(encodeLine({ busbar: linkProtocol, version: '0', pid: 7 }));
      let received = '';
      let greeted = false;
      socket.on('data', (chunk) => {
        const lines = (received + chunk).split('\n');
        received = lines.pop() ?? '';
        for (const line of lines) {
          if (greeted) {
            const request = JSON.parse(line) as Request;
            this.requests.push(request);
            answer(new FakeCall(request, socket));
          }
          greeted = true;
        }
      });
    });
  }

  async listen(socket: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(socket, resolve));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
