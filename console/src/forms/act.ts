import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';

export interface Act {
  readonly error: ReadonlySignal<ApiError | null>;
  readonly isBusy: ReadonlySignal<boolean>;
  run(): Promise<void>;
}

/** Something that a button does without any fields; a refusal stays in sight until the next try. */
export const act = (work: () => Promise<unknown>): Act => {
  const error = signal<ApiError | null>(null);
  const isBusy = signal(false);
  const run = async (): Promise<void> => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      await work();
      error.value = null;
    } catch (thrown) {
      error.value = thrown as ApiError;
    } finally {
      isBusy.value = false;
    }
  };
  return { error, isBusy, run };
};
