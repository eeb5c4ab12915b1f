import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { scratchBytes } from '../../base/scratch-pool.ts';
import { framesSubprotocol, tokenPrefix } from '../../frame/frames-subprotocol.ts';
import { closeCode, type FrameSink } from './frame-sink.ts';

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
  readonly headers: Readonly<Record<string, string>>;
  /** Subscribed, or about to be. */
  readonly sink: FrameSink;
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

const namesIn = (header: string): string[] =>
  header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The subprotocol to answer with, out of those that a client offers. */
export const selectSubprotocol = (header: string | undefined): typeof framesSubprotocol => {
  const offered = namesIn(header ?? '');
  if (offered.includes(framesSubprotocol)) return framesSubprotocol;
  throw new BusbarError('unsupported_websocket_subprotocol', {
    details: {
      // A token that is offered beside it is a secret: never selected, never shown.
      offered: offered.filter((name) => !name.toLowerCase().startsWith(tokenPrefix)),
      required: framesSubprotocol,
    },
  });
};

/** Throws if a request cannot become a WebSocket of ours, while a plain answer can still be given. */
export const checkHandshake = ({ method, headers }: IncomingMessage): void => {
  if (method !== 'GET')
    throw new BusbarError('method_not_allowed', { details: { allow: ['GET'] } });
  if (headers['sec-websocket-version'] !== protocolVersion) {
    throw invalidArgument(
      'sec-websocket-version',
      `The WebSocket version must be ${protocolVersion}`,
    );
  }
  if (!keyPattern.test(headers['sec-websocket-key'] ?? '')) {
    throw invalidArgument('sec-websocket-key', 'The WebSocket key must be 16 bytes in base64');
  }
  selectSubprotocol(headers['sec-websocket-protocol']);
};

/** Turns a checked request into a stream of FRM2 messages. */
export const upgradeToFrames = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { clock, headers, sink }: UpgradeOptions,
): void => {
  // The WebSocket library must neither see a token that was offered nor refuse a list with flaws.
  request.headers['sec-websocket-protocol'] = framesSubprotocol;
  extraHeaders.set(request, headers);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    attend(webSocket, socket, sink);
    watch(webSocket, sink, clock);
    sink.open(webSocket);
  });
};

/** Answers what a client may do wrong. Pings are answered by the WebSocket itself. */
const attend = (webSocket: WebSocket, socket: Duplex, sink: FrameSink): void => {
  webSocket.on('ping', () => {
    if (socket.writableLength > maxUnfetched) webSocket.terminate();
  });
  webSocket.on('message', () => {
    sink.close();
    webSocket.close(closeCode.unsupportedData, 'this stream does not accept messages');
  });
  // The connection is closed after every error, and the subscription with it.
  webSocket.on('error', () => {});
};

const watch = (webSocket: WebSocket, sink: FrameSink, clock: Clock): void => {
  const heartbeat = new Heartbeat(clock, {
    ping: () => webSocket.ping(),
    terminate: () => webSocket.terminate(),
    takeProgress: () => sink.takeProgress(),
    get isBehind() {
      return sink.isBehind;
    },
  });
  webSocket.on('pong', () => heartbeat.answered());
  webSocket.on('close', () => heartbeat.stop());
};
