import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { isServed } from './connection.ts';

export interface Resource<T> {
  /** The last good answer; it stays while newer ones cannot be had. */
  readonly data: ReadonlySignal<T | null>;
  /** Why there is no newer one. */
  readonly error: ReadonlySignal<ApiError | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  /** When the last good answer came. */
  readonly updatedAt: ReadonlySignal<Date | null>;
  /** Asks from now on: an answer under way may be older than what the caller knows, so it asks behind it. */
  refresh(): Promise<void>;
  /** Asks over and over while a part of the page uses it and the page is in sight. Answers how to stop. */
  use(pollMs?: number): () => void;
}

/** Something that the service tells on request, kept for every part of the page that shows it. */
export const resource = <T>(load: () => Promise<T>): Resource<T> => {
  const data = signal<T | null>(null);
  const error = signal<ApiError | null>(null);
  const isLoading = signal(false);
  const updatedAt = signal<Date | null>(null);
  const periods = new Map<symbol, number>();
  let underWay: Promise<void> | null = null;
  let behind: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async (): Promise<void> => {
    isLoading.value = true;
    try {
      data.value = await load();
      error.value = null;
      updatedAt.value = new Date();
    } catch (thrown) {
      error.value = thrown as ApiError;
    } finally {
      isLoading.value = false;
    }
  };
  /** Any answer is good enough, also one that was asked for before. */
  const join = (): Promise<void> => {
    underWay ??= ask().finally(() => {
      underWay = null;
      again();
    });
    return underWay;
  };
  const refresh = (): Promise<void> => {
    if (!underWay) return join();
    behind ??= underWay.then(() => {
      behind = null;
      return join();
    });
    return behind;
  };
  const again = (): void => {
    clearTimeout(timer);
    const pollMs = Math.min(...periods.values());
    if (Number.isFinite(pollMs)) timer = setTimeout(poll, pollMs);
  };
  const poll = (): void => {
    if (isServed.peek() && document.visibilityState === 'visible') void join();
    else again();
  };
  const use = (pollMs = Number.POSITIVE_INFINITY): (() => void) => {
    const user = Symbol('user');
    periods.set(user, pollMs);
    const stop = isServed.subscribe((served) => {
      if (served) void join();
    });
    return () => {
      stop();
      periods.delete(user);
      if (periods.size === 0) clearTimeout(timer);
    };
  };
  return { data, error, isLoading, updatedAt, refresh, use };
};
