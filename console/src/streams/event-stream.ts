import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import { openText } from '../api/client.ts';
import { SseParser } from './sse-parser.ts';

const retryMs = { first: 250, most: 5000 };
const answerMs = 5000;
/** The service gives a sign of life every 15 s; after two that did not come, the line is dead. */
const silenceMs = 40_000;

/**
 * - `stopped`: not wanted, as at the beginning
 * - `connecting`, `live`
 * - `reconnecting`: broken, for the reason in `error` unless the service closed it in good order
 * - `token`, `ended`: refused, for the reason in `error`; only `start` tries again
 */
export type StreamState = 'stopped' | 'connecting' | 'live' | 'reconnecting' | 'token' | 'ended';

interface EventStreamOptions {
  /** Asked for every connection, so that the choice of what to follow may change between them. */
  readonly path: () => string;
  /** Called while `lastId` is still that of the event before. */
  readonly onEvent: (type: string, data: string, id: string | null) => void;
  /** Awaited before every connection; an ApiError that it throws counts as a break. */
  readonly prepare?: () => Promise<void>;
}

const pause = (ms: number, stopped: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

/** Follows one stream of server-sent events and goes on behind the last event after any break. */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #state = signal<StreamState>('stopped');
  readonly #error = signal<ApiError | null>(null);
  #run: AbortController | null = null;
  /** Id of the last event that the listener has had. */
  lastId: string | null = null;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  get state(): ReadonlySignal<StreamState> {
    return this.#state;
  }

  get error(): ReadonlySignal<ApiError | null> {
    return this.#error;
  }

  start(): void {
    this.#run?.abort();
    this.#run = new AbortController();
    this.#become('connecting');
    void this.#follow(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#become('stopped');
  }

  /** Goes on live at the next connection: the ids so far mean nothing any more. */
  forget(): void {
    this.lastId = null;
  }

  #become(state: StreamState, error: ApiError | null = null): void {
    this.#state.value = state;
    this.#error.value = error;
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    let delayMs = retryMs.first;
    const onLive = (): void => {
      delayMs = retryMs.first;
      this.#become('live');
    };
    for (;;) {
      const error = await this.#read(stopped, onLive);
      if (stopped.aborted) return;
      if (error?.isUnauthorized) return this.#become('token', error);
      if (error?.isFinal) return this.#become('ended', error);
      this.#become('reconnecting', error);
      await pause(delayMs, stopped);
      if (stopped.aborted) return;
      delayMs = Math.min(2 * delayMs, retryMs.most);
    }
  }

  /** One connection, to its end. Answers why it broke; null if the service closed it. */
  async #read(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null> {
    const dead = new AbortController();
    const signal = AbortSignal.any([stopped, dead.signal]);
    const giveUp = (): void => dead.abort(new DOMException('', 'TimeoutError'));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const parser = new SseParser((type, data, id) => {
      // What was under way when the stream was stopped is fetched again when it goes on.
      if (stopped.aborted) return;
      this.#options.onEvent(type, data, id);
      if (id !== null) this.lastId = id;
    });
    try {
      await this.#options.prepare?.();
      timer = setTimeout(giveUp, answerMs);
      const headers: Record<string, string> =
        this.lastId === null ? {} : { 'last-event-id': this.lastId };
      const pieces = await openText(this.#options.path(), { headers, signal });
      if (!stopped.aborted) onLive();
      for await (const piece of pieces) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, silenceMs);
        parser.push(piece);
      }
      return null;
    } catch (thrown) {
      if (thrown instanceof ApiError) return thrown;
      throw thrown;
    } finally {
      clearTimeout(timer);
    }
  }
}
