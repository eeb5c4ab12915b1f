import type { ApiError } from '../api/api-error.ts';

const retryMs = 2000;

interface Asked<T> {
  readonly take: (answer: T) => void;
  readonly fail: (reason: ApiError) => void;
}

/** Retries until an answer or a final error. Returns a function to stop. */
export const retryUntilAnswered = <T>(
  load: () => Promise<T>,
  { take, fail }: Asked<T>,
): (() => void) => {
  let isWanted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    try {
      const answer = await load();
      if (isWanted) take(answer);
    } catch (thrown) {
      if (!isWanted) return;
      const reason = thrown as ApiError;
      reason.isRetried = !reason.isFinal;
      if (reason.isRetried) timer = setTimeout(ask, retryMs);
      fail(reason);
    }
  };
  void ask();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
};
