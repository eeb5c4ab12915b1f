import { vi } from 'vitest';
import type { MessageHistory } from '../../api/client.ts';
import { settled } from '../../api/testing/settled.ts';

/** WebSocket whose other end is the test. */
export class FakeWebSocket {
  readonly url: URL;
  readonly protocols: readonly string[];
  binaryType = 'blob';
  isClosed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: ArrayBuffer | string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(url: URL, protocols: readonly string[]) {
    this.url = url;
    this.protocols = protocols;
  }

  /** Event to resume after; null for live. */
  get after(): string | null {
    return this.url.searchParams.get('after');
  }

  open(): void {
    this.onopen?.();
  }

  send(...records: readonly DataView[]): void {
    for (const { buffer } of records) this.onmessage?.({ data: buffer as ArrayBuffer });
  }

  report(text: object): void {
    this.onmessage?.({ data: JSON.stringify(text) });
  }

  /** Closed by the page: the event follows later, as in browsers. */
  close(): void {
    this.isClosed = true;
    queueMicrotask(() => this.break(1005));
  }

  break(code: number): void {
    this.onclose?.({ code });
  }
}

/**
 * Replaces the network and the clock for the frame stream: time only passes when the test
 * advances it.
 */
export class FakeFrameService {
  readonly sockets: FakeWebSocket[] = [];
  /** Number of requests. */
  asked = 0;
  newest = 0;
  daemon = { instance_id: 'first', started_at_us: 0 };
  events: MessageHistory['events'] = [];
  /** Overrides of the history answer. */
  answerHistory: (query: URLSearchParams) => Partial<MessageHistory> = () => ({});
  /** Error of every request; null if they succeed. */
  refusal: { status: number; code: string; retryable: boolean } | null = null;
  /** Requests wait for this promise. */
  silence: Promise<void> | null = null;

  constructor() {
    const sockets = this.sockets;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.stubGlobal('location', { origin: 'http://bench:8080', host: 'bench:8080' });
    vi.stubGlobal('fetch', (url: string | URL) => this.#answer(String(url)));
    vi.stubGlobal(
      'WebSocket',
      class extends FakeWebSocket {
        constructor(url: URL, protocols: readonly string[]) {
          super(url, protocols);
          sockets.push(this);
        }
      },
    );
  }

  /** Waits for that connection; the first is 1. */
  async connection(number: number): Promise<FakeWebSocket> {
    await settled(() => this.sockets.length >= number);
    return this.sockets[number - 1] as FakeWebSocket;
  }

  /** Restores network and clock. */
  remove(): void {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }

  async #answer(url: string): Promise<Response> {
    const isHistory = url.includes('/messages/history');
    if (!isHistory) return new Response(JSON.stringify({ service: this.daemon }));
    this.asked++;
    await this.silence;
    if (this.refusal) {
      const { status, ...refusal } = this.refusal;
      const error = { ...refusal, message: 'No', details: {} };
      return new Response(JSON.stringify({ error }), { status });
    }
    const history: MessageHistory = {
      events: this.events,
      next_after: this.newest,
      oldest_available: 1,
      newest_available: this.newest,
      has_more: false,
      stream_epoch: 1,
      older: [],
      ...this.answerHistory(new URL(url, location.origin).searchParams),
    };
    return new Response(JSON.stringify(history));
  }
}
