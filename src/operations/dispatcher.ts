import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { FileDownload } from '../base/files/file-download.ts';
import type { JsonText } from '../base/json/json-text.ts';
import type { SlicedJson } from '../base/json/sliced-json.ts';
import type { RecordOf } from '../base/schema/schemas.ts';
import { type Cursor, RoundRobin, type Sink, type Visitor } from '../base/subscription.ts';
import { withCancelReason } from './cancellation.ts';
import { defaultsOf } from './defaults.ts';
import type { ArgumentsOf, Operation, Thread } from './define.ts';
import { withKeptArguments } from './kept-arguments.ts';
import type { OpenStream, StreamReply } from './stream.ts';
import { checkArguments, type Face } from './validate.ts';

/**
 * A sink for records from another thread. The key is the number of records replaced by newer ones.
 */
type ForwardedSink<Item> = Sink<Item, number> & OpenStream;

/**
 * Lets the `StreamSource` of another thread produce records until the signal is aborted.
 * Rejects if the source does.
 */
type RecordSource<Item> = (signal: AbortSignal, emit: (record: Item) => void) => Promise<unknown>;

/** Holds the newest record from another thread until its caller is ready. */
class LatestCursor implements Cursor<unknown, number> {
  readonly reply: StreamReply;
  readonly ending = new AbortController();
  #replaced = 0;
  #record: unknown;
  #hasRecord = false;

  constructor(reply: StreamReply) {
    this.reply = reply;
  }

  put(record: unknown): void {
    if (this.#hasRecord) this.#replaced += 1;
    this.#record = record;
    this.#hasRecord = true;
  }

  get hasBacklog(): boolean {
    return this.#hasRecord;
  }

  pass(visitor: Visitor<unknown, number>): number {
    if (!this.#hasRecord) return 0;
    this.#hasRecord = false;
    visitor.item(this.#record, this.#replaced);
    return 1;
  }

  last(visitor: Visitor<unknown, number>): void {
    this.pass(visitor);
  }
}

/**
 * Streams to callers in this thread from sources in another thread.
 *
 *   source ──emit──► progress of a call ──► cursor ──► sink ──► caller
 *     ▲                                                  │
 *     └──────────────── abort ◄──────────────────────────┘ count or time reached, or caller disconnected
 */
class ForwardedStreams {
  readonly #robin = new RoundRobin<unknown, number, LatestCursor>({
    slice: 1,
    perPass: 1,
    onResume: (subscription) => this.#robin.serve(subscription),
    onRemoved: ({ cursor }) => cursor.ending.abort(),
    onDefect: (thrown, { cursor }) => cursor.reply.fail(thrown),
  });

  open<Item>(
    sink: ForwardedSink<Item>,
    reply: StreamReply,
    source: RecordSource<Item>,
  ): OpenStream {
    const cursor = new LatestCursor(reply);
    const subscription = this.#robin.subscribe({ cursor, sink: sink as ForwardedSink<unknown> });
    const emit = (record: Item): void => {
      cursor.put(record);
      this.#robin.serve(subscription);
    };
    source(cursor.ending.signal, emit).then(
      () => subscription.end('shut_down'),
      (thrown: unknown) => {
        sink.close();
        reply.fail(thrown);
      },
    );
    return sink;
  }

  endAll(): void {
    this.#robin.endAll('shut_down');
  }
}

/** The caller. Commands and requests fill it in; operations never see sockets. */
export interface Caller {
  readonly face: Face;
  readonly project: string | null;
  /** Aborted when the caller disconnects or the call is cancelled, with a `CancelReason`. */
  readonly signal?: AbortSignal;
  readonly report?: (progress: unknown) => void;
}

export type PlainCaller = Pick<Caller, 'face' | 'project'>;

export const plainCaller = ({ face, project }: Caller): PlainCaller => ({ face, project });

export interface Call<O extends Operation = Operation> {
  readonly arguments: ArgumentsOf<O>;
  /** Names of arguments that the caller passed, without filled-in defaults. */
  readonly given: ReadonlySet<string>;
  readonly caller: Caller;
}

type Outcome<R extends TSchema> = RecordOf<R> | JsonText | SlicedJson | FileDownload;

export type Handler<P extends TProperties, R extends TSchema> = (
  call: Call<Operation<P, R>>,
) => Outcome<R> | Promise<Outcome<R>>;

/** Opens a stream, which can send items, and even end, before this function returns. */
export type StreamOpener<P extends TProperties> = (
  call: Call<Operation<P>>,
  reply: StreamReply,
) => OpenStream | Promise<OpenStream>;

export type StreamSource<P extends TProperties, R extends TSchema> = (
  call: Call<Operation<P>>,
  signal: AbortSignal,
  emit: (record: RecordOf<R>) => void,
) => Promise<void>;

export type SinkMaker<P extends TProperties, R extends TSchema> = (
  call: Call<Operation<P>>,
  reply: StreamReply,
) => ForwardedSink<Static<R>>;

type AnyHandler = (call: Call) => unknown;
type AnySinkMaker = (call: Call, reply: StreamReply) => ForwardedSink<unknown>;
type AnyOpener = (call: Call, reply: StreamReply) => OpenStream | Promise<OpenStream>;

export type Preparation<P extends TProperties> = (
  input: Static<TObject<P>>,
  caller: Caller,
) => Promise<Static<TObject<P>> | PreparedCall>;

/** Arguments for the thread that carries out a call, and the caller's record of its result. */
export class PreparedCall<Input extends object = object> {
  readonly input: Input;
  readonly complete: (result: unknown) => unknown;
  /** Words a refusal in terms of the original request. */
  readonly refused: (thrown: unknown) => unknown;

  constructor(
    input: Input,
    complete: (result: unknown) => unknown,
    refused: (thrown: unknown) => unknown = (thrown) => thrown,
  ) {
    this.input = input;
    this.complete = complete;
    this.refused = refused;
  }
}

type AnyPreparation = (input: object, caller: Caller) => Promise<object>;

export type Forward = (operation: Operation, input: object, caller: Caller) => Promise<unknown>;

const callOf = (operation: Operation, input: object, caller: Caller): Call => {
  const given = new Set<string>();
  const values = defaultsOf(operation.parameters);
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    values[name] = value;
    given.add(name);
  }
  return { arguments: values as Call['arguments'], given, caller };
};

const notCarriedOut = ({ id }: Pick<Operation, 'id'>): BusbarError =>
  new BusbarError('operation_not_found', {
    message: `The daemon does not run ${id}`,
    details: { operation_id: id },
  });

/**
 * Runs operations in one thread: locally if a handler is bound, otherwise in the declared
 * thread through `forward`. `invoke` and `openStream` check the arguments once, in the thread
 * that receives the call; `execute` trusts them. A stream from another thread has its source
 * bound there (`bindSource`) and its sink here (`bindSink`).
 */
export class Dispatcher {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #handlers = new Map<string, AnyHandler>();
  readonly #openers = new Map<string, AnyOpener>();
  readonly #sinks = new Map<string, AnySinkMaker>();
  readonly #forwarded = new ForwardedStreams();
  readonly #forwards = new Map<Thread, Forward>();
  readonly #preparations = new Map<string, AnyPreparation>();

  constructor(operations: readonly Operation[]) {
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
  }

  bind<P extends TProperties, R extends TSchema>(
    operation: Operation<P, R>,
    handler: Handler<P, R>,
  ): this {
    this.#handlers.set(operation.id, handler as unknown as AnyHandler);
    return this;
  }

  bindStream<P extends TProperties, R extends TSchema>(
    operation: Operation<P, R>,
    open: StreamOpener<P>,
  ): this {
    this.#openers.set(operation.id, open as unknown as AnyOpener);
    return this;
  }

  bindSource<P extends TProperties, R extends TSchema>(
    operation: Operation<P, R>,
    source: StreamSource<P, R>,
  ): this {
    const handler = (call: Call<Operation<P>>): Promise<void> => {
      const { signal, report } = call.caller;
      if (!signal || !report) throw notCarriedOut(operation);
      return source(call, signal, report);
    };
    this.#handlers.set(operation.id, handler as unknown as AnyHandler);
    return this;
  }

  /** Binds the sink of a stream that another thread produces. */
  bindSink<P extends TProperties, R extends TSchema>(
    operation: Operation<P, R>,
    sinkOf: SinkMaker<P, R>,
  ): this {
    this.#sinks.set(operation.id, sinkOf as unknown as AnySinkMaker);
    return this;
  }

  bindPreparation<P extends TProperties>(operation: Operation<P>, prepare: Preparation<P>): this {
    this.#preparations.set(operation.id, prepare as unknown as AnyPreparation);
    return this;
  }

  forwardTo(place: Thread, forward: Forward): this {
    this.#forwards.set(place, forward);
    return this;
  }

  isStream(id: string): boolean {
    return this.#openers.has(id) || this.#sinks.has(id);
  }

  /** Checks and runs a call. The result can be a `JsonText` or a `SlicedJson`. */
  async invoke(id: string, input: unknown, caller: Caller): Promise<unknown> {
    const operation = this.#find(id);
    try {
      checkArguments(operation, input, caller.face);
      return await this.#carryOut(operation, input, caller);
    } catch (thrown) {
      throw operation.kept ? withKeptArguments(operation.kept, input, thrown) : thrown;
    }
  }

  async execute(id: string, input: object, caller: Caller): Promise<unknown> {
    const operation = this.#find(id);
    const handler = this.#handlers.get(id);
    if (!handler) throw notCarriedOut(operation);
    try {
      return await handler(callOf(operation, input, caller));
    } catch (thrown) {
      throw caller.signal ? withCancelReason(thrown, caller.signal) : thrown;
    }
  }

  async #carryOut(operation: Operation, input: object, caller: Caller): Promise<unknown> {
    const handler = this.#handlers.get(operation.id);
    if (handler) return handler(callOf(operation, input, caller));
    const forward = this.#forwards.get(operation.execution.place);
    // A stream cannot be forwarded like a call.
    if (!forward || operation.execution.streaming) throw notCarriedOut(operation);
    const prepared = await this.#prepared(operation, input, caller);
    if (!(prepared instanceof PreparedCall)) return forward(operation, prepared, caller);
    const sent = forward(operation, prepared.input, caller).catch((thrown) => {
      throw prepared.refused(thrown);
    });
    return prepared.complete(await sent);
  }

  async #prepared(operation: Operation, input: object, caller: Caller): Promise<object> {
    if (!operation.prepared) return input;
    const prepare = this.#preparations.get(operation.id);
    if (!prepare) throw notCarriedOut(operation);
    return prepare(input, caller);
  }

  /**
   * Opens a stream. If the call is refused here, it rejects and leaves the reply untouched. An
   * error of the producing thread ends the stream.
   */
  async openStream(
    id: string,
    input: unknown,
    caller: Caller,
    reply: StreamReply,
  ): Promise<OpenStream> {
    const operation = this.#find(id);
    checkArguments(operation, input, caller.face);
    const open = this.#openers.get(id);
    const call = callOf(operation, input, caller);
    if (open) return open(call, reply);
    const sinkOf = this.#sinks.get(id);
    const forward = this.#forwards.get(operation.execution.place);
    if (sinkOf && forward) {
      return this.#forwarded.open(sinkOf(call, reply), reply, (signal, report) =>
        forward(operation, input, { ...caller, signal, report }),
      );
    }
    throw new BusbarError('operation_not_found', {
      message: `${id} is not a stream of the daemon`,
      details: { operation_id: id },
    });
  }

  endForwardedStreams(): void {
    this.#forwarded.endAll();
  }

  #find(id: string): Operation {
    const operation = this.#operations.get(id);
    if (operation) return operation;
    throw new BusbarError('operation_not_found', {
      message: `Unknown operation: ${id}`,
      details: { operation_id: id },
    });
  }
}
