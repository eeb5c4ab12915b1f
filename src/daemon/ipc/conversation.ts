import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { isJsonObject } from '../../base/json/json-value.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { gather, SlicedJson } from '../../base/json/sliced-json.ts';
import { Mutex } from '../../base/mutex.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import { MessageSplitter } from '../../link/message-splitter.ts';
import {
  type Answer,
  type Hello,
  linkProtocol,
  maxLineLength,
  type Progress,
  type Reply,
  type Request,
} from '../../link/protocol.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import type { OpenStream, StreamReply } from '../../operations/stream.ts';
import { answerLine, CallerSocket, type JsonLine, lineOf } from './caller-socket.ts';

interface StreamCallOptions {
  readonly id: number;
  readonly caller: CallerSocket;
  readonly clock: Clock;
  readonly onDefect: (thrown: unknown) => void;
}

/** Maximum time for the last answer to a slow caller. */
const lastWordMs = 1000;

class StreamCall implements StreamReply {
  readonly #options: StreamCallOptions;
  readonly #ended = new Deferred<void>();
  readonly #stopWaiting: () => void;
  #stream: OpenStream | undefined;
  #isOver = false;
  #hasLeft = false;
  #wasRefused = false;
  #whenReady: () => void = () => undefined;

  constructor(options: StreamCallOptions) {
    this.#options = options;
    this.#stopWaiting = options.caller.onDrain(() => {
      if (!this.#wasRefused) return;
      this.#wasRefused = false;
      this.#whenReady();
    });
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isReady(): boolean {
    const isReady = this.#options.caller.keepsUp;
    // Only a stream that was refused is resumed when there is room again.
    if (!isReady) this.#wasRefused = true;
    return isReady;
  }

  onReady(callback: () => void): void {
    this.#whenReady = callback;
  }

  message(value: object): void {
    const { id, caller } = this.#options;
    if (!this.#isOver) void caller.sendLine(lineOf({ id, message: value } satisfies Reply));
  }

  batch(bytes: Uint8Array, records: number): void {
    const { id, caller } = this.#options;
    if (!this.#isOver && bytes.length > 0) caller.sendBatch(id, bytes, records);
  }

  end(result: object): void {
    if (this.#isOver) return;
    try {
      this.#endWith(lineOf({ id: this.#options.id, result } satisfies Reply));
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  fail(thrown: unknown): void {
    if (this.#isOver) return;
    const { id, onDefect } = this.#options;
    const error = BusbarError.from(thrown);
    if (error.code === 'internal_error') onDefect(thrown);
    this.#endWith(lineOf({ id, error: error.toRecord() } satisfies Reply));
  }

  opened(stream: OpenStream): void {
    this.#stream = stream;
    if (this.#hasLeft) stream.close();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#hasLeft = true;
    this.#finish();
    this.#ended.resolve();
    this.#stream?.close();
  }

  #endWith(line: string): void {
    const { caller, clock } = this.#options;
    this.#finish();
    const timeOut = clock.after(lastWordMs, () => this.#ended.resolve());
    void caller.sendLine(line).then(() => {
      timeOut.cancel();
      this.#ended.resolve();
    });
  }

  #finish(): void {
    this.#isOver = true;
    this.#stopWaiting();
  }
}

const malformed = (message: string): BusbarError =>
  new BusbarError('invalid_argument', { message });

const readRequest = (message: unknown): Request => {
  if (!isJsonObject(message)) throw malformed('A request must be a JSON object');
  const { id, operation, arguments: values, project } = message;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw malformed('id must be an integer');
  if (typeof operation !== 'string') throw malformed('operation must be a string');
  if (!isJsonObject(values)) throw malformed('arguments must be an object');
  if (project !== null && typeof project !== 'string') {
    throw malformed('project must be a string or null');
  }
  return { id, operation, arguments: values, project };
};

const readStep = (message: unknown): SessionStep => {
  if (!isJsonObject(message) || !('cancel' in message)) {
    return { kind: 'call', request: readRequest(message) };
  }
  if (typeof message.cancel !== 'number') throw malformed('cancel must be an integer');
  return { kind: 'cancel', id: message.cancel };
};

const checkHello = (message: unknown, own: Hello): void => {
  if (!isJsonObject(message) || typeof message.busbar !== 'number') {
    throw malformed('The first message must be a hello');
  }
  if (message.busbar === linkProtocol) return;
  throw new BusbarError('version_mismatch', {
    details: { daemon: own.version, pid: own.pid, caller: message.version ?? null },
  });
};

export type SessionStep =
  | { readonly kind: 'greet' }
  | { readonly kind: 'call'; readonly request: Request }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'reject'; readonly error: BusbarError };

/** The daemon's side of the protocol: lines in, steps out, no socket. */
export class IpcSession {
  readonly #own: Hello;
  #greeted = false;
  #ended = false;

  constructor(own: Hello) {
    this.#own = own;
  }

  /** A rejected line ends the conversation. */
  receive(line: Uint8Array): SessionStep {
    try {
      if (this.#ended) throw malformed('The connection is closing');
      const message = parseJsonBytes(line);
      if (this.#greeted) return readStep(message);
      checkHello(message, this.#own);
      this.#greeted = true;
      return { kind: 'greet' };
    } catch (thrown) {
      this.#ended = true;
      return { kind: 'reject', error: BusbarError.from(thrown) };
    }
  }
}

/**
 * Limits the concurrent calls of a caller. Each queued call starts in a separate event loop
 * iteration.
 */
class CallQueue {
  readonly #turns: YieldQueue;
  readonly #waiting: (() => void)[] = [];
  #places: number;
  onEmpty: () => void = () => {};

  constructor(places: number, turns: YieldQueue) {
    this.#places = places;
    this.#turns = turns;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  async take(work: () => Promise<void>): Promise<void> {
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#places++;
      return;
    }
    this.#turns.take(next);
    if (this.isEmpty) this.onEmpty();
  }
}

export interface ConversationOptions {
  readonly hello: Hello;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly turns: YieldQueue;
  readonly scratch: ScratchPool;
  readonly onDefect: (thrown: unknown) => void;
  readonly onBegun: (work: Promise<void>) => void;
}

const helloMs = 5000;

/** Concurrent calls of one caller. While more are queued, its socket is not read. */
const maxCalls = 4;

/** Connection to one caller: reads requests and runs them. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #socket: Socket;
  readonly #caller: CallerSocket;
  readonly #running = new Map<number, AbortController>();
  readonly #queue: CallQueue;
  readonly #pages = new Mutex();
  #isDismissed = false;

  constructor(socket: Socket, options: ConversationOptions) {
    this.#options = options;
    this.#socket = socket;
    this.#caller = new CallerSocket(socket);
    this.#queue = new CallQueue(maxCalls, options.turns);
    this.#queue.onEmpty = () => socket.resume();
    // The caller accepted an answer; its calls may still be queued.
    socket.on('resume', () => {
      if (!this.#queue.isEmpty) socket.pause();
    });
    this.#listen();
  }

  cancel(reason: CancelReason): void {
    for (const running of this.#running.values()) running.abort(reason);
  }

  #listen(): void {
    const { hello, clock } = this.#options;
    const socket = this.#socket;
    const session = new IpcSession(hello);
    const greeting = clock.after(helloMs, () => socket.destroy());
    const splitter = new MessageSplitter(
      { line: maxLineLength, raw: 0 },
      {
        line: (line) => {
          const step = session.receive(line);
          if (step.kind === 'reject') throw step.error;
          if (step.kind === 'call') this.#begin(step.request);
          else if (step.kind === 'cancel') this.#running.get(step.id)?.abort();
          else {
            greeting.cancel();
            void this.#caller.sendLine(lineOf(hello));
          }
          return 0;
        },
        raw: () => undefined,
      },
    );
    socket.on('close', () => {
      greeting.cancel();
      this.cancel('caller_gone');
    });
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      if (this.#isDismissed) return;
      try {
        splitter.push(chunk);
        if (!this.#queue.isEmpty) socket.pause();
      } catch (thrown) {
        greeting.cancel();
        this.#dismiss(BusbarError.from(thrown));
      }
    });
  }

  #dismiss(error: BusbarError): void {
    this.#isDismissed = true;
    this.#socket.end(lineOf({ error: error.toRecord() }), () => this.#socket.destroy());
  }

  #begin(request: Request): void {
    const { dispatcher, onBegun } = this.#options;
    const running = new AbortController();
    this.#running.set(request.id, running);
    const work = dispatcher.isStream(request.operation)
      ? this.#stream(request, running.signal)
      : this.#queue.take(() => this.#call(request, running.signal));
    onBegun(work.finally(() => this.#running.delete(request.id)));
  }

  async #call(request: Request, signal: AbortSignal): Promise<void> {
    const { dispatcher, onDefect } = this.#options;
    const { id, operation, arguments: values, project } = request;
    let isAnswered = false;
    const report = (progress: unknown): void => {
      // Progress is cumulative, so a slow caller can miss reports.
      if (isAnswered || !this.#caller.keepsUp) return;
      void this.#caller.sendLine(lineOf({ id, progress } satisfies Progress));
    };
    const caller: Caller = { face: 'cli', project, signal, report };
    const answer = (line: JsonLine): Promise<void> => {
      isAnswered = true;
      return this.#caller.sendLine(line);
    };
    try {
      // It may have been cancelled while queued.
      if (signal.aborted) throw new BusbarError('operation_cancelled');
      const result = await dispatcher.invoke(operation, values, caller);
      if (result instanceof SlicedJson) await this.#answerWithPage(id, result, signal, answer);
      else await answer(answerLine(id, result));
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (error.code === 'internal_error') onDefect(thrown);
      await answer(lineOf({ id, error: error.toRecord() } satisfies Answer));
    }
  }

  /** Holds one page per caller in memory. */
  #answerWithPage(
    id: number,
    page: SlicedJson,
    signal: AbortSignal,
    answer: (line: JsonLine) => Promise<void>,
  ): Promise<void> {
    const { turns, scratch } = this.#options;
    return this.#pages.take(async () => {
      const text = await gather(page, { turns, scratch, signal });
      await answer(answerLine(id, text));
    });
  }

  async #stream(request: Request, signal: AbortSignal): Promise<void> {
    const { dispatcher, clock, onDefect } = this.#options;
    const { id, operation, arguments: values, project } = request;
    const call = new StreamCall({ id, caller: this.#caller, clock, onDefect });
    this.#socket.once('close', () => call.leave());
    const caller: Caller = { face: 'cli', project, signal };
    try {
      call.opened(await dispatcher.openStream(operation, values, caller, call));
    } catch (thrown) {
      call.fail(thrown);
    }
    await call.ended;
  }
}
