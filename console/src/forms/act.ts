import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';

export interface Act<Given extends unknown[] = [], Result = unknown> {
  readonly error: ReadonlySignal<ApiError | null>;
  readonly isBusy: ReadonlySignal<boolean>;
  run(...given: Given): Promise<Result | undefined>;
}

/** Wraps the action of a button; its error stays visible until the next attempt. */
export const act = <Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): Act<Given, Result> => {
  const error = signal<ApiError | null>(null);
  const isBusy = signal(false);
  const run = async (...given: Given): Promise<Result | undefined> => {
    if (isBusy.peek()) return undefined;
    isBusy.value = true;
    try {
      const result = await work(...given);
      error.value = null;
      return result;
    } catch (thrown) {
      error.value = thrown as ApiError;
      return undefined;
    } finally {
      isBusy.value = false;
    }
  };
  return { error, isBusy, run };
};
