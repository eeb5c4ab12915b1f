import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scratch, ScratchPool } from '../../base/scratch-pool.ts';
import type { Bounds, EndReason, Sink, SubscriptionHandle } from '../../base/subscription.ts';
import type { GapEvent } from '../../frame/event-record.ts';
import { BatchSender } from '../stream/batch-sender.ts';

export interface SseEncoder<Item, Key> {
  /** Returns whether the body has room for another item. */
  item(body: SseBody, item: Item, key: Key): boolean;
  /** Writes what `item` has collected. */
  flush?(body: SseBody): void;
  end?(body: SseBody, reason: EndReason): void;
}

/** Connection of an answer whose headers are sent. */
export interface SseConnection {
  readonly socket: Duplex;
  readonly response: Pick<ServerResponse, 'chunkedEncoding' | 'end'>;
}

/** Bytes reserved in a chunk for one short text, such as a gap with the largest numbers. */
const shortText = 256;
/** UTF-8 bytes per UTF-16 unit, at most. */
const bytesPerCharacter = 3;

/** The chunk size has leading zeros, so it can be written after its content. */
const sizeDigits = 8;
const lineEnd = '\r\n';
const chunkHead = sizeDigits + lineEnd.length;
const chunkTail = lineEnd.length;

/**
 * The body of an answer with server-sent events. What is written between two flushes is one chunk, framed
 * here and written to the socket directly: through the response it would be four writes, made only when
 * the thread is done with everything else. The body ends with the last of its sinks.
 */
export class SseBody {
  readonly #pool: ScratchPool;
  readonly #subscriptions: SubscriptionHandle[] = [];
  #openSinks = 0;
  #firstResumed = 0;
  #sender: BatchSender | undefined;
  #response: SseConnection['response'] | undefined;
  #scratch: Scratch | undefined;
  #largestRoom = 0;
  /** A chunk was sent since the last flush because an event had no room in it. */
  #hasOverflowed = false;
  length = chunkHead;
  /** Called after the last byte was handed over; a client may never fetch it. */
  onEnded: () => void = () => {};

  constructor(pool: ScratchPool) {
    this.#pool = pool;
  }

  sink<Item, Key>(encoder: SseEncoder<Item, Key>): Sink<Item, Key> {
    this.#openSinks += 1;
    return new SseSink(this, encoder);
  }

  attach(subscription: SubscriptionHandle): void {
    this.#subscriptions.push(subscription);
  }

  /** The headers are sent: sinks are ready from now on. */
  open({ socket, response }: SseConnection): void {
    this.#response = response;
    this.#sender = new BatchSender(socket, this.#pool);
    this.#sender.onReady = () => this.resume();
  }

  get isReady(): boolean {
    return this.#sender?.isReady ?? false;
  }

  /**
   * Resumes all subscriptions, each time starting with another one, so a slow client gets all
   * of them.
   */
  resume(): void {
    const { length } = this.#subscriptions;
    this.#firstResumed += 1;
    for (let count = 0; count < length; count++) {
      this.#subscriptions[(this.#firstResumed + count) % length]?.resume();
    }
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.close();
  }

  end(): void {
    for (const subscription of this.#subscriptions) subscription.end('shut_down');
  }

  sinkEnded(): void {
    this.#openSinks -= 1;
    if (this.#openSinks > 0) return;
    this.#response?.end();
    this.onEnded();
  }

  /** Returns memory with so many bytes of room from `length` on, in another chunk if this one is too full. */
  reserve(room: number): DataView {
    if (!this.#fits(room)) {
      this.flush();
      this.#hasOverflowed = true;
    }
    if (this.#fits(room)) return this.#chunk.view;
    throw new BusbarError('internal_error', { message: 'The event is too large for a chunk' });
  }

  /** Ends an event that `reserve` made room for. Returns whether there is room for another like it. */
  commit(end: number, room: number): boolean {
    this.length = end;
    if (room > this.#largestRoom) this.#largestRoom = room;
    return !this.#hasOverflowed && this.#fits(this.#largestRoom + shortText);
  }

  /** Writes an event of any size. Returns whether there is room for another one. */
  text(text: string): boolean {
    const room = text.length * bytesPerCharacter;
    if (chunkHead + room + chunkTail > this.#chunk.bytes.length) return this.#longText(text);
    this.reserve(room);
    return this.commit(this.length + this.#chunk.bytes.write(text, this.length), room);
  }

  gap({ oldestAvailable, newestAvailable }: Bounds, missed: number | null): void {
    const gap: GapEvent = {
      oldest_available: oldestAvailable,
      newest_available: newestAvailable,
      missed,
    };
    this.#shortText(`id: ${oldestAvailable - 1}\nevent: gap\ndata: ${JSON.stringify(gap)}\n\n`);
  }

  /** Moves the position that the client resumes from, without an event. */
  skipped(position: number): void {
    this.#shortText(`id: ${position}\n\n`);
  }

  /** Sends a line that clients ignore and that shows both sides that the connection is alive. */
  comment(text: string): void {
    this.#shortText(`: ${text}\n\n`);
    this.flush();
  }

  flush(): void {
    this.#hasOverflowed = false;
    const scratch = this.#scratch;
    if (!scratch) return;
    const end = this.length;
    this.#scratch = undefined;
    this.length = chunkHead;
    this.#largestRoom = 0;
    // HTTP/1.0 knows no chunks: there the end of the connection is the end of the body.
    if (!this.#response?.chunkedEncoding) {
      this.#sender?.send(scratch, chunkHead, end);
      return;
    }
    const size = (end - chunkHead).toString(16).padStart(sizeDigits, '0');
    scratch.bytes.write(size + lineEnd, 0, 'latin1');
    this.#sender?.send(scratch, 0, end + scratch.bytes.write(lineEnd, end, 'latin1'));
  }

  get #chunk(): Scratch {
    this.#scratch ??= this.#pool.take();
    return this.#scratch;
  }

  #fits(room: number): boolean {
    return this.length + room + chunkTail <= this.#chunk.bytes.length;
  }

  #shortText(text: string): void {
    if (!this.#fits(text.length)) this.flush();
    this.length += this.#chunk.bytes.write(text, this.length, 'latin1');
  }

  #longText(text: string): boolean {
    const bytes = Buffer.from(text);
    for (let offset = 0; offset < bytes.length; ) {
      const { bytes: chunk } = this.#chunk;
      const room = chunk.length - chunkTail - this.length;
      const written = bytes.copy(chunk, this.length, offset, offset + room);
      this.length += written;
      offset += written;
      this.flush();
    }
    return this.isReady;
  }
}

/** Sends the items of one subscription as server-sent events. */
class SseSink<Item, Key> implements Sink<Item, Key> {
  readonly kind = 'sse';
  readonly #body: SseBody;
  readonly #encoder: SseEncoder<Item, Key>;

  constructor(body: SseBody, encoder: SseEncoder<Item, Key>) {
    this.#body = body;
    this.#encoder = encoder;
  }

  get isReady(): boolean {
    return this.#body.isReady;
  }

  attach(subscription: SubscriptionHandle): void {
    this.#body.attach(subscription);
  }

  item(item: Item, key: Key): boolean {
    return this.#encoder.item(this.#body, item, key);
  }

  gap(bounds: Bounds, missed: number | null): void {
    this.#body.gap(bounds, missed);
  }

  skipped(position: number): void {
    this.#body.skipped(position);
  }

  flush(): void {
    this.#encoder.flush?.(this.#body);
    this.#body.flush();
  }

  end(reason: EndReason): void {
    this.#encoder.end?.(this.#body, reason);
    this.#body.flush();
    this.#body.sinkEnded();
  }
}

const keepAliveMs = 15_000;

/** How long a client may take to fetch the rest of a stream that has ended. */
const closeTimeoutMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Asks a reverse proxy not to collect events before it passes them on.
  'x-accel-buffering': 'no',
} as const;

interface AnswerOptions {
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  readonly greeting: string;
}

/** Answers a request with a body whose sinks are subscribed. */
export const answerWithEvents = (
  response: ServerResponse,
  body: SseBody,
  { clock, headers, greeting }: AnswerOptions,
): void => {
  response.once('close', () => body.close());
  response.writeHead(200, { ...headers, ...streamHeaders });
  response.flushHeaders();
  inTurn(response, (socket) => {
    body.open({ socket, response });
    body.onEnded = () => {
      const timeout = clock.after(closeTimeoutMs, () => socket.destroySoon());
      response.once('close', () => timeout.cancel());
    };
    body.comment(greeting);
    response.once('close', keepAlive(clock, body));
    endWith(socket, response);
    body.resume();
  });
};

/** A stream has no end to wait for: a client that closes its sending side has left. */
const endWith = (socket: Socket, response: ServerResponse): void => {
  const leave = (): void => void socket.destroy();
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => socket.off('end', leave));
};

/** After another request on the same connection, an answer has to wait for that one's. */
const inTurn = (response: ServerResponse, act: (socket: Socket) => void): void => {
  // The headers, which waited likewise, are written right after the event.
  const start = (socket: Socket): void => {
    if (!response.destroyed) act(socket);
  };
  if (response.socket) act(response.socket);
  else response.once('socket', (socket: Socket) => process.nextTick(start, socket));
};

const keepAlive = (clock: Clock, body: SseBody): (() => void) => {
  let timer: Timer;
  const wait = (): void => {
    timer = clock.after(keepAliveMs, () => {
      // A client that still has something to fetch needs no sign of life.
      if (body.isReady) body.comment('keep-alive');
      wait();
    });
  };
  wait();
  return () => timer.cancel();
};

/** One run of the Web service, for its streams. */
export interface StreamSession {
  /** `stream_epoch` of every event. */
  readonly epoch: number;
  readonly capacity: number;
}

/** Declaration of an SSE stream. */
export interface SseStream {
  readonly operation: { readonly id: string };
  readonly greeting: string;
  /** A client can resume with `Last-Event-ID`, which becomes `after` of the query. */
  readonly canResume?: boolean;
  /** Subscribes sinks of the body. Errors it throws are the answer to the request. */
  subscribe(body: SseBody, query: object, life: StreamSession): unknown;
}
