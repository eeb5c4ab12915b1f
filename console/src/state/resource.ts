import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { answeredAt, isServed } from './connection.ts';

/** A part of the console that is told what an operation answers, whenever that is another. */
interface Follower {
  readonly operation: string;
  take(answer: unknown): void;
  /** Nothing newer can be had, for that reason. */
  fail(error: ApiError): void;
}

const all = signal<readonly Follower[]>([]);

/** Those that want to be told now. */
export const followers = all;

/** Answers how to stop. */
export const follow = (follower: Follower): (() => void) => {
  all.value = [...all.peek(), follower];
  return () => {
    all.value = all.peek().filter((each) => each !== follower);
  };
};

/** How long what was streamed before may be under way. */
const settleMs = 300;
/** How long after a failure the next question waits. */
const retryMs = 2000;
/** How long the first answer of a stream is awaited, which tells all at once when it is opened. */
const firstMs = 1000;

export interface Resource<T> {
  /** The last good answer; it stays while newer ones cannot be had. */
  readonly data: ReadonlySignal<T | null>;
  /** Why there is no newer one. */
  readonly error: ReadonlySignal<ApiError | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  /** Until when it is known to be true: when the last good answer came, or a stream in order was last alive. */
  readonly updatedAt: ReadonlySignal<Date | null>;
  /** Asks from now on: an answer under way may be older than what the caller knows, so it asks behind it. */
  refresh(): Promise<void>;
  /** Asks when the service is there, and is told what is new while it is followed. Answers how to stop. */
  use(isFollowed?: boolean): () => void;
}

/**
 * Something that the service tells on request, kept for every part of the page that shows it. It can be
 * followed where it is the answer of an operation that the service streams. An answer of which `isWhole`
 * says no is only a sign to ask.
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
  /** Whether the question under way is about something that the caller has changed. */
  let isForNews = false;
  /** What was streamed, and taken, so far. */
  let received = 0;
  let users = 0;
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
      // What was streamed meanwhile is an answer too, and the stream corrects it where it is older.
      if (received !== before) return;
      take(answer);
      if (isForNews) answeredMs = performance.now();
    } catch (thrown) {
      if (received !== before) return;
      const reason = thrown as ApiError;
      // A service that was too busy to answer in time is asked again; while it is away, its return is awaited.
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
  /** Any answer is good enough, also one that was asked for before. */
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
    // It may be older than an answer that comes, or has just come, to a question of our own.
    const isAwaited = behind !== null || (underWay !== null && isForNews);
    const isDoubtful = isAwaited || performance.now() - answeredMs < settleMs;
    if (isDoubtful || !isWhole(answer)) void refresh();
    else {
      received += 1;
      take(answer);
    }
  };
  const miss = (reason: ApiError): void => {
    fail(reason);
    // What is known must not grow old unnoticed while the stream is refused.
    clearTimeout(retry);
    if (data.peek() === null) askAgain();
    else retry = setTimeout(askAgain, retryMs);
  };
  /** A stream tells what changes: what was not told until the service went is as it was. */
  const vouch = (): void => {
    const aliveAt = answeredAt.peek();
    const reportedAt = updatedAt.peek();
    if (error.peek() === null && aliveAt && reportedAt && aliveAt > reportedAt)
      updatedAt.value = aliveAt;
  };
  const use = (isFollowed = false): (() => void) => {
    users += 1;
    const followed = isFollowed ? operation : null;
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
      stop();
      leave();
    };
  };
  return { data, error, isLoading, updatedAt, refresh, use };
};
