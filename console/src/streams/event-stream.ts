import { EventParser } from '../../../clients/typescript/src/event-parser.ts';
import { ApiError } from '../api/api-error.ts';
import { keepConnected, type StreamState } from './keep-connected.ts';
import type { Piece } from './shared-stream.ts';

interface EventStreamOptions {
  /**
   * Opens the stream behind an event, or live for null, until it is stopped. Answers null if it was
   * closed before it came to that, and throws ApiErrors only, as the pieces do.
   */
  readonly open: (
    after: number | null,
    stopped: AbortSignal,
  ) => Promise<AsyncIterable<Piece> | null>;
  /** Called while `lastId` is still that of the event before. */
  readonly onEvent: (event: StreamEvent) => void;
  /** Awaited before every connection; an ApiError that it throws counts as a break. */
  readonly prepare?: () => Promise<void>;
  /** Told whenever the state is another, or the error that goes with it. */
  readonly onState: (state: StreamState, error: ApiError | null) => void;
}

export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  readonly id: string | null;
  /** Whether nothing came before it on its connection. */
  readonly isFirst: boolean;
}

/**
 * Follows one stream of server-sent events and goes on behind the last event after any break. It
 * knows of no signals: a worker would have to load all that they come with.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #run: AbortController | null = null;
  /** Id of the last event that the listener has had, or of one since that was of no concern. */
  lastId: number | null = null;

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

  async #read(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null> {
    const done = new AbortController();
    const parser = new EventParser();
    try {
      await this.#options.prepare?.();
      if (stopped.aborted) return null;
      const pieces = await this.#options.open(this.lastId, AbortSignal.any([stopped, done.signal]));
      if (stopped.aborted || !pieces) return null;
      onLive();
      for await (const piece of pieces) {
        if (stopped.aborted) return null;
        let { isFirst } = piece;
        for (const { name, data, lastId } of parser.feed(piece.text)) {
          // The rest of a stopped stream is fetched again when it continues.
          if (stopped.aborted) break;
          if (name !== null) this.#options.onEvent({ type: name, data, id: lastId, isFirst });
          isFirst = false;
          if (lastId !== null) this.lastId = Number(lastId);
        }
        if (!stopped.aborted) this.lastId = piece.position;
      }
      return null;
    } catch (thrown) {
      if (thrown instanceof ApiError) return thrown;
      throw thrown;
    } finally {
      done.abort();
    }
  }
}
