import { setImmediate as nextTurn } from 'node:timers/promises';

/** Polls a condition until it is true; the test's own time limit ends it. */
export const eventually = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await nextTurn();
};
