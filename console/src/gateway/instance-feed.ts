import { signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { isLetIn, keepConnected, type StreamState } from '../streams/keep-connected.ts';
import { askStreams } from '../streams/stream-client.ts';
import type { WatchPiece } from '../streams/watched-state.ts';

interface InstanceFeedOptions {
  readonly instance: string;
  readonly onPiece: (piece: WatchPiece) => void;
}

/** Follows one gateway instance and connects again after every break; all tabs share the connection. */
export class InstanceFeed {
  readonly #options: InstanceFeedOptions;
  readonly #state = signal<StreamState>('stopped');
  readonly #error = signal<ApiError | null>(null);
  #run: AbortController | null = null;

  constructor(options: InstanceFeedOptions) {
    this.#options = options;
  }

  get state(): StreamState {
    return this.#state.value;
  }

  /** Why nothing comes. */
  get error(): ApiError | null {
    return this.#error.value;
  }

  /** Starts unless it runs already. */
  start(): void {
    if (this.#run && isLetIn(this.#state.peek())) return;
    this.stop();
    this.#run = new AbortController();
    const stopped = this.#run.signal;
    this.#become('connecting', null);
    void keepConnected({
      stopped,
      connect: (onLive) => this.#read(stopped, onLive),
      become: (state, error) => this.#become(state, error),
    });
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#become('stopped', null);
  }

  #become(state: StreamState, error: ApiError | null): void {
    this.#state.value = state;
    this.#error.value = error;
  }

  async #read(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null> {
    const done = new AbortController();
    const token = rememberedToken.get();
    const { instance, onPiece } = this.#options;
    const request = { type: 'watch', token, instance } as const;
    try {
      for await (const answer of askStreams(request, AbortSignal.any([stopped, done.signal]))) {
        if (stopped.aborted) return null;
        if (answer.type === 'open') onLive();
        else if (answer.type === 'watched') onPiece(answer);
      }
      return null;
    } catch (thrown) {
      return thrown as ApiError;
    } finally {
      done.abort();
    }
  }
}
