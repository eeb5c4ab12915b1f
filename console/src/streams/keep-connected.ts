import { ApiError } from '../api/api-error.ts';

/**
 * `reconnecting`: lost, or closed by the service; `token`, `ended`: rejected until the next
 * `start`.
 */
export type StreamState = 'stopped' | 'connecting' | 'live' | 'reconnecting' | 'token' | 'ended';

/** True if the state has, or will have, a connection authorized by the current token. */
export const isAdmitted = (state: StreamState): boolean =>
  !['stopped', 'token', 'ended'].includes(state);

const retryMs = { first: 250, max: 5000 };

const pause = (ms: number, stopped: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    stopped.addEventListener('abort', end);
  });

interface Line {
  readonly stopped: AbortSignal;
  /**
   * Runs one connection until it closes. Returns why it was lost; null if the service closed
   * it.
   */
  readonly connect: (onLive: () => void) => Promise<ApiError | null>;
  readonly become: (state: StreamState, error: ApiError | null) => void;
}

export const keepConnected = async ({ stopped, connect, become }: Line): Promise<void> => {
  let delayMs = retryMs.first;
  const onLive = (): void => {
    delayMs = retryMs.first;
    become('live', null);
  };
  for (;;) {
    const error = await connect(onLive);
    if (stopped.aborted) return;
    if (error?.isUnauthorized) return become('token', error);
    if (error?.isFinal) return become('ended', error);
    if (error) error.isRetried = true;
    become('reconnecting', error);
    await pause(delayMs, stopped);
    if (stopped.aborted) return;
    delayMs = Math.min(2 * delayMs, retryMs.max);
  }
};

const errorOf = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown;
  throw thrown;
};

export abstract class Reconnecting {
  #run: AbortController | null = null;

  /** Runs one connection until it closes. Returns, or throws, why it was lost. */
  protected abstract connect(stopped: AbortSignal, onLive: () => void): Promise<ApiError | null>;
  protected abstract become(state: StreamState, error: ApiError | null): void;

  start(): void {
    this.#run?.abort();
    this.#run = new AbortController();
    const stopped = this.#run.signal;
    this.become('connecting', null);
    void keepConnected({
      stopped,
      connect: (onLive) => this.connect(stopped, onLive).catch(errorOf),
      become: (state, error) => this.become(state, error),
    });
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.become('stopped', null);
  }
}
