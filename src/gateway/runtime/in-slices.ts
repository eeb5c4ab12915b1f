import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';

/** How long work goes on in one turn of the bench thread. */
const sliceUs = 200;

/** Does work of many small steps, a little in each turn: others have deadlines. */
export const inSlices = async (
  steps: Iterable<void>,
  clock: Pick<Clock, 'monotonicUs'>,
  turns: Pick<LoopTurns, 'next'>,
): Promise<void> => {
  let endUs = clock.monotonicUs() + sliceUs;
  for (const _ of steps) {
    if (clock.monotonicUs() < endUs) continue;
    await turns.next();
    endUs = clock.monotonicUs() + sliceUs;
  }
};
