import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { peerHold, type TcpEnds } from '../../base/net/local-peer.ts';

const nothing = Buffer.alloc(0);
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * Longer requests are parsed one per iteration: one can take milliseconds, and a hundred can
 * arrive together.
 */
const shortBytes = 2048;

/**
 * Bytes of a chunked body that are parsed per iteration, because the parser reports each chunk,
 * even of one byte.
 */
const chunkedBytes = 1024;

/** The first probe is early: most clients that close their sending side have disconnected. */
const firstProbeMs = 100;
const maxProbeMs = 1000;

/** One probe can miss a socket while the kernel table changes. */
const missesToLeave = 2;

type HalfClosedSocket = TcpEnds & Pick<Socket, 'destroy'>;
type OpenResponse = Pick<ServerResponse, 'headersSent' | 'closed' | 'once' | 'writeContinue'> & {
  readonly req: Pick<IncomingMessage, 'httpVersionMinor'>;
};

/**
 * Probes whether a client that closed its sending side still reads, until its response begins.
 * For local clients the kernel reports it. Others are sent an interim response, which every
 * HTTP/1.1 client ignores (RFC 9110, 15.2). The host of a disconnected client resets the
 * connection, so the next probe fails.
 */
export const probeHalfClosed = (
  socket: HalfClosedSocket,
  response: OpenResponse,
  clock: Clock,
): void => {
  let waitMs = firstProbeMs;
  let misses = 0;
  const probe = async (): Promise<void> => {
    const hold = await peerHold(socket);
    if (response.closed || response.headersSent) return;
    misses = hold === 'let go' ? misses + 1 : 0;
    if (misses >= missesToLeave) {
      socket.destroy();
      return;
    }
    if (hold === 'unknown' && response.req.httpVersionMinor > 0) response.writeContinue();
    if (misses === 0) waitMs = Math.min(2 * waitMs, maxProbeMs);
    timer = clock.after(waitMs, probe);
  };
  let timer = clock.after(waitMs, probe);
  response.once('close', () => timer.cancel());
};

const takeOver = (socket: Socket, event: 'data' | 'end'): ((bytes?: Buffer) => void) => {
  const listeners = socket.listeners(event);
  for (const listener of listeners) socket.off(event, listener as () => void);
  return (bytes) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
};

/**
 * Passes one request at a time to Node's parser, which would otherwise start every request of a
 * chunk. The bytes of the next request are held, and reading pauses meanwhile.
 *
 *   socket ──data──▶ held bytes ──one request──▶ parser ──▶ handler ──▶ answer
 *             ▲                                                           │
 *             └── paused while bytes are held        next request ◀───────┘
 */
class RequestGate {
  readonly #socket: Socket;
  readonly #turns: YieldQueue;
  readonly #clock: Clock;
  readonly #parse: (bytes: Buffer) => void;
  readonly #end: () => void;
  #held: Buffer = nothing;
  #parsed = 0;
  #current: ServerResponse<IncomingMessage> | null = null;
  #bodyLeft = 0;
  #isChunked = false;
  /** Kind of line at the parse position. A blank line ends a head and a chunked body. */
  #line: 'leading' | 'text' | 'empty' = 'leading';
  #isQueued = false;
  #hasEnded = false;
  #isShut = false;

  constructor(socket: Socket, turns: YieldQueue, clock: Clock) {
    this.#socket = socket;
    this.#turns = turns;
    this.#clock = clock;
    this.#parse = takeOver(socket, 'data');
    this.#end = takeOver(socket, 'end');
    // With another listener, Node's parser reads through the stream instead of directly from
    // the handle.
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('resume', this.#onResume);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#current = response;
    this.#bodyLeft = Number(request.headers['content-length'] ?? 0) || 0;
    this.#isChunked = request.headers['transfer-encoding'] !== undefined;
    response.once('close', () => this.#answered());
    if (this.#hasEnded) probeHalfClosed(this.#socket, response, this.#clock);
  }

  detach(): Buffer {
    const held = this.#held;
    this.shut();
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('resume', this.#onResume);
    return held;
  }

  shut(): void {
    this.#isShut = true;
    this.#held = nothing;
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isShut) return;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#advance();
  };

  /** A client that closes its sending side still receives all responses. */
  readonly #onEnd = (): void => {
    const current = this.#current;
    if (current) probeHalfClosed(this.#socket, current, this.#clock);
    this.#hasEnded = this.#held.length > 0;
    if (this.#hasEnded) return;
    this.shut();
    if (current) current.shouldKeepAlive = false;
    this.#end();
  };

  readonly #onResume = (): void => {
    if (this.#held.length > 0) this.#socket.pause();
  };

  #answered(): void {
    this.#current = null;
    this.#parsed = 0;
    if (this.#held.length > 0) this.#queue();
    else if (this.#hasEnded) this.#end();
  }

  #queue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#turns.take(() => {
      this.#isQueued = false;
      this.#advance(true);
    });
  }

  get #mustWait(): boolean {
    return this.#isQueued || this.#current?.req.complete === true;
  }

  get #isLong(): boolean {
    return this.#parsed + this.#held.length > shortBytes;
  }

  #advance(hasTurn = false): void {
    const socket = this.#socket;
    const wasPaused = socket.isPaused();
    if (this.#isLong && !hasTurn && !this.#mustWait) this.#queue();
    // Resumes before parsing: an upgrade does not change the connection state. If bytes are
    // still held, it pauses again.
    if (wasPaused && !this.#mustWait) socket.resume();
    while (this.#held.length > 0 && !this.#mustWait) {
      this.#parsePiece();
      if (socket.writableEnded || socket.destroyed) this.shut();
      if (this.#isLong && this.#held.length > 0 && !this.#mustWait) this.#queue();
    }
    if (this.#held.length > 0 && !wasPaused) socket.pause();
    // The connection ended inside a request; a complete request is answered first.
    if (this.#hasEnded && this.#held.length === 0 && !this.#mustWait) this.#end();
  }

  #parsePiece(): void {
    const end = this.#pieceEnd();
    const piece = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.#parsed += end;
    this.#parse(piece);
  }

  #pieceEnd(): number {
    const { length } = this.#held;
    if (this.#bodyLeft > 0) {
      const end = Math.min(this.#bodyLeft, length);
      this.#bodyLeft -= end;
      return end;
    }
    return this.#blankLineEnd(this.#isChunked ? Math.min(chunkedBytes, length) : length);
  }

  /** A line can end in a bare line feed. Blank lines before a head are part of it. */
  #blankLineEnd(limit: number): number {
    for (let at = 0; at < limit; at++) {
      const byte = this.#held[at];
      if (byte === carriageReturn) continue;
      if (byte !== lineFeed) this.#line = 'text';
      else if (this.#line === 'text') this.#line = 'empty';
      else if (this.#line === 'empty') {
        this.#line = 'leading';
        return at + 1;
      }
    }
    return limit;
  }
}

interface ConnectionsOptions {
  readonly limit: number;
  readonly turns: YieldQueue;
  readonly clock: Clock;
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #served = new Set<Duplex>();
  readonly #gates = new Map<Duplex, RequestGate>();
  #isShut = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  watch(server: Server): void {
    server.maxConnections = this.#options.limit * 2;
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (request, response) => {
      this.#gates.get(request.socket)?.begin(request, response);
    });
  }

  get clients(): number {
    return this.#served.size;
  }

  checkLimit(socket: Duplex): void {
    if (this.#served.has(socket)) return;
    throw new BusbarError('too_many_clients', { details: { limit: this.#options.limit } });
  }

  /** Frees the place of a connection after its last response, before the connection is closed. */
  leave(socket: Duplex): void {
    this.#served.delete(socket);
  }

  detach(socket: Duplex): Buffer {
    const held = this.#gates.get(socket)?.detach() ?? nothing;
    this.#gates.delete(socket);
    return held;
  }

  /** Starts no queued request and drops new connections. */
  shut(): void {
    this.#isShut = true;
    for (const gate of this.#gates.values()) gate.shut();
  }

  #accept(socket: Socket): void {
    if (this.#isShut) {
      socket.destroy();
      return;
    }
    const { limit, turns, clock } = this.#options;
    if (this.#served.size < limit) this.#served.add(socket);
    this.#gates.set(socket, new RequestGate(socket, turns, clock));
    socket.once('close', () => {
      this.#served.delete(socket);
      this.#gates.get(socket)?.shut();
      this.#gates.delete(socket);
    });
  }
}
