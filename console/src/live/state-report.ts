import { computed, effect } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import { type ErrorEnvelope, type Input, pathOf } from '../api/client.ts';
import { isServed } from '../state/connection.ts';
import { followers } from '../state/resource.ts';
import { LiveReport } from './live-report.ts';
import { isTabShown } from './use-live.ts';

const deliver = (operation: string, answer: unknown): void => {
  const { error } = answer as Pick<Partial<ErrorEnvelope>, 'error'>;
  for (const follower of followers.peek()) {
    if (follower.operation !== operation) continue;
    if (error) follower.fail(new ApiError({ ...error, retryable: false }));
    else follower.take(answer);
  }
};

export const stateReport = new LiveReport(deliver);

const path = computed(() => {
  const include = [...new Set(followers.value.map(({ operation }) => operation))].sort();
  const isWanted = include.length > 0 && isTabShown.value && isServed.value;
  return isWanted ? pathOf('state.stream', { include } as Input<'state.stream'>) : null;
});

let isDue = false;

/** A page change adds and removes many followers but opens only one new stream. */
export const followState = (): void => {
  effect(() => {
    void path.value;
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      stateReport.follow(path.peek());
    });
  });
  effect(() => {
    const error = stateReport.error.value;
    if (error) for (const follower of followers.peek()) follower.fail(error);
  });
};
