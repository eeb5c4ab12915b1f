import type { ApiError } from '../api/api-error.ts';

/**
 * - `stopped`: not wanted, as at the beginning
 * - `connecting`, `live`
 * - `reconnecting`: broken, for the reason in the error unless the service closed it in good order
 * - `token`, `ended`: refused, for the reason in the error; only `start` tries again
 */
export type StreamState = 'stopped' | 'connecting' | 'live' | 'reconnecting' | 'token' | 'ended';

/** Whether a stream has, or will have, a connection that was let in by the token of then. */
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
  /** One connection, to its end. Answers why it broke; null if the service closed it. */
  readonly connect: (onLive: () => void) => Promise<ApiError | null>;
  readonly become: (state: StreamState, error: ApiError | null) => void;
}

/** Connects again after every break, until it is stopped or refused for good. */
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
