import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type Frm2Event, readFrm2 } from '../../src/frame/frm2-event.ts';

/** An item of a frame stream: an event, or a gap message. */
export type StreamItem =
  | { readonly record: Frm2Event; readonly bytes: Buffer }
  // biome-ignore lint/suspicious/noExplicitAny: tests read any event
  | { readonly text: any };

interface FrameClientOptions {
  readonly port: number;
  readonly path?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
}

/** How a server rejected an upgrade. */
export interface Refusal {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any event
  readonly body: any;
}

const bodyOf = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => resolve(text));
  });

const connect = ({
  port,
  path = '/api/v1/messages/ws',
  protocols = ['svc.frames.v2'],
  headers = {},
}: FrameClientOptions): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], {
    headers,
    perMessageDeflate: false,
  });

/** A client of the frame stream that queues items until requested. */
export class FrameClient {
  readonly socket: WebSocket;
  readonly #queue: StreamItem[] = [];
  readonly #waiting: ((item: StreamItem) => void)[] = [];
  #follower: ((item: StreamItem) => void) | undefined;
  /** Resolves with the code and reason of the close. */
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) {
        this.#deliver({ text: JSON.parse(data.toString()) });
        return;
      }
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      this.#deliver({ record: readFrm2(view, 0), bytes: data });
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => undefined);
  }

  /** Opens a stream that is closed when the running test ends. */
  static open(options: FrameClientOptions): Promise<FrameClient> {
    const socket = connect(options);
    return new Promise((resolve, reject) => {
      const client = new FrameClient(socket);
      onTestFinished(() => client.close());
      socket.on('open', () => resolve(client));
      socket.on('error', reject);
    });
  }

  /** The response of the server to an upgrade that it must reject. */
  static refusal(options: FrameClientOptions): Promise<Refusal> {
    const socket = connect(options);
    return new Promise((resolve, reject) => {
      socket.on('open', () => {
        socket.terminate();
        reject(new Error('the upgrade was accepted'));
      });
      socket.on('error', reject);
      socket.on('unexpected-response', (_request, response) => {
        void bodyOf(response).then((text) =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }),
        );
      });
    });
  }

  /** The next item, an event or a gap. */
  next(): Promise<StreamItem> {
    const item = this.#queue.shift();
    if (item) return Promise.resolve(item);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async take(count: number): Promise<StreamItem[]> {
    const items: StreamItem[] = [];
    while (items.length < count) items.push(await this.next());
    return items;
  }

  /** Passes every later item to a listener immediately, without queueing. */
  follow(listener: (item: StreamItem) => void): void {
    for (const item of this.#queue.splice(0)) listener(item);
    this.#follower = listener;
  }

  /** Stops reading from the connection until `resume`. */
  stall(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.terminate();
  }

  #deliver(item: StreamItem): void {
    if (this.#follower) {
      this.#follower(item);
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting) waiting(item);
    else this.#queue.push(item);
  }
}
