import { it } from 'vitest';

/** Whether this is `npm run test:long`, which runs every test file that imports this one. */
export const isLong = process.env.BUSBAR_TEST_LONG === '1';

/** A few cases in `npm test`, all of them in `npm run test:long`. */
export const cases = (few: number, all: number): number => (isLong ? all : few);

/** A test that `npm test` has no time for. */
export const itLong = it.runIf(isLong);

/** A test that `npm test` runs, and `npm run test:long` does not repeat. */
export const itOnce = it.skipIf(isLong);
