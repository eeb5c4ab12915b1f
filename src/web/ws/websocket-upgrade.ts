import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { type ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { Outlet } from '../../broker/outlet.ts';
import type { Subscription } from '../../broker/reader-hub.ts';
import { framesSubprotocol } from '../../frame/frames-subprotocol.ts';
import { closeCode, FrameStream } from './frame-stream.ts';
import { selectSubprotocol } from './subprotocols.ts';

export const heartbeatMs = 30_000;

/** The side of a connection that a heartbeat looks after. */
interface HeartbeatPeer {
  ping(): void;
  /** Cuts the connection without a close frame. */
  terminate(): void;
  /** Whether something still waits for it, behind which a ping would wait too. */
  readonly isBehind: boolean;
  /** Whether it has shown since this was asked last that it is alive, other than by an answer. */
  takeProgress(): boolean;
}

/**
 * Pings a peer again and again, and cuts one that gave no sign of life since the ping before. One
 * that has something to fetch may take its time: a dead one is noticed by TCP then.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #peer: HeartbeatPeer;
  #timer: Timer;
  #isAnswered = true;

  constructor(clock: Clock, peer: HeartbeatPeer) {
    this.#clock = clock;
    this.#peer = peer;
    this.#timer = this.#wait();
  }

  answered(): void {
    this.#isAnswered = true;
  }

  stop(): void {
    this.#timer.cancel();
  }

  #wait(): Timer {
    return this.#clock.after(heartbeatMs, () => this.#beat());
  }

  #beat(): void {
    // Behind megabytes under way to a slow client, a ping may take long.
    const hasProgress = this.#peer.takeProgress();
    const { isBehind } = this.#peer;
    if (!this.#isAnswered && !hasProgress && !isBehind) {
      this.#peer.terminate();
      return;
    }
    this.#isAnswered = isBehind;
    if (!isBehind) this.#peer.ping();
    this.#timer = this.#wait();
  }
}

/** Clients have nothing to say but pings, pongs and the close frame. */
const maxPayload = 1024;
/** Bytes that wait for a client. More than batches can be, so pongs: it asks and does not listen. */
const maxUnfetched = 3 * scratchBytes;

const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const protocolVersion = '13';

export interface UpgradeOptions {
  readonly clock: Clock;
  readonly scratch: ScratchPool;
  /** `stream_epoch` of every record. */
  readonly epoch: number;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Starts the stream. What it throws is thrown to the caller that asked for the upgrade. */
  readonly subscribe: (outlet: Outlet) => Subscription;
}

const extraHeaders = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload,
  handleProtocols: () => framesSubprotocol,
});

server.on('headers', (lines, request) => {
  for (const [name, value] of Object.entries(extraHeaders.get(request) ?? {})) {
    lines.push(`${name}: ${value}`);
  }
});

/** Refuses what cannot become a WebSocket of ours, while a plain answer can still be given. */
export const checkHandshake = ({ method, headers }: IncomingMessage): void => {
  if (method !== 'GET')
    throw new BusbarError('method_not_allowed', { details: { allow: ['GET'] } });
  if (headers['sec-websocket-version'] !== protocolVersion) {
    throw invalidArgument('sec-websocket-version', `The version must be ${protocolVersion}`);
  }
  if (!keyPattern.test(headers['sec-websocket-key'] ?? '')) {
    throw invalidArgument('sec-websocket-key', 'The key must be 16 bytes in base64');
  }
  selectSubprotocol(headers['sec-websocket-protocol']);
};

/**
 * Turns a checked request into a stream of FRM2 messages. Throws only before the first byte of an
 * answer, so that the caller can still give another one.
 */
export const upgradeToFrames = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { clock, scratch, epoch, headers, subscribe }: UpgradeOptions,
): void => {
  checkHandshake(request);
  if (socket.destroyed) return;
  const stream = new FrameStream({ socket, scratch, epoch });
  const subscription = subscribe(stream);
  socket.once('close', () => subscription.close());
  stream.onReady = () => subscription.resume();
  // The WebSocket library must neither see a token that was offered nor refuse a list with flaws.
  request.headers['sec-websocket-protocol'] = framesSubprotocol;
  extraHeaders.set(request, headers);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    attend(webSocket, socket, subscription);
    watch(webSocket, stream, clock);
    stream.open(webSocket);
    subscription.resume();
  });
};

/** Answers what a client may do wrong. Pings are answered by the WebSocket itself. */
const attend = (webSocket: WebSocket, socket: Duplex, subscription: Subscription): void => {
  webSocket.on('ping', () => {
    if (socket.writableLength > maxUnfetched) webSocket.terminate();
  });
  webSocket.on('message', () => {
    subscription.close();
    webSocket.close(closeCode.unsupportedData, 'this stream takes no messages');
  });
  // The connection is closed behind every error, and the subscription with it.
  webSocket.on('error', () => {});
};

const watch = (webSocket: WebSocket, stream: FrameStream, clock: Clock): void => {
  const heartbeat = new Heartbeat(clock, {
    ping: () => webSocket.ping(),
    terminate: () => webSocket.terminate(),
    takeProgress: () => stream.takeProgress(),
    get isBehind() {
      return stream.isBehind;
    },
  });
  webSocket.on('pong', () => heartbeat.answered());
  webSocket.on('close', () => heartbeat.stop());
};
