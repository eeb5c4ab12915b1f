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
  item(body: SseBody, item: Item, key: Key): boolean;
  flush?(body: SseBody): void;
  end?(body: SseBody, reason: EndReason): void;
}

export interface SseConnection {
  readonly socket: Duplex;
  readonly response: Pick<ServerResponse, 'chunkedEncoding' | 'end'>;
}

/** Bytes reserved in a chunk for one short text, such as a gap with the largest numbers. */
const shortText = 256;
const bytesPerCharacter = 3;

/** The chunk size has leading zeros, so it can be written after its content. */
const sizeDigits = 8;
const lineEnd = '\r\n';
const chunkHead = sizeDigits + lineEnd.length;
const chunkTail = lineEnd.length;

/**
 * The body of a server-sent events response. The data between two flushes is one chunk, framed
 * here and written directly to the socket. Through the response object it would be four delayed
 * writes. The body ends with the last of its sinks.
 */
export class SseBody {
  readonly #pool: ScratchPool;
  readonly #subscriptions: SubscriptionHandle[] = [];
  #openSinks = 0;
  #firstResumed = 0;
  #sender: BatchSender | undefined;
  #response: SseConnection['response'] | undefined;
  #scratch: Scratch | undefined;
  #maxRoom = 0;
  #hasOverflowed = false;
  length = chunkHead;
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

  open({ socket, response }: SseConnection): void {
    this.#response = response;
    this.#sender = new BatchSender(socket, this.#pool);
    this.#sender.onReady = () => this.resume();
  }

  get isReady(): boolean {
    return this.#sender?.isReady ?? false;
  }

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

  /** Reserves bytes from `length` on, in a new chunk if the current one is too full. */
  reserve(room: number): DataView {
    if (!this.#fits(room)) {
      this.flush();
      this.#hasOverflowed = true;
    }
    if (this.#fits(room)) return this.#chunk.view;
    throw new BusbarError('internal_error', { message: 'The event is too large for a chunk' });
  }

  /**
   * Completes an event in reserved memory. Returns whether there is room for another one like it.
   */
  commit(end: number, room: number): boolean {
    this.length = end;
    if (room > this.#maxRoom) this.#maxRoom = room;
    return !this.#hasOverflowed && this.#fits(this.#maxRoom + shortText);
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

  skipped(position: number): void {
    this.#shortText(`id: ${position}\n\n`);
  }

  /** Sends a comment line, which clients ignore. It shows that the connection is alive. */
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
    this.#maxRoom = 0;
    // HTTP/1.0 has no chunked encoding: closing the connection ends the body.
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

const closeTimeoutMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Disables event buffering in a reverse proxy.
  'x-accel-buffering': 'no',
} as const;

interface AnswerOptions {
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  readonly greeting: string;
}

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

/** A stream does not end, so a client that closes its sending side has disconnected. */
const endWith = (socket: Socket, response: ServerResponse): void => {
  const leave = (): void => void socket.destroy();
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => socket.off('end', leave));
};

const inTurn = (response: ServerResponse, act: (socket: Socket) => void): void => {
  // The headers, which were delayed too, are written right after the event.
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
      if (body.isReady) body.comment('keep-alive');
      wait();
    });
  };
  wait();
  return () => timer.cancel();
};

export interface StreamSession {
  readonly epoch: number;
  readonly capacity: number;
}

export interface SseStream {
  readonly operation: { readonly id: string };
  readonly greeting: string;
  /** The client can resume with `Last-Event-ID`, which becomes `after` of the query. */
  readonly canResume?: boolean;
  /** Subscribes sinks of the body. Errors it throws become the response. */
  subscribe(body: SseBody, query: object, life: StreamSession): unknown;
}
