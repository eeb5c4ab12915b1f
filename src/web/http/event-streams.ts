import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import type { SubscribeOptions, Subscription } from '../../broker/reader-hub.ts';
import { compileEventFilter, type EventChoice } from '../../frame/event-filter.ts';
import type { WatchOutlet, WatchSubscription } from '../../gateway/watch/watch-outlet.ts';
import type { WatchPart } from '../../gateway/watch/watch-record.ts';
import type { StreamTransport } from '../../operations/define.ts';
import type { Caller } from '../../operations/dispatcher.ts';
import type { SampleSubscription } from '../../signal/live/sample-hub.ts';
import type { SampleOutlet } from '../../signal/live/sample-outlet.ts';
import type { SampleQuery } from '../../signal/service/signal-service.ts';
import { openEventStream } from '../sse/open-event-stream.ts';
import { openRepeatedStream } from '../sse/open-repeated-stream.ts';
import { openSampleStream } from '../sse/open-sample-stream.ts';
import { openWatchStream } from '../sse/open-watch-stream.ts';
import type { AnswerOutlet } from '../sse/repeated-answers.ts';
import { upgradeToFrames } from '../ws/websocket-upgrade.ts';

/** Where the events of streams come from. */
export interface EventStreamSource {
  /** Slots of the channels that selectors name; null, which is all, where none are named. */
  resolve(
    selectors: readonly string[] | undefined,
    caller: Caller,
  ): Promise<readonly number[] | null>;
  subscribe(options: SubscribeOptions): Subscription;
  /** Follows signals instead; refuses plans and signals that are not there. */
  subscribeSamples(query: SampleQuery, outlet: SampleOutlet): SampleSubscription;
  /** Follows an instance of a gateway project instead; refuses one that is not there. */
  watchInstance(instance: string, outlet: WatchOutlet): Promise<WatchSubscription>;
  /** Asks over and over what the stream of an operation is made of. */
  repeat(operation: string, query: object, outlet: AnswerOutlet): Subscription;
  selectorOf(slot: number): string;
}

/** What a client asks of a stream. */
export interface StreamQuery extends EventChoice {
  readonly channel?: readonly string[];
  readonly after?: number;
}

/** What a client asks of the stream of an instance. */
interface WatchQuery {
  readonly instance: string;
  readonly also?: readonly string[];
  readonly include?: readonly WatchPart[];
}

export interface EventStreamsOptions {
  readonly source: EventStreamSource;
  readonly clock: Clock;
  /** Which life of the Web service this is. */
  readonly epoch: number;
  /** Events of each channel that a cursor can go back. */
  readonly capacity: number;
  /** How many streams of each kind may be open. */
  readonly limits: { readonly sse: number; readonly websocket: number };
}

interface ServedStream {
  readonly kind: StreamTransport;
  /** Releases the cursor and closes the connection. */
  readonly end: () => void;
  readonly socket: Duplex | null;
}

const caller: Caller = { face: 'http', project: null };

/** How long a client may take to close its side of a stream. */
const closeTimeoutMs = 500;

/** How long a connection is silent before the kernel asks whether the other side is there. */
const keepAliveMs = 30_000;

const eventIdText = /^(0|[1-9][0-9]{0,15})$/;

/** The event that a reconnecting client had last; undefined where it does not say. */
const lastEventId = ({ headers }: IncomingMessage): number | undefined => {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const id = eventIdText.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw invalidArgument('last-event-id', 'Last-Event-ID must be an event id');
};

/** A client may take its time; only what the kernel says of a dead one ends the stream. */
const waitForSlowClient = (socket: Socket): void => {
  socket.setTimeout(0);
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
};

/** The streams of events that are open, each kind within its limit. They end with the Web service. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #scratch = new ScratchPool();
  readonly #open = new Set<ServedStream>();
  /** Connections that wait for their channels to be looked up. */
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

  /** Answers with server-sent events. Rejects while another answer can still be given. */
  async openSse(
    request: IncomingMessage,
    response: ServerResponse,
    query: StreamQuery,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const after = lastEventId(request) ?? query.after ?? null;
    const accepts = compileEventFilter(query);
    this.#checkLimit('sse');
    const { source, clock, epoch } = this.#options;
    const channels = await source.resolve(query.channel, caller);
    if (this.#isClosed) return;
    waitForSlowClient(request.socket);
    openEventStream(response, {
      clock,
      scratch: this.#scratch,
      epoch,
      headers,
      selectorOf: (slot) => source.selectorOf(slot),
      subscribe: (outlet) => this.#subscribe({ outlet, channels, after, accepts }, null),
    });
  }

  /** Answers with the samples of signals. Throws while another answer can still be given. */
  openSamples(
    request: IncomingMessage,
    response: ServerResponse,
    query: SampleQuery,
    headers: Readonly<Record<string, string>>,
  ): void {
    const after = lastEventId(request) ?? query.after;
    const wanted = after === undefined ? query : { ...query, after };
    this.#checkLimit('sse');
    const { source, clock } = this.#options;
    waitForSlowClient(request.socket);
    openSampleStream(response, {
      clock,
      scratch: this.#scratch,
      headers,
      subscribe: (outlet) => {
        const subscription = source.subscribeSamples(wanted, outlet);
        return this.#keep('sse', subscription, () => outlet.end('shut_down'), null);
      },
    });
  }

  /** Answers with what becomes of instances. Rejects while another answer can still be given. */
  async openWatch(
    request: IncomingMessage,
    response: ServerResponse,
    { instance, also = [], include = [] }: WatchQuery,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    this.#checkLimit('sse');
    const { source, clock } = this.#options;
    waitForSlowClient(request.socket);
    await openWatchStream(response, {
      clock,
      scratch: this.#scratch,
      instances: [...new Set([instance, ...also])],
      parts: include,
      headers,
      watch: (name, outlet) => source.watchInstance(name, outlet),
      keep: (subscription, end) => {
        if (this.#isClosed) return null;
        // Others may have come while the instances were looked up.
        this.#checkLimit('sse');
        return this.#keep('sse', subscription, end, null);
      },
    });
  }

  /** Answers with what is asked over and over. Throws while another answer can still be given. */
  openRepeated(
    operation: string,
    request: IncomingMessage,
    response: ServerResponse,
    query: object,
    headers: Readonly<Record<string, string>>,
  ): void {
    this.#checkLimit('sse');
    const { source, clock } = this.#options;
    waitForSlowClient(request.socket);
    openRepeatedStream(response, {
      clock,
      scratch: this.#scratch,
      headers,
      subscribe: (outlet) => {
        const subscription = source.repeat(operation, query, outlet);
        return this.#keep('sse', subscription, () => outlet.end(), null);
      },
    });
  }

  /** Makes the connection a WebSocket. Rejects while a plain answer can still be given. */
  async openWebSocket(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    query: StreamQuery,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { after = null } = query;
    const accepts = compileEventFilter(query);
    this.#checkLimit('websocket');
    const { source, clock, epoch } = this.#options;
    this.#waiting.add(socket);
    const channels = await source
      .resolve(query.channel, caller)
      .finally(() => this.#waiting.delete(socket));
    if (this.#isClosed) return;
    waitForSlowClient(request.socket);
    upgradeToFrames(request, socket, head, {
      clock,
      scratch: this.#scratch,
      epoch,
      headers,
      subscribe: (outlet) => this.#subscribe({ outlet, channels, after, accepts }, socket),
    });
  }

  /**
   * Ends all streams: says so to the clients, then hangs up on WebSockets that do not react. The
   * HTTP server sees to the other connections.
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

  #subscribe(
    wanted: Pick<SubscribeOptions, 'outlet' | 'channels' | 'after' | 'accepts'>,
    socket: Duplex | null,
  ): Subscription {
    const { outlet } = wanted;
    const kind = socket ? 'websocket' : 'sse';
    // Others may have come while the channels were looked up.
    this.#checkLimit(kind);
    const { source, capacity } = this.#options;
    const subscription = source.subscribe({ ...wanted, capacity });
    return this.#keep(kind, subscription, () => outlet.end('shut_down'), socket);
  }

  #keep(
    kind: StreamTransport,
    subscription: Subscription,
    sendClose: () => void,
    socket: Duplex | null,
  ): Subscription {
    const end = (): void => {
      subscription.close();
      sendClose();
    };
    const open: ServedStream = { kind, end, socket };
    this.#open.add(open);
    return {
      resume: () => subscription.resume(),
      close: () => {
        this.#open.delete(open);
        subscription.close();
      },
    };
  }

  #checkLimit(kind: StreamTransport): void {
    const { limits } = this.#options;
    const limit = kind === 'sse' ? limits.sse : limits.websocket;
    if (this.count(kind) < limit) return;
    throw new BusbarError('too_many_clients', {
      message: `At most ${limit} clients of this kind are served at a time`,
      details: { limit, kind },
    });
  }
}
