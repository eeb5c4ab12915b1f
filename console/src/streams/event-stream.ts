import { ApiError } from '../api/api-error.ts';
import { openText } from '../api/client.ts';
import { keepConnected, type StreamState } from './keep-connected.ts';
import { SseParser } from './sse-parser.ts';

const answerMs = 5000;
/** The service gives a sign of life every 15 s; after two that did not come, the line is dead. */
const silenceMs = 40_000;

interface EventStreamOptions {
  /** Asked for every connection, so that the choice of what to follow may change between them. */
  readonly path: () => string;
  /** Called while `lastId` is still that of the event before. */
  readonly onEvent: (type: string, data: string, id: string | null) => void;
  /** Awaited before every connection; an ApiError that it throws counts as a break. */
  readonly prepare?: () => Promise<void>;
  /** Told whenever the state is another, or the error that goes with it. */
  readonly onState: (state: StreamState, error: ApiError | null) => void;
}

/**
 * Follows one stream of server-sent events and goes on behind the last event after any break. It
 * knows of no signals: a worker would have to load all that they come with.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #run: AbortController | null = null;
  /** Id of the last event that the listener has had. */
  lastId: string | null = null;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  start(): void {
    this.#run?.abort();
    this.#run = new AbortController();
    this.#options.onState('connecting', null);
    const stopped = this.#run.signal;
    void keepConnected({
      stopped,
      connect: (onLive) => this.#read(stopped, onLive),
      become: (state, error) => this.#options.onState(state, error),
    });
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#options.onState('stopped', null);
  }

  /** Goes on live at the next connection: the ids so far mean nothing any more. */
  forget(): void {
    this.lastId = null;
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
