import type { Clock } from '../../base/clock/clock.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';

const sliceUs = 200;

/** Runs work in time slices, so that other deadlines are met. */
export const inSlices = async (
  steps: Iterable<void>,
  clock: Pick<Clock, 'monotonicUs'>,
  turns: Pick<YieldQueue, 'next'>,
): Promise<void> => {
  let endUs = clock.monotonicUs() + sliceUs;
  for (const _ of steps) {
    if (clock.monotonicUs() < endUs) continue;
    await turns.next();
    endUs = clock.monotonicUs() + sliceUs;
  }
};
