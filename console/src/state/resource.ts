import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { answeredAt, isServed } from './connection.ts';

interface Follower {
  readonly operation: string;
  take(answer: unknown): void;
  fail(error: ApiError): void;
}

const all = signal<readonly Follower[]>([]);

export const followers = all;

export const follow = (follower: Follower): (() => void) => {
  all.value = [...all.peek(), follower];
  return () => {
    all.value = all.peek().filter((each) => each !== follower);
  };
};

/** Earlier stream events can be in flight for this time. */
const settleMs = 300;
const retryMs = 2000;
/** Timeout for the first answer of a stream, which sends its full state when it opens. */
const firstMs = 1000;
/** The service checks once a second whether a streamed answer has changed. */
const checkedMs = 1500;

export interface Resource<T> {
  /** Last good answer; kept while newer ones are unavailable. */
  readonly data: ReadonlySignal<T | null>;
  readonly error: ReadonlySignal<ApiError | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  /**
   * Time up to which the data is known to be valid: the last good answer, or the last sign of a
   * healthy stream.
   */
  readonly updatedAt: ReadonlySignal<Date | null>;
  /**
   * Requests a new answer. A pending one can be older than the caller's change, so another
   * follows it.
   */
  refresh(): Promise<void>;
  /**
   * Loads the data when the service is available; a followed resource also receives changes.
   * Returns a function to stop.
   */
  use(isFollowed?: boolean): () => void;
}

/**
 * Data of the service, shared by all components that show it. It can be followed if the service
 * streams the operation. An answer rejected by `isWhole` only triggers a request.
 */
export const resource = <T>(
  load: () => Promise<T>,
  operation: string | null = null,
  isWhole: (answer: T) => boolean = () => true,
): Resource<T> => {
  const data = signal<T | null>(null);
  const error = signal<ApiError | null>(null);
  const isLoading = signal(false);
  const updatedAt = signal<Date | null>(null);
  let underWay: Promise<void> | null = null;
  let behind: Promise<void> | null = null;
  let answeredMs = Number.NEGATIVE_INFINITY;
  /** The pending request follows a change by the caller. */
  let isForNews = false;
  let received = 0;
  /** What the stream sent last. It sends nothing if the service returns to that state. */
  let streamed: T | null = null;
  let users = 0;
  let following = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const take = (answer: T): void => {
    clearTimeout(retry);
    data.value = answer;
    error.value = null;
    updatedAt.value = new Date();
  };
  const fail = (reason: ApiError): void => {
    error.value = reason;
  };
  const ask = async (): Promise<void> => {
    isLoading.value = true;
    const before = received;
    try {
      const answer = await load();
      // A streamed answer in the meantime is newer, or the stream will correct it.
      if (received !== before) return;
      take(answer);
      if (isForNews) answeredMs = performance.now();
      const isStreamDue = streamed !== null && JSON.stringify(streamed) !== JSON.stringify(answer);
      if (isStreamDue) retry = setTimeout(askAgain, checkedMs);
    } catch (thrown) {
      if (received !== before) return;
      const reason = thrown as ApiError;
      // Retried if the service was too busy; while it is unreachable, its return is awaited.
      reason.isRetried = users > 0 && !reason.isFinal;
      if (reason.isRetried) retry = setTimeout(askAgain, retryMs);
      fail(reason);
    } finally {
      isLoading.value = false;
    }
  };
  const askAgain = (): void => {
    if (users > 0 && isServed.peek()) void join();
  };
  const join = (forNews = false): Promise<void> => {
    clearTimeout(retry);
    if (!underWay) isForNews = forNews;
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const refresh = (): Promise<void> => {
    if (!underWay) return join(true);
    behind ??= underWay.then(() => {
      behind = null;
      return join(true);
    });
    return behind;
  };
  const hear = (reported: unknown): void => {
    const answer = reported as T;
    streamed = isWhole(answer) ? answer : null;
    // The streamed answer can be older than one requested by the caller.
    const isAwaited = behind !== null || (underWay !== null && isForNews);
    const isDoubtful = isAwaited || performance.now() - answeredMs < settleMs;
    if (isDoubtful || streamed === null) void refresh();
    else {
      received += 1;
      take(answer);
    }
  };
  const miss = (reason: ApiError): void => {
    streamed = null;
    fail(reason);
    // Polls while the stream is rejected, so that the data does not become stale unnoticed.
    clearTimeout(retry);
    if (data.peek() === null) askAgain();
    else retry = setTimeout(askAgain, retryMs);
  };
  /** A stream reports changes: without any, the data was valid until the service was lost. */
  const vouch = (): void => {
    const aliveAt = answeredAt.peek();
    const reportedAt = updatedAt.peek();
    if (error.peek() === null && aliveAt && reportedAt && aliveAt > reportedAt)
      updatedAt.value = aliveAt;
  };
  const use = (isFollowed = false): (() => void) => {
    users += 1;
    const followed = isFollowed ? operation : null;
    if (followed !== null) following += 1;
    const receivedBefore = received;
    const stop = isServed.subscribe((served) => {
      if (!served) {
        if (followed !== null && received !== receivedBefore) vouch();
        return;
      }
      if (followed === null) void join();
      else {
        clearTimeout(retry);
        retry = setTimeout(askAgain, firstMs);
      }
    });
    const leave =
      followed === null ? () => {} : follow({ operation: followed, take: hear, fail: miss });
    return () => {
      users -= 1;
      if (followed !== null) following -= 1;
      if (following === 0) streamed = null;
      stop();
      leave();
    };
  };
  return { data, error, isLoading, updatedAt, refresh, use };
};
