import { vi } from 'vitest';
import { settled } from '../../api/testing/settled.ts';
import { StreamService } from '../stream-service.ts';

/** Request for a stream, as seen by the service. */
export interface OpenedStream {
  readonly path: string;
  readonly lastEventId: string | undefined;
  readonly authorization: string | undefined;
  readonly aborted: AbortSignal;
  readonly send: (...events: readonly string[]) => void;
  readonly end: () => void;
}

export const anEvent = (id: number, type: string, data: object): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

export const aGap = (oldest: number, newest: number): string =>
  anEvent(oldest - 1, 'gap', { oldest_available: oldest, newest_available: newest, missed: null });

/** Replaces the network for SSE streams. */
export class FakeSseService {
  readonly opened: OpenedStream[] = [];
  /** Answers in place of a stream, by path. */
  refuse: (path: string) => Response | null = () => null;
  instance = 'daemon-1';
  /** Id of the newest event that the service keeps. */
  newest = 5;
  /** The worker's ends of ports to pages. */
  readonly #ports: MessagePort[] = [];

  constructor() {
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => this.#answer(path, init));
  }

  /** Every page leaves the worker first; otherwise it would reconnect to the service of the next test. */
  remove(): void {
    for (const port of this.#ports) {
      port.dispatchEvent(new MessageEvent('message', { data: { type: 'leave' } }));
    }
    vi.unstubAllGlobals();
  }

  /** Waits for a connection, counted from 1. */
  async connection(number: number): Promise<OpenedStream> {
    await settled(() => this.opened.length >= number);
    return this.opened[number - 1] as OpenedStream;
  }

  /** Connects pages to one worker, like the tabs of a browser. */
  shareWorker(): void {
    const service = new StreamService();
    const ports = this.#ports;
    vi.stubGlobal(
      'SharedWorker',
      class {
        readonly port: MessagePort;
        constructor() {
          const { port1, port2 } = new MessageChannel();
          service.serve(port2);
          ports.push(port2);
          this.port = port1;
        }
      },
    );
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    if (path === '/api/v1/info') {
      return Response.json({ service: { instance_id: this.instance } });
    }
    if (path.startsWith('/api/v1/messages/history')) {
      return Response.json({ newest_available: this.newest });
    }
    return this.refuse(path) ?? new Response(this.#stream(path, init));
  }

  #stream(path: string, init: RequestInit): ReadableStream<Uint8Array> {
    const headers = init.headers as Record<string, string>;
    const aborted = init.signal as AbortSignal;
    return new ReadableStream({
      start: (controller) => {
        aborted.addEventListener('abort', () => controller.error(aborted.reason));
        this.opened.push({
          path,
          lastEventId: headers['last-event-id'],
          authorization: headers.authorization,
          aborted,
          send: (...events) => controller.enqueue(new TextEncoder().encode(events.join(''))),
          end: () => controller.close(),
        });
      },
    });
  }
}
