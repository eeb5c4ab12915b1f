import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

/** One server-sent event. */
export interface SseEvent {
  readonly event: string;
  readonly id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any event
  readonly data: any;
}

interface SseOptions {
  readonly port: number;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

const parseEvent = (block: string): SseEvent | null => {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? null : { event, id, data: JSON.parse(data.join('\n')) };
};

/** A reader of server-sent events that queues them until requested. */
export class SseClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly comments: string[] = [];
  /** Resolves when the server has ended the response, rejects when it was interrupted. */
  readonly ended: Promise<void>;
  readonly #response: IncomingMessage;
  readonly #queue: SseEvent[] = [];
  readonly #waiting: ((event: SseEvent) => void)[] = [];
  #follower: ((event: SseEvent) => void) | undefined;
  #text = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#receive(chunk));
    this.ended = new Promise((resolve, reject) => {
      response.on('end', () => resolve());
      response.on('error', reject);
    });
    this.ended.catch(() => undefined);
  }

  /** Opens a stream that is closed when the running test ends. */
  static open({
    port,
    path = '/api/v1/messages/stream',
    headers = {},
  }: SseOptions): Promise<SseClient> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          path,
          headers: { host: `127.0.0.1:${port}`, accept: 'text/event-stream', ...headers },
          agent: false,
        },
        (response) => {
          const client = new SseClient(response);
          onTestFinished(() => client.close());
          resolve(client);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  next(): Promise<SseEvent> {
    const event = this.#queue.shift();
    if (event) return Promise.resolve(event);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async take(count: number): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** Passes every later event to a listener immediately, without queueing. */
  follow(listener: (event: SseEvent) => void): void {
    for (const event of this.#queue.splice(0)) listener(event);
    this.#follower = listener;
  }

  /** Stops reading from the connection until `resume`. */
  stall(): void {
    this.#response.pause();
    this.#response.socket.pause();
  }

  resume(): void {
    this.#response.resume();
    this.#response.socket.resume();
  }

  close(): void {
    this.#response.destroy();
  }

  #receive(chunk: string): void {
    this.#text += chunk;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const event = parseEvent(block);
      if (event) this.#deliver(event);
      else this.comments.push(block);
    }
  }

  #deliver(event: SseEvent): void {
    if (this.#follower) {
      this.#follower(event);
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting) waiting(event);
    else this.#queue.push(event);
  }
}
