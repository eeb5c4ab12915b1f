import { createConnection, type Socket } from 'node:net';

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const headersOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** The code in the envelope of an error. */
export const codeOf = ({ body }: RawResponse): string => JSON.parse(body).error.code;

/** A client that sends arbitrary bytes and reads responses of known length. */
export class RawClient {
  readonly #socket: Socket;
  readonly #port: number;
  #received = Buffer.alloc(0);
  #wake = (): void => undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = createConnection(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.on('connect', () => this.#wake());
    this.#socket.on('close', () => this.#wake());
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
  }

  send(bytes: string | Buffer): this {
    this.#socket.write(bytes);
    return this;
  }

  /** Sends a request line and headers, with a Host that the listener accepts. */
  request(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): this {
    const host = { Host: `127.0.0.1:${this.#port}` };
    const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ ...host, ...length, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return this.send(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  }

  /** The next response. HEAD has no body, regardless of its length field. */
  async response(method = 'GET'): Promise<RawResponse> {
    const headEnd = await this.#until(() => this.#received.indexOf('\r\n\r\n'));
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const headers = headersOf(lines);
    const start = headEnd + 4;
    const end = start + (method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0));
    await this.#until(() => (this.#received.length >= end ? end : -1));
    const body = this.#received.toString('utf8', start, end);
    this.#received = this.#received.subarray(end);
    return { status: Number(statusLine.split(' ')[1]), headers, body };
  }

  /** Waits until the server has closed the connection. Returns the unread bytes. */
  async dismissed(): Promise<string> {
    while (!this.#socket.closed) await this.#something();
    return this.#received.toString();
  }

  /** Stops reading. */
  stall(): this {
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#socket.resume();
    return this;
  }

  /** Closes the sending side, and continues to read. */
  finish(): this {
    this.#socket.end();
    return this;
  }

  async connected(): Promise<this> {
    while (this.#socket.connecting) await this.#something();
    return this;
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Ends like a killed process with unread bytes. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  async #until(find: () => number): Promise<number> {
    for (let found = find(); ; found = find()) {
      if (found !== -1) return found;
      if (this.#socket.closed) throw new Error(`The server hung up after: ${this.#received}`);
      await this.#something();
    }
  }

  /** Waits for an event of the socket. */
  #something(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
