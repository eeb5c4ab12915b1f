import { CyclicTask } from './cyclic-task.ts';
import { Ecu, type EcuOptions } from './ecu.ts';
import { bytesOf, jsonOf, send, textOf } from './http.ts';
import { type BinaryFrame, type Gap, gapOf, type StateEvent } from './items.ts';
import { type OperationId, requestOf } from './operation-request.ts';
import type { MessageEvent, Operations, SendResult, SignalSample } from './schema.ts';
import { type SignalValues, signalTexts } from './signal-values.ts';
import { openEvents, openFrames, type Position, type WebSocketConstructor } from './sources.ts';
import { Stream, type StreamOptions } from './stream.ts';

type Input<Id extends OperationId> = Operations[Id]['input'];
type Streaming = 'message.stream' | 'signal.stream' | 'gateway.stream' | 'modbus.stream';
/** Parameters of an operation; optional if it requires none. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

export interface CallOptions {
  /** Time limit of the request, instead of the limit of the bench. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface BenchOptions {
  /** Token of the service, if it needs one. */
  readonly token?: string;
  /** Time limit of a request; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** WebSocket class for binary frames. Required on Node 20, which has none. */
  readonly WebSocket?: WebSocketConstructor;
}

/** JSON or bytes if the response has that type, else text. */
const answerOf = (response: Response): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return jsonOf(response);
  return type === 'application/octet-stream' ? bytesOf(response) : textOf(response);
};

/** Connection to the bench of a Busbar service. */
export class Bench {
  readonly url: string;
  readonly #token: string | null;
  readonly #timeoutMs: number;
  readonly #WebSocket: WebSocketConstructor | undefined;

  constructor(url: string, options: BenchOptions = {}) {
    this.url = new URL(url).href.replace(/\/$/, '');
    this.#token = options.token ?? null;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#WebSocket =
      options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  }

  /** Executes an operation, such as `bench.call('channel.open', { channel: 'SIM00001/0' })`. */
  async call<Id extends OperationId>(
    id: Id,
    ...[input, options]: Arguments<Id>
  ): Promise<Operations[Id]['answer']> {
    const { target, ...request } = requestOf(id, input ?? {});
    const { timeoutMs = this.#timeoutMs, signal } = options ?? {};
    const parts = { ...request, token: this.#token, timeoutMs, signal };
    return (await send(this.url + target, parts, answerOf)) as Operations[Id]['answer'];
  }

  /** Sends a message of an attached database by name: `send('tester', 'Engine', { Speed: 780 })`. */
  send(
    channel: string,
    message: string,
    signals: SignalValues = {},
    fields: Omit<Input<'message.send'>, 'channel' | 'message' | 'signals'> = {},
  ): Promise<SendResult> {
    return this.call('message.send', {
      ...fields,
      channel,
      message,
      signals: signalTexts(signals),
    });
  }

  /** Sends a message cyclically, by default with the cycle time of the database. */
  async cyclic(
    channel: string,
    message: string,
    signals: SignalValues = {},
    fields: Omit<Input<'tx-task.add'>, 'channel' | 'message' | 'signals'> = {},
  ): Promise<CyclicTask> {
    const values = signalTexts(signals);
    const record = await this.call('tx-task.add', { ...fields, channel, message, signals: values });
    const set = (changes: Input<'tx-task.set'>) => this.call('tx-task.set', changes);
    const remove = (taskId: string) => this.call('tx-task.remove', { task_id: taskId });
    return new CyclicTask({ set, remove }, record);
  }

  /** An ECU of the bench file, or of a link that `isotp.open` opened. */
  ecu(name: string, options: EcuOptions = {}): Ecu {
    return new Ecu(this, name, options);
  }

  /** Frames as server-sent events, starting now or after `after`. */
  frames(
    input: Input<'message.stream'> = {},
    options: StreamOptions = {},
  ): Promise<Stream<MessageEvent>> {
    const position = { after: input.after ?? null };
    return Stream.open(
      () => this.#events('message.stream', input, position, (_, data: MessageEvent) => data),
      this.#placeOf(position, 'instance_id', () => this.#newestEventId()),
      options,
    );
  }

  /**
   * Frames over WebSocket, with less work per frame. They contain the slot instead of the port.
   */
  binaryFrames(
    input: Input<'message.ws'> = {},
    options: StreamOptions = {},
  ): Promise<Stream<BinaryFrame>> {
    const position = { after: input.after ?? null };
    return Stream.open(
      () => this.#binary(input, position),
      this.#placeOf(position, 'instance_id', () => this.#newestEventId()),
      options,
    );
  }

  /** Samples of existing signal plans. */
  samples(
    input: Input<'signal.stream'> = {},
    options: StreamOptions = {},
  ): Promise<Stream<SignalSample>> {
    const position = { after: input.after ?? null };
    return Stream.open(
      () => this.#events('signal.stream', input, position, (_, data: SignalSample) => data),
      this.#placeOf(position, 'stream_epoch', async () => null),
      options,
    );
  }

  /**
   * Signals and status of a gateway instance as they change. The stream ends when the instance
   * is unloaded.
   */
  instanceEvents(
    input: Input<'gateway.stream'>,
    options: StreamOptions = {},
  ): Promise<Stream<StateEvent>> {
    return this.#states('gateway.stream', input, options);
  }

  /** Modbus sessions and servers once a second, and registers of a server when they change. */
  modbusEvents(
    input: Input<'modbus.stream'> = {},
    options: StreamOptions = {},
  ): Promise<Stream<StateEvent>> {
    return this.#states('modbus.stream', input, options);
  }

  /** Bus load of the open channels, once a second. */
  traffic(options: StreamOptions = {}): Promise<Stream<StateEvent>> {
    return this.#states('channel.traffic-stream', {}, options);
  }

  #states(
    id: Streaming | 'channel.traffic-stream',
    input: object,
    options: StreamOptions,
  ): Promise<Stream<StateEvent>> {
    const decode = (event: string, data: StateEvent['data']): StateEvent => ({ event, data });
    return Stream.open(() => this.#events(id, input, null, decode), null, options);
  }

  #events<Item, Data>(
    id: Streaming | 'channel.traffic-stream',
    input: object,
    position: Position | null,
    decode: (name: string, data: Data) => Item,
  ) {
    const more = position?.after === null || position === null ? {} : { after: position.after };
    const { target } = requestOf(id, { ...input, ...more });
    return openEvents(this.url + target, this.#token, position, decode, this.#timeoutMs);
  }

  async #binary(input: Input<'message.ws'>, position: Position) {
    if (this.#WebSocket === undefined) {
      throw new TypeError('There is no WebSocket here: give one to the bench, as that of ws');
    }
    const { target } = requestOf('message.ws', { ...input, after: position.after ?? undefined });
    const url = this.url.replace(/^http/, 'ws') + target;
    try {
      return await openFrames(this.#WebSocket, url, this.#token, position, this.#timeoutMs);
    } catch (error) {
      // A refused WebSocket has no error code. The same request over HTTP returns it.
      const { after: _, ...same } = input;
      await this.call('message.history', { ...same, limit: 1 });
      throw error;
    }
  }

  async #newestEventId(): Promise<number> {
    return (await this.call('message.history', { limit: 1 })).newest_available;
  }

  /** The start position is fixed before the stream opens, so that it can resume there. */
  #placeOf(
    position: Position,
    identity: 'instance_id' | 'stream_epoch',
    newest: () => Promise<number | null>,
  ): () => Promise<Gap | null> {
    let known: unknown = null;
    return async () => {
      const before = known;
      known = (await this.call('info')).service[identity];
      if (before === null) {
        position.after ??= await newest();
        return null;
      }
      if (before === known) return position.after === null ? gapOf('reconnected') : null;
      position.after = 0;
      return gapOf('restarted');
    };
  }
}
