import type { FrameReceiver, FramingProblem } from '../framing/framing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import type { ByteLink, LinkReceiver } from '../transport/byte-link.ts';
import type { Outbox } from './outbox.ts';
import type { RequestHandler } from './request-handler.ts';
import type { ServerCounters } from './server-counters.ts';

/** What all clients of a server share. */
export interface TcpClientContext {
  readonly unit: number;
  readonly handler: RequestHandler;
  readonly counters: ServerCounters;
  readonly outbox: Outbox;
  /** Has `serveRest` called in a later turn. */
  postpone(client: TcpClient): void;
  /** The client has gone. */
  left(client: TcpClient): void;
}

/** Requests of so many bytes are answered in one write. */
const sliceBytes = 1024;
/** Requests of so many bytes are served before others have their turn. */
const turnBytes = 4 * sliceBytes;
/** Answers that may wait for a client before it is no longer listened to. */
const maxBufferedBytes = 64 * 1024;
/** The shortest request with a long answer is that for device identification. */
const shortestRequest = 11;
const longestAnswer = 260;
/**
 * Room for the answers to a slice, of which one may be to a request that began before it. Requests
 * can be shorter, down to eight bytes, but are then answered with an exception, which takes nine.
 */
export const outboxBytes = (Math.ceil(sliceBytes / shortestRequest) + 1) * longestAnswer;

/**
 * A client connected over TCP. Its requests are answered in the order in which they came. One that
 * does not take its answers is not heard until it has, so it costs a bounded amount of memory.
 */
export class TcpClient implements LinkReceiver, FrameReceiver {
  /** Ticks of the idle watch since something was heard. */
  quietTicks = 0;
  readonly #context: TcpClientContext;
  readonly #link: ByteLink;
  readonly #framing = new TcpFraming(this);
  /** Bytes taken while others had their turn. */
  #rest: Uint8Array | undefined;
  #isOpen = true;
  #isBroken = false;

  constructor(link: ByteLink, context: TcpClientContext) {
    this.#link = link;
    this.#context = context;
  }

  opened(): void {}

  bytes(bytes: Uint8Array): void {
    this.quietTicks = 0;
    this.#context.counters.bytesReceived += bytes.length;
    this.#serve(bytes);
  }

  drained(): void {
    if (this.#rest === undefined) this.#link.resume();
    else this.#context.postpone(this);
  }

  closed(): void {
    this.#leave();
  }

  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void {
    const { handler, counters, outbox } = this.#context;
    if (unit !== this.#context.unit) {
      counters.foreignUnit += 1;
      return;
    }
    const { end } = outbox;
    const pduAt = end + this.#framing.pduOffset;
    const answered = handler.handle(bytes, at, length, outbox.bytes, pduAt);
    outbox.end += this.#framing.encode(
      outbox.bytes,
      end,
      transaction,
      unit,
      outbox.bytes,
      pduAt,
      answered,
    );
  }

  problem(problem: FramingProblem): void {
    this.#context.counters.badFrames += 1;
    if (problem.fatal) this.#isBroken = true;
  }

  /** Goes on with what was left for a later turn. */
  serveRest(): void {
    const rest = this.#rest;
    if (rest === undefined || !this.#isOpen) return;
    this.#rest = undefined;
    this.#serve(rest);
    if (this.#isOpen && this.#rest === undefined && !this.#isStalled()) this.#link.resume();
  }

  /** Lets go of the client at once. */
  close(): void {
    if (!this.#isOpen) return;
    this.#link.close();
    this.#leave();
  }

  #serve(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && at < turnBytes && this.#isOpen && !this.#isStalled()) {
      const end = Math.min(at + sliceBytes, bytes.length);
      this.#framing.push(end - at === bytes.length ? bytes : bytes.subarray(at, end));
      at = end;
      this.#context.counters.bytesSent += this.#context.outbox.flush(this.#link);
      if (this.#isBroken) this.close();
    }
    if (!this.#isOpen) return;
    const isStalled = this.#isStalled();
    if (at === bytes.length && !isStalled) return;
    this.#link.pause();
    if (at === bytes.length) return;
    this.#rest = bytes.slice(at);
    if (!isStalled) this.#context.postpone(this);
  }

  #isStalled(): boolean {
    return this.#link.bufferedBytes > maxBufferedBytes;
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rest = undefined;
    this.#context.left(this);
  }
}
