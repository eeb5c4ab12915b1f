import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { scratchBytes } from '../../base/scratch-pool.ts';
import { framesSubprotocol, tokenPrefix } from '../../frame/frames-subprotocol.ts';
import { closeCode, type FrameSink } from './frame-sink.ts';

export const heartbeatMs = 30_000;

interface HeartbeatPeer {
  ping(): void;
  terminate(): void;
  /** Bytes are queued for the peer, and a ping would be queued after them. */
  readonly isBehind: boolean;
  /** True if the peer showed activity other than a pong since the last call. */
  takeProgress(): boolean;
}

/**
 * Pings a peer periodically and closes it if it showed no activity since the last ping. A peer
 * with unread bytes is not closed: TCP detects a dead one.
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
    // A ping is delayed if megabytes to a slow client precede it.
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

/** Clients send only pings, pongs and the close frame. */
const maxPayload = 1024;
/**
 * More pending bytes than the batches contain are pongs to a client that pings and does not read.
 */
const maxUnfetched = 3 * scratchBytes;

const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const protocolVersion = '13';

export interface UpgradeOptions {
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
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

export const selectSubprotocol = (header: string | undefined): typeof framesSubprotocol => {
  const offered = namesIn(header ?? '');
  if (offered.includes(framesSubprotocol)) return framesSubprotocol;
  throw new BusbarError('unsupported_websocket_subprotocol', {
    details: {
      // A token offered as a subprotocol is secret: never selected, never shown.
      offered: offered.filter((name) => !name.toLowerCase().startsWith(tokenPrefix)),
      required: framesSubprotocol,
    },
  });
};

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

export const upgradeToFrames = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { clock, headers, sink }: UpgradeOptions,
): void => {
  // The WebSocket library must neither see an offered token nor reject a malformed list.
  request.headers['sec-websocket-protocol'] = framesSubprotocol;
  extraHeaders.set(request, headers);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    attend(webSocket, socket, sink);
    watch(webSocket, sink, clock);
    sink.open(webSocket);
  });
};

const attend = (webSocket: WebSocket, socket: Duplex, sink: FrameSink): void => {
  webSocket.on('ping', () => {
    if (socket.writableLength > maxUnfetched) webSocket.terminate();
  });
  webSocket.on('message', () => {
    sink.close();
    webSocket.close(closeCode.unsupportedData, 'this stream does not accept messages');
  });
  // The connection and its subscription are closed after every error.
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
