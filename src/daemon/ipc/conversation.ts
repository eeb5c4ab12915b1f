import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { gather, SlicedJson } from '../../base/json/sliced-json.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import { Turns } from '../../base/turns.ts';
import { MessageSplitter } from '../../link/message-splitter.ts';
import {
  type Answer,
  type Hello,
  longestLine,
  type Progress,
  type Request,
} from '../../link/protocol.ts';
import type { CancelReason } from '../../operations/cancellation.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { CallQueue } from './call-queue.ts';
import { answerLine, CallerSocket, type JsonLine, lineOf } from './caller-socket.ts';
import { IpcSession } from './session.ts';
import { StreamCall } from './stream-call.ts';

export interface ConversationOptions {
  readonly hello: Hello;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Shared with whatever else must not keep the thread from its clients. */
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
  /** Told what went wrong inside, which callers only see as `internal_error`. */
  readonly onDefect: (thrown: unknown) => void;
  /** Told of everything that is begun for the caller, until it is done. */
  readonly onBegun: (work: Promise<void>) => void;
}

/** How long a caller may take to say hello. */
const helloMs = 5000;

/** Calls of one caller that are carried out at a time. While more wait, nothing is read from it. */
const mostCalls = 4;

/** The daemon's end of the link to one caller: reads its requests and carries them out. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #socket: Socket;
  readonly #caller: CallerSocket;
  readonly #running = new Map<number, AbortController>();
  readonly #queue: CallQueue;
  readonly #pages = new Turns();
  #isDismissed = false;

  constructor(socket: Socket, options: ConversationOptions) {
    this.#options = options;
    this.#socket = socket;
    this.#caller = new CallerSocket(socket);
    this.#queue = new CallQueue(mostCalls, options.turns);
    this.#queue.onEmpty = () => socket.resume();
    // The caller has taken an answer; its calls may wait all the same.
    socket.on('resume', () => {
      if (!this.#queue.isEmpty) socket.pause();
    });
    this.#listen();
  }

  /** Tells every call under way that its caller waits for no answer. */
  cancel(reason: CancelReason): void {
    for (const running of this.#running.values()) running.abort(reason);
  }

  #listen(): void {
    const { hello, clock } = this.#options;
    const socket = this.#socket;
    const session = new IpcSession(hello);
    const greeting = clock.after(helloMs, () => socket.destroy());
    const splitter = new MessageSplitter(
      { line: longestLine, raw: 0 },
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
    // A caller that vanishes in mid-answer is its own business.
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

  /** Nothing more is read from it, however much it sends. */
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
      // Later progress tells all that earlier did, so none has to wait for a slow caller.
      if (isAnswered || !this.#caller.keepsUp) return;
      void this.#caller.sendLine(lineOf({ id, progress } satisfies Progress));
    };
    const caller: Caller = { face: 'cli', project, signal, report };
    const answer = (line: JsonLine): Promise<void> => {
      isAnswered = true;
      return this.#caller.sendLine(line);
    };
    try {
      // It may have been given up while it waited.
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

  /** A caller has one page in memory at a time, however many it has asked for. */
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
