import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { Outlet } from '../../broker/outlet.ts';
import type { Subscription } from '../../broker/reader-hub.ts';
import type { ScratchPool } from '../stream/scratch-pool.ts';
import { ChannelTexts } from './event-batch.ts';
import { EventStream } from './event-stream.ts';

const keepAliveMs = 15_000;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Asks a reverse proxy not to collect events before it passes them on.
  'x-accel-buffering': 'no',
} as const;

export interface OpenEventStreamOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  /** `stream_epoch` of every event. */
  readonly epoch: number;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly selectorOf: (slot: number) => string;
  /** Starts the stream. What it throws is thrown to whoever opens it. */
  readonly subscribe: (outlet: Outlet) => Subscription;
}

/**
 * Answers a request with a stream of events. Throws only before the first byte of an answer, so that
 * the caller can still give another one.
 */
export const openEventStream = (
  response: ServerResponse,
  { clock, scratch, epoch, headers, selectorOf, subscribe }: OpenEventStreamOptions,
): void => {
  if (response.destroyed) return;
  const stream = new EventStream({ scratch, epoch, channels: new ChannelTexts(selectorOf) });
  const subscription = subscribe(stream);
  response.once('close', () => subscription.close());
  response.writeHead(200, { ...headers, ...streamHeaders });
  response.flushHeaders();
  whenInTurn(response, (socket) => {
    stream.open({ socket, response }, () => subscription.resume());
    stream.comment('events follow');
    const stopKeepAlive = keepAlive(clock, stream);
    response.once('close', stopKeepAlive);
    subscription.resume();
  });
};

/** Behind another request on the same connection, an answer has to wait for that one's. */
const whenInTurn = (response: ServerResponse, act: (socket: Socket) => void): void => {
  // The headers, which waited likewise, are written right after the event.
  const start = (socket: Socket): void => {
    if (!response.destroyed) act(socket);
  };
  if (response.socket) act(response.socket);
  else response.once('socket', (socket: Socket) => process.nextTick(start, socket));
};

const keepAlive = (clock: Clock, stream: EventStream): (() => void) => {
  let timer: Timer;
  const wait = (): void => {
    timer = clock.after(keepAliveMs, () => {
      // One that still has something to fetch needs no sign of life.
      if (stream.isReady) stream.comment('keep-alive');
      wait();
    });
  };
  wait();
  return () => timer.cancel();
};
