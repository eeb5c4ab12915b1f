import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BlankLine } from './blank-line.ts';
import { ChunkedBody } from './chunked-body.ts';
import { attendHalfClosed } from './half-closed.ts';

const nothing = Buffer.alloc(0);

/**
 * What has more bytes waits for its turn, were it the first of its connection: to read it may take
 * milliseconds, and a hundred of them can arrive at once.
 */
const shortBytes = 2048;

/** Chunks of a body that are parsed in one turn, well below a millisecond. */
const chunksATurn = 128;

/** Takes what listens to an event off the connection; answers how to tell them of it. */
const takeOver = (socket: Socket, event: 'data' | 'end'): ((bytes?: Buffer) => void) => {
  const listeners = socket.listeners(event);
  for (const listener of listeners) socket.off(event, listener as () => void);
  return (bytes) => {
    for (const listener of listeners) listener.call(socket, bytes);
  };
};

/**
 * Stands between a connection and Node's parser, which would begin every request of a chunk at once.
 * It hands on the bytes of one request, and those of the next when the answer is with the system.
 * Meanwhile no more than the chunk in hand is read.
 *
 *   socket ──data──▶ held bytes ──one message at a time──▶ parser ──▶ request ──▶ answer
 *             ▲                                                                     │
 *             └── pauses while bytes are held      next piece in the gate's turn ◀──┘
 */
class RequestGate {
  readonly #socket: Socket;
  readonly #turns: LoopTurns;
  readonly #clock: Clock;
  readonly #parse: (bytes: Buffer) => void;
  readonly #end: () => void;
  readonly #blankLine = new BlankLine();
  #held: Buffer = nothing;
  /** Bytes of the request in hand that were handed on. */
  #handedOn = 0;
  /** The request whose answer is not out yet. */
  #current: ServerResponse<IncomingMessage> | null = null;
  /** Bytes that a body of known length still needs. */
  #bodyLeft = 0;
  /** A body of unknown length, until its end. */
  #chunks: ChunkedBody | null = null;
  #isQueued = false;
  #hasEnded = false;
  #isShut = false;

  constructor(socket: Socket, turns: LoopTurns, clock: Clock) {
    this.#socket = socket;
    this.#turns = turns;
    this.#clock = clock;
    this.#parse = takeOver(socket, 'data');
    this.#end = takeOver(socket, 'end');
    // Node's own parser no longer takes bytes past the stream once there is another listener.
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('resume', this.#onResume);
  }

  /** A request has begun; nothing behind it is looked at until it is answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#current = response;
    this.#bodyLeft = Number(request.headers['content-length'] ?? 0) || 0;
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    this.#chunks = isChunked ? new ChunkedBody() : null;
    response.once('close', () => this.#answered());
    if (this.#hasEnded) attendHalfClosed(this.#socket, response, this.#clock);
  }

  /** The connection speaks HTTP no longer. Answers what was read of it and not handed on. */
  release(): Buffer {
    const held = this.#held;
    this.shut();
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('resume', this.#onResume);
    return held;
  }

  /** Begins no more requests, whatever comes. */
  shut(): void {
    this.#isShut = true;
    this.#held = nothing;
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isShut) return;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#advance();
  };

  /** A client that will send nothing more still gets the answers to what it has sent. */
  readonly #onEnd = (): void => {
    const current = this.#current;
    if (current) attendHalfClosed(this.#socket, current, this.#clock);
    this.#hasEnded = this.#held.length > 0;
    if (this.#hasEnded) return;
    this.shut();
    if (current) current.shouldKeepAlive = false;
    // Node closes the connection behind the answer under way, or at once where there is none.
    this.#end();
  };

  /** Node reads on behind every request; not before there is room again. */
  readonly #onResume = (): void => {
    if (this.#held.length > 0) this.#socket.pause();
  };

  #answered(): void {
    this.#current = null;
    this.#handedOn = 0;
    if (this.#held.length === 0) {
      if (this.#hasEnded) this.#end();
      return;
    }
    this.#queue();
  }

  /** Goes on with what is held in a turn of its own. */
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
    return this.#handedOn + this.#held.length > shortBytes;
  }

  /** Hands on what may be; of what is long one piece, and in a turn only. */
  #advance(hasTurn = false): void {
    const socket = this.#socket;
    const wasPaused = socket.isPaused();
    if (this.#isLong && !hasTurn && !this.#mustWait) this.#queue();
    // Before anything is parsed: an upgrade leaves the connection as it finds it. What is still
    // held afterwards stops the reading when that is about to begin.
    if (wasPaused && !this.#mustWait) socket.resume();
    while (this.#held.length > 0 && !this.#mustWait) {
      this.#handOn();
      // Its last answer is given, or its last request was none.
      if (socket.writableEnded || socket.destroyed) this.shut();
      if (this.#isLong && this.#held.length > 0 && !this.#mustWait) this.#queue();
    }
    if (this.#held.length > 0 && !wasPaused) socket.pause();
    // In the middle of a request; behind one, its answer comes first.
    if (this.#hasEnded && this.#held.length === 0 && !this.#mustWait) this.#end();
  }

  #handOn(): void {
    const end = this.#pieceEnd();
    const piece = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.#handedOn += end;
    this.#parse(piece);
  }

  /** Up to where the bytes in hand belong to one message. */
  #pieceEnd(): number {
    if (this.#chunks) return this.#chunksEnd(this.#chunks);
    if (this.#bodyLeft === 0) return this.#blankLine.endIn(this.#held);
    const length = Math.min(this.#bodyLeft, this.#held.length);
    this.#bodyLeft -= length;
    return length;
  }

  #chunksEnd(chunks: ChunkedBody): number {
    const end = chunks.endIn(this.#held, chunksATurn);
    if (chunks.isDone) this.#chunks = null;
    return end;
  }
}

/** Has every connection of a server make its requests one at a time, and all of them in turns. */
export class RequestGates {
  readonly #turns: LoopTurns;
  readonly #clock: Clock;
  readonly #gates = new Map<Duplex, RequestGate>();
  #isShut = false;

  constructor(turns: LoopTurns, clock: Clock) {
    this.#turns = turns;
    this.#clock = clock;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (this.#isShut) {
        socket.destroy();
        return;
      }
      this.#gates.set(socket, new RequestGate(socket, this.#turns, this.#clock));
      socket.once('close', () => {
        this.#gates.get(socket)?.shut();
        this.#gates.delete(socket);
      });
    });
    server.on('request', (request, response) => {
      this.#gates.get(request.socket)?.begin(request, response);
    });
  }

  /** Lets a connection go that something else than HTTP is spoken on; answers what was held back. */
  release(socket: Duplex): Buffer {
    const held = this.#gates.get(socket)?.release() ?? nothing;
    this.#gates.delete(socket);
    return held;
  }

  /** Begins no request that waits, and turns new connections away. */
  shut(): void {
    this.#isShut = true;
    for (const gate of this.#gates.values()) gate.shut();
  }
}
