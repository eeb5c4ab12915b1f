import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { ChunkBatch } from './chunk-batch.ts';
import type { SseStream } from './sse-stream.ts';

const keepAliveMs = 15_000;

/** How long a client may take to fetch the rest of a stream that has ended. */
const closeTimeoutMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Asks a reverse proxy not to collect events before it passes them on.
  'x-accel-buffering': 'no',
} as const;

/** A client's hold on what it follows. */
interface Held {
  resume(): void;
  close(): void;
}

interface AnswerOptions {
  readonly clock: Clock;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the first line says, so that the client sees the answer at once. */
  readonly greeting: string;
  readonly subscription: Held;
}

/** Answers a request with a stream that has been subscribed to. */
export const answerWithStream = (
  response: ServerResponse,
  stream: SseStream<ChunkBatch>,
  { clock, headers, greeting, subscription }: AnswerOptions,
): void => {
  response.once('close', () => subscription.close());
  response.writeHead(200, { ...headers, ...streamHeaders });
  response.flushHeaders();
  whenInTurn(response, (socket) => {
    stream.open({ socket, response }, () => subscription.resume());
    stream.onEnded = () => {
      const timeout = clock.after(closeTimeoutMs, () => socket.destroySoon());
      response.once('close', () => timeout.cancel());
    };
    stream.comment(greeting);
    const stopKeepAlive = keepAlive(clock, stream);
    response.once('close', stopKeepAlive);
    endWith(socket, response);
    subscription.resume();
  });
};

/** A stream has no end to wait for: a client that will send nothing more is taken for one that has left. */
const endWith = (socket: Socket, response: ServerResponse): void => {
  const leave = (): void => void socket.destroy();
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => socket.off('end', leave));
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

const keepAlive = (clock: Clock, stream: SseStream<ChunkBatch>): (() => void) => {
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
