import type { Clock } from '../../base/clock/clock.ts';
import type { ByteLink, LinkReceiver } from '../../base/serial/byte-link.ts';
import type { FrameReceiver, Framing, FramingProblem } from '../framing/framing.ts';
import { writeFunctions } from '../pdu/function-codes.ts';
import { DelayedAnswers } from './delayed-answers.ts';
import type { ServedUnits } from './served-unit.ts';
import type { ServerCounters } from './server-counters.ts';

/**
 * Collects the responses to one read for a single write. Shared by all clients served in one turn.
 */
export class AnswerBuffer {
  readonly #size: number;
  #bytes: Buffer;
  end = 0;

  constructor(size: number) {
    this.#size = size;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  flush(link: ByteLink): number {
    const length = this.end;
    if (length === 0) return 0;
    this.end = 0;
    const answers = this.#bytes.subarray(0, length);
    if (link.bufferedBytes > 0) {
      // A copy, because queued bytes must not retain the whole buffer.
      link.write(Buffer.from(answers));
      return length;
    }
    link.write(answers);
    // Bytes that the system has not accepted belong to the link.
    if (link.bufferedBytes > 0) this.#bytes = Buffer.allocUnsafeSlow(this.#size);
    return length;
  }
}

export interface TcpClientContext {
  readonly clock: Clock;
  readonly units: ServedUnits;
  readonly counters: ServerCounters;
  readonly answers: AnswerBuffer;
  createFraming(receiver: FrameReceiver): Framing;
  postpone(client: TcpClient): void;
  /** Schedules `wake`, replacing an earlier schedule. */
  wakeAt(client: TcpClient, dueUs: number): void;
  left(client: TcpClient): void;
}

/** Request bytes whose responses are sent in one write. */
const sliceBytes = 1024;
/**
 * Request bytes served before other clients. Without a header every byte may start a frame and
 * needs a checksum, so a hostile client causes four times the work.
 */
const turnBytes = { withHeader: 4 * sliceBytes, withoutHeader: sliceBytes } as const;
/** Queued response bytes at which reading pauses. */
const maxBufferedBytes = 64 * 1024;
const maxDelayedBytes = 4 * 1024;
const broadcastUnit = 0;
/** The shortest request with a long response: device identification in RTU. */
const shortestRequest = 7;
const maxAnswer = 260;
/**
 * Room for the responses to a slice, including one request that began before it. Shorter
 * requests get an exception, which is one byte longer than the request.
 */
export const answerBufferBytes = (Math.ceil(sliceBytes / shortestRequest) + 1) * maxAnswer;

/**
 * A client connected over TCP. Requests are served in order. A client that does not read its
 * responses is not read either, which limits its memory.
 */
export class TcpClient implements LinkReceiver, FrameReceiver {
  quietTicks = 0;
  readonly #context: TcpClientContext;
  readonly #link: ByteLink;
  readonly #framing: Framing;
  readonly #turnBytes: number;
  readonly #delayed = new DelayedAnswers();
  #rest: Uint8Array | undefined;
  #isOpen = true;
  #isBroken = false;
  #pausedUs: number | undefined;
  #unheardUs = 0;

  constructor(link: ByteLink, context: TcpClientContext) {
    this.#link = link;
    this.#context = context;
    this.#framing = context.createFraming(this);
    const { carriesTransactions } = this.#framing;
    this.#turnBytes = carriesTransactions ? turnBytes.withHeader : turnBytes.withoutHeader;
  }

  opened(): void {}

  bytes(bytes: Uint8Array): void {
    this.quietTicks = 0;
    this.#context.counters.bytesReceived += bytes.length;
    this.#serve(bytes);
  }

  drained(): void {
    if (this.#rest === undefined) this.#resume();
    else this.#context.postpone(this);
  }

  closed(): void {
    this.#leave();
  }

  frame(transaction: number, unit: number, bytes: Uint8Array, at: number, length: number): void {
    const { units, answers } = this.#context;
    if (!this.#isOpen) return;
    const served = units.find(unit);
    if (served === undefined) {
      this.#hearOther(unit, bytes, at, length);
      return;
    }
    const { end } = answers;
    const pduAt = end + this.#framing.pduOffset;
    const answered = served.serve(bytes, at, length, answers.bytes, pduAt);
    if (answered === 0) return;
    const framed = this.#framing.encode(
      answers.bytes,
      end,
      transaction,
      unit,
      answers.bytes,
      pduAt,
      answered,
    );
    if (served.delayUs > 0 || !this.#delayed.isEmpty) this.#delay(end, framed, served.delayUs);
    else answers.end += framed;
  }

  problem(problem: FramingProblem): void {
    this.#context.counters.badFrames += 1;
    if (problem.fatal) this.#isBroken = true;
  }

  serveRest(): void {
    const rest = this.#rest;
    if (rest === undefined || !this.#isOpen) return;
    this.#rest = undefined;
    this.#serve(rest);
    if (this.#isOpen && this.#rest === undefined && !this.#isStalled()) this.#resume();
  }

  /**
   * Sends due responses of slow units and resolves incomplete frames. Returns the next wake-up
   * time.
   */
  wake(nowUs: number): number {
    for (let due = this.#delayed.take(nowUs); due; due = this.#delayed.take(nowUs)) {
      this.#link.write(due);
      this.#context.counters.bytesSent += due.length;
    }
    if (this.#pausedUs === undefined) this.#judgeCut();
    if (this.#isOpen && !this.#isStalled()) this.drained();
    return this.#dueUs();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#link.close();
    this.#leave();
  }

  #serve(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && at < this.#turnBytes && this.#isOpen && !this.#isStalled()) {
      const end = Math.min(at + sliceBytes, bytes.length);
      const slice = end - at === bytes.length ? bytes : bytes.subarray(at, end);
      this.#framing.push(slice, this.#listenedUs());
      at = end;
      this.#context.counters.bytesSent += this.#context.answers.flush(this.#link);
      if (this.#isBroken) this.close();
    }
    if (!this.#isOpen) return;
    const isStalled = this.#isStalled();
    if (at === bytes.length && !isStalled) {
      this.#plan();
      return;
    }
    this.#pause();
    if (at === bytes.length) return;
    this.#rest = bytes.slice(at);
    if (!isStalled) this.#context.postpone(this);
  }

  #listenedUs(): number {
    return (this.#pausedUs ?? this.#context.clock.monotonicUs()) - this.#unheardUs;
  }

  #pause(): void {
    this.#link.pause();
    this.#pausedUs ??= this.#context.clock.monotonicUs();
  }

  #resume(): void {
    if (this.#pausedUs !== undefined) {
      this.#unheardUs += this.#context.clock.monotonicUs() - this.#pausedUs;
      this.#pausedUs = undefined;
    }
    this.#link.resume();
    this.#plan();
  }

  #dueUs(): number {
    if (!this.#isOpen) return Number.POSITIVE_INFINITY;
    if (this.#pausedUs !== undefined) return this.#delayed.nextDueUs;
    return Math.min(this.#delayed.nextDueUs, this.#framing.nextDeadlineUs + this.#unheardUs);
  }

  #plan(): void {
    const dueUs = this.#dueUs();
    if (dueUs < Number.POSITIVE_INFINITY) this.#context.wakeAt(this, dueUs);
  }

  /** Silence decides whether the last bytes are a frame. */
  #judgeCut(): void {
    this.#framing.idle(this.#listenedUs());
    this.#context.counters.bytesSent += this.#context.answers.flush(this.#link);
  }

  #hearOther(unit: number, bytes: Uint8Array, at: number, length: number): void {
    const { units, counters, answers } = this.#context;
    if (unit !== broadcastUnit || this.#framing.carriesTransactions) counters.otherUnit += 1;
    else if (writeFunctions.has(bytes[at] as number)) {
      counters.broadcasts += 1;
      units.serveUnanswered(bytes, at, length, answers.bytes, answers.end);
    }
  }

  #delay(at: number, length: number, delayUs: number): void {
    const { answers, clock } = this.#context;
    // A slice of the shared buffer would be overwritten by the next response.
    const answer = Uint8Array.from(answers.bytes.subarray(at, at + length));
    this.#delayed.add(answer, delayUs, clock.monotonicUs());
    this.#plan();
  }

  #isStalled(): boolean {
    return this.#link.bufferedBytes > maxBufferedBytes || this.#delayed.heldBytes > maxDelayedBytes;
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rest = undefined;
    // An incomplete request is counted, but not served.
    this.#framing.idle(Number.POSITIVE_INFINITY);
    this.#context.left(this);
  }
}
