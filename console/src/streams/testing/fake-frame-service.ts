import { vi } from 'vitest';
import type { MessageHistory } from '../../api/client.ts';
import { settled } from '../../api/testing/settled.ts';

/** A WebSocket of which the test is the other end. */
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

  /** The event that it asked to go on behind; null if it goes on live. */
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

  /** Closed by the page: the event comes later, as it does in browsers. */
  close(): void {
    this.isClosed = true;
    queueMicrotask(() => this.break(1005));
  }

  break(code: number): void {
    this.onclose?.({ code });
  }
}

/**
 * The part of the service that the frame stream needs, in place of the network; and a time that only
 * passes when the test says so.
 */
export class FakeFrameService {
  readonly sockets: FakeWebSocket[] = [];
  /** How many questions there were. */
  asked = 0;
  newest = 0;
  daemon = { instance_id: 'first', started_at_us: 0 };
  events: MessageHistory['events'] = [];
  /** What differs in the answer to a question for the history. */
  answerHistory: (query: URLSearchParams) => Partial<MessageHistory> = () => ({});
  /** What a question is refused with; null while it is answered. */
  refusal: { status: number; code: string; retryable: boolean } | null = null;
  /** Answered in order; while it is set, nothing is. */
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

  /** Leaves network and time to others. */
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
