import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import type { EventSink } from '../../broker/reader-hub.ts';
import type { StreamTransport } from '../../operations/define.ts';
import type { EventQuery } from '../sse/event-stream.ts';
import { answerWithEvents, SseBody, type SseStream, type StreamSession } from '../sse/sse-body.ts';
import { FrameSink } from '../ws/frame-sink.ts';
import { upgradeToFrames } from '../ws/websocket-upgrade.ts';

export interface EventStreamSource {
  readonly sse: readonly SseStream[];
  subscribeFrames(query: EventQuery, sink: EventSink, capacity: number): Promise<void>;
}

export interface EventStreamsOptions extends StreamSession {
  readonly source: EventStreamSource;
  readonly clock: Clock;
  readonly limits: { readonly sse: number; readonly websocket: number };
}

interface ServedStream {
  readonly kind: StreamTransport;
  readonly end: () => void;
  readonly socket: Duplex | null;
}

interface FrameQuery extends EventQuery {
  readonly interval_ms?: number;
}

/** More than any bus carries. */
const eventsPerMs = 100;

const closeTimeoutMs = 500;

/** Idle time before the kernel probes whether the peer is alive. */
const keepAliveMs = 30_000;

const eventIdText = /^(0|[1-9][0-9]{0,15})$/;

const lastEventId = ({ headers }: IncomingMessage): number | undefined => {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = eventIdText.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw invalidArgument('last-event-id', 'Last-Event-ID must be an event ID');
};

/** A slow client is not disconnected; a stream ends only when the kernel reports a dead one. */
const waitForSlowClient = (socket: Socket): void => {
  socket.setTimeout(0);
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
};

export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #scratch = new ScratchPool();
  readonly #open = new Set<ServedStream>();
  readonly #waiting = new Set<Duplex>();
  #isClosed = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  count(kind: StreamTransport): number {
    let count = 0;
    for (const stream of this.#open) if (stream.kind === kind) count++;
    return count;
  }

  /** Responds with server-sent events. Rejects only while another response is possible. */
  async openSse(
    operation: string,
    request: IncomingMessage,
    response: ServerResponse,
    query: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { source, clock } = this.#options;
    const stream = source.sse.find(({ operation: { id } }) => id === operation);
    if (!stream) throw new BusbarError('internal_error', { details: { operation_id: operation } });
    const after = stream.canResume ? lastEventId(request) : undefined;
    this.#checkLimit('sse');
    const body = new SseBody(this.#scratch);
    try {
      await stream.subscribe(
        body,
        after === undefined ? query : { ...query, after },
        this.#options,
      );
      // Other streams may have been opened in the meantime.
      this.#checkLimit('sse');
    } catch (thrown) {
      body.close();
      throw thrown;
    }
    if (this.#isClosed || response.destroyed) {
      body.close();
      return;
    }
    waitForSlowClient(request.socket);
    const served: ServedStream = { kind: 'sse', end: () => body.end(), socket: null };
    this.#open.add(served);
    response.once('close', () => this.#open.delete(served));
    answerWithEvents(response, body, { clock, headers, greeting: stream.greeting });
  }

  async openWebSocket(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    query: FrameQuery,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { source, clock, epoch, capacity } = this.#options;
    this.#checkLimit('websocket');
    // The history must hold what arrives between two writes.
    const intervalMs = Math.min(query.interval_ms ?? 0, Math.floor(capacity / eventsPerMs));
    const pacing = intervalMs > 0 ? { pacing: { clock, intervalMs } } : {};
    const sink = new FrameSink({ socket, scratch: this.#scratch, epoch, ...pacing });
    this.#waiting.add(socket);
    try {
      await source.subscribeFrames(query, sink, capacity);
      this.#checkLimit('websocket');
    } catch (thrown) {
      sink.close();
      throw thrown;
    } finally {
      this.#waiting.delete(socket);
    }
    if (this.#isClosed || socket.destroyed) {
      sink.close();
      return;
    }
    waitForSlowClient(request.socket);
    const served: ServedStream = { kind: 'websocket', end: () => sink.shutDown(), socket };
    this.#open.add(served);
    socket.once('close', () => this.#open.delete(served));
    upgradeToFrames(request, socket, head, { clock, headers, sink });
  }

  /**
   * Ends all streams, then destroys WebSockets that do not close. The HTTP server closes the
   * others.
   */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#waiting) socket.destroy();
    const sockets = [...this.#open].map(({ socket }) => socket);
    for (const { end } of this.#open) end();
    if (sockets.length === 0) return;
    this.#options.clock.after(closeTimeoutMs, () => {
      for (const socket of sockets) socket?.destroy();
    });
  }

  #checkLimit(kind: StreamTransport): void {
    const limit = this.#options.limits[kind];
    if (this.#isClosed || this.count(kind) < limit) return;
    throw new BusbarError('too_many_clients', {
      message: `The limit of ${limit} simultaneous clients of this kind is reached`,
      details: { limit, kind },
    });
  }
}
