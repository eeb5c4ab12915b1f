import { afterAll, expect, onTestFinished } from 'vitest';
import { ask, askJson, type HttpAnswer } from '../../support/http.ts';
import { takeSeat } from '../../support/seat.ts';
import { eventually, setUpWorkbench, Workbench } from '../../support/workbench.ts';

/** An event as in history and the event stream. */
export interface EventRecord {
  readonly event_id: number;
  readonly source_sequence: number;
  readonly stream_epoch: number;
  readonly channel: number;
  readonly selector: string;
  readonly data: string;
  readonly [field: string]: unknown;
}

export interface HistoryRecord {
  readonly events: EventRecord[];
  readonly next_after: number;
  readonly oldest_available: number;
  readonly newest_available: number;
  readonly stream_epoch: number;
  readonly older: readonly object[];
}

interface Consumer {
  readonly kind: string;
  readonly cursor: number;
  readonly lag: number;
}

export interface BrokerStats {
  readonly capacity: number;
  readonly retained: number;
  readonly oldest_event_id: number | null;
  readonly newest_event_id: number | null;
  readonly overwritten: number;
  readonly ring_slots: number;
  readonly consumers: Consumer[];
}

interface StreamBenchOptions {
  /** Ports of the virtual device to open, in this order: the first gets slot 0. */
  readonly ports?: readonly number[];
  /** Further options of `web start`. */
  readonly web?: readonly string[];
  readonly headers?: Record<string, string>;
}

export const selectorOf = (port: number): string => `SIM00001/${port}`;

/** The highest bit rates, so that much traffic takes little time. */
const fast = { bitrate: 1_000_000, data_bitrate: 8_000_000 };
const firstLinPort = 4;

export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

export const idsOf = (events: readonly EventRecord[]): number[] =>
  events.map(({ event_id }) => event_id);

/** The virtual bench with its Web service, where every event id is known in advance. */
export class StreamBench {
  readonly workbench: Workbench;
  port: number;
  readonly headers: Record<string, string>;

  private constructor(workbench: Workbench, port: number, headers: Record<string, string>) {
    this.workbench = workbench;
    this.port = port;
    this.headers = headers;
  }

  static async start(
    { ports = [0, 1], web = [], headers = {} }: StreamBenchOptions = {},
    workbench = setUpWorkbench(),
  ): Promise<StreamBench> {
    const { port } = await (web.length === 0 ? workbench.serve() : workbench.startWeb(...web));
    const bench = new StreamBench(workbench, port, headers);
    for (const each of ports) await bench.open(each);
    return bench;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const { port } = this;
    return ask({ port, path: `/api/v1${path}`, headers: { ...this.headers, ...headers } });
  }

  post(path: string, json: unknown): Promise<HttpAnswer> {
    return askJson({ port: this.port, path: `/api/v1${path}`, json, headers: this.headers });
  }

  async open(port: number, settings: object = {}): Promise<void> {
    const usual = port < firstLinPort ? fast : {};
    const answer = await this.post('/channels', {
      channel: selectorOf(port),
      ...usual,
      ...settings,
    });
    expect(answer.status, answer.text).toBe(201);
  }

  async close(port: number): Promise<void> {
    const path = `/api/v1/channels/${encodeURIComponent(selectorOf(port))}`;
    const { headers } = this;
    const answer = await ask({ port: this.port, method: 'DELETE', path, headers });
    expect(answer.status, answer.text).toBe(200);
  }

  async closeAll(): Promise<void> {
    const { channels } = (await this.get('/channels')).json();
    for (const { selector } of channels) await this.workbench.call('channel.close', { selector });
  }

  /** Sends frames and returns when both ports of the segment have an event for each. */
  async send(port: number, count: number, frame: object = {}): Promise<void> {
    const before = (await this.history()).newest_available;
    const answer = await this.post('/messages', {
      channel: selectorOf(port),
      type: 'data',
      id: 0x123,
      data: 'C0FFEE',
      count,
      ...frame,
    });
    expect(answer.status, answer.text).toBe(200);
    await eventually(async () => {
      const { newest_available: newest } = await this.history();
      return newest === before + 2 * count;
    });
  }

  /** A page of history, which must succeed. */
  async history(query = 'limit=1'): Promise<HistoryRecord> {
    const answer = await this.get(`/messages/history?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json();
  }

  /** The bounds in the error of an expired cursor. */
  async expiry(query: string): Promise<unknown> {
    const answer = await this.get(`/messages/history?${query}`);
    expect(answer.status, answer.text).toBe(409);
    const { code, details, retryable } = answer.json().error;
    expect({ code, retryable }).toEqual({ code: 'cursor_expired', retryable: false });
    const { oldest_available, newest_available } = details;
    return { oldest_available, newest_available };
  }

  /** All events of a filter, page by page from the oldest, and the size of each page. */
  async pages(
    query: string,
    after = 0,
  ): Promise<{ readonly events: EventRecord[]; readonly sizes: number[] }> {
    const events: EventRecord[] = [];
    const sizes: number[] = [];
    for (let cursor = after; ; ) {
      const page = await this.history(`${query}&after=${cursor}`);
      if (page.events.length === 0) return { events, sizes };
      events.push(...page.events);
      sizes.push(page.events.length);
      expect(page.next_after).toBe(page.events.at(-1)?.event_id);
      cursor = page.next_after;
    }
  }

  async broker(port: number): Promise<BrokerStats> {
    const answer = await this.get(`/channels/${encodeURIComponent(selectorOf(port))}/stats`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json().broker;
  }
}

/**
 * A bench for all tests of a file. Each test finds it without channels, and gets the newest event
 * before its own. Its daemon has served other files, unless the test gives one of its own.
 */
export const reuseStreamBench = (workbench = new Workbench(takeSeat())) => {
  afterAll(() => workbench.dispose());
  let started: Promise<StreamBench> | undefined;
  return async (ports: readonly number[] = [0, 1]) => {
    started ??= StreamBench.start({ ports: [] }, workbench);
    const bench = await started;
    onTestFinished(() => bench.closeAll());
    const before = (await bench.history()).newest_available ?? 0;
    for (const port of ports) await bench.open(port);
    // Streams of the previous test may still be closing.
    for (const port of ports) {
      await eventually(async () => (await bench.broker(port)).consumers.length === 0);
    }
    return { bench, before };
  };
};
