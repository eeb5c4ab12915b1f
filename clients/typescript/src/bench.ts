import { jsonOf, send, textOf } from './http.ts';
import { type BinaryFrame, type Gap, gapOf, type StateEvent } from './items.ts';
import { type OperationId, requestOf } from './operation-request.ts';
import type { MessageEvent, Operations, SignalSample } from './schema.ts';
import { openEvents, openFrames, type Position, type WebSocketConstructor } from './sources.ts';
import { Stream, type StreamOptions } from './stream.ts';

type Input<Id extends OperationId> = Operations[Id]['input'];
type Streaming = 'message.stream' | 'signal.stream' | 'gateway.stream' | 'modbus.stream';
/** What an operation takes: nothing has to be said where nothing is required. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

export interface CallOptions {
  /** How long the request may take, instead of what the bench was made with. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface BenchOptions {
  /** What the service was started with, if anything. */
  readonly token?: string;
  /** How long a request may take; 30 seconds if left out. */
  readonly timeoutMs?: number;
  /** For binary frames where there is none: Node 20 has no WebSocket of its own. */
  readonly WebSocket?: WebSocketConstructor;
}

/** JSON where the response says so, else its text. */
const answerOf = (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.startsWith('application/json')
    ? jsonOf(response)
    : textOf(response);

/** The bench of a Busbar service. */
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

  /** Carries out an operation, such as `bench.call('channel.open', { channel: 'SIM00001/0' })`. */
  async call<Id extends OperationId>(
    id: Id,
    ...[input, options]: Arguments<Id>
  ): Promise<Operations[Id]['answer']> {
    const { target, ...request } = requestOf(id, input ?? {});
    const { timeoutMs = this.#timeoutMs, signal } = options ?? {};
    const parts = { ...request, token: this.#token, timeoutMs, signal };
    return (await send(this.url + target, parts, answerOf)) as Operations[Id]['answer'];
  }

  /** Frames as they come, as server-sent events. They begin where this is called, or behind `after`. */
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

  /** The same over WebSocket, with less work for each frame. It tells the slot, and not the port. */
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

  /** Values of signals as they come, of plans that there are. */
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

  /** Signals and status of a gateway instance as they change. It ends when the instance is unloaded. */
  instanceEvents(
    input: Input<'gateway.stream'>,
    options: StreamOptions = {},
  ): Promise<Stream<StateEvent>> {
    return this.#states('gateway.stream', input, options);
  }

  /** Modbus sessions and servers once a second, and what a server holds when it changes. */
  modbusEvents(
    input: Input<'modbus.stream'> = {},
    options: StreamOptions = {},
  ): Promise<Stream<StateEvent>> {
    return this.#states('modbus.stream', input, options);
  }

  /** How busy the open channels are, once a second. */
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
      // A WebSocket does not tell why it is refused. The same question over HTTP does.
      const { after: _, ...same } = input;
      await this.call('message.history', { ...same, limit: 1 });
      throw error;
    }
  }

  async #newestEventId(): Promise<number> {
    return (await this.call('message.history', { limit: 1 })).newest_available;
  }

  /** Where a stream begins is fixed before it is opened: it could not go on there otherwise. */
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
