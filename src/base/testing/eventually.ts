import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits for something to become true by asking again; the test's own time limit ends it. */
export const eventually = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await nextTurn();
};
