import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { EventStream } from '../streams/event-stream.ts';
import type { StreamState } from '../streams/keep-connected.ts';
import { openReport } from '../streams/stream-client.ts';

export class LiveReport {
  readonly #stream: EventStream;
  readonly #state = signal<StreamState>('stopped');
  readonly #error = signal<ApiError | null>(null);
  readonly #updatedAt = signal<Date | null>(null);
  #path: string | null = null;

  constructor(onEvent: (type: string, data: unknown) => void) {
    this.#stream = new EventStream({
      open: (_after, stopped) =>
        openReport({ token: rememberedToken.get(), path: this.#path ?? '' }, stopped),
      onEvent: ({ type, data }) => {
        this.#updatedAt.value = new Date();
        onEvent(type, JSON.parse(data));
      },
      onState: (state, error) => {
        this.#state.value = state;
        this.#error.value = error;
      },
    });
  }

  get state(): ReadonlySignal<StreamState> {
    return this.#state;
  }

  get error(): ReadonlySignal<ApiError | null> {
    return this.#error;
  }

  get updatedAt(): ReadonlySignal<Date | null> {
    return this.#updatedAt;
  }

  follow(path: string | null): void {
    if (path === this.#path && path !== null && this.#state.peek() !== 'token') return;
    this.#path = path;
    if (path === null) this.#stream.stop();
    else this.#stream.start();
  }
}
