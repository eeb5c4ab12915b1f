import { EventParser } from '../../../clients/typescript/src/event-parser.ts';
import type { ApiError } from '../api/api-error.ts';
import { Reconnecting, type StreamState } from './keep-connected.ts';
import type { Piece } from './shared-stream.ts';

interface EventStreamOptions {
  /**
   * Opens the stream after an event, or live for null. Returns null if it was closed first.
   * Throws only ApiError.
   */
  readonly open: (
    after: number | null,
    stopped: AbortSignal,
  ) => Promise<AsyncIterable<Piece> | null>;
  readonly onEvent: (event: StreamEvent) => void;
  /** Awaited before every connection; an ApiError counts as a lost connection. */
  readonly prepare?: () => Promise<void>;
  readonly onState: (state: StreamState, error: ApiError | null) => void;
}

export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  readonly id: string | null;
  readonly isFirst: boolean;
}

/**
 * Follows one SSE stream and resumes after the last event. Does not use Preact signals, which
 * workers need not load.
 */
export class EventStream extends Reconnecting {
  readonly #options: EventStreamOptions;
  /** ID of the last event delivered, or of a later one that was skipped. */
  lastId: number | null = null;

  constructor(options: EventStreamOptions) {
    super();
    this.#options = options;
  }

  /** Resumes live at the next connection: earlier IDs are no longer valid. */
  forget(): void {
    this.lastId = null;
  }

  protected become(state: StreamState, error: ApiError | null): void {
    this.#options.onState(state, error);
  }

  protected async connect(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null> {
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
          // The remaining events are fetched again when the stream continues.
          if (stopped.aborted) break;
          if (name !== null) this.#options.onEvent({ type: name, data, id: lastId, isFirst });
          isFirst = false;
          if (lastId !== null) this.lastId = Number(lastId);
        }
        if (!stopped.aborted) this.lastId = piece.position;
      }
      return null;
    } finally {
      done.abort();
    }
  }
}
