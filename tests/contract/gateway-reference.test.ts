import { describe, expect, it } from 'vitest';
import { findDifference } from '../reference/gateway/find-difference.ts';
import { runEngine } from './support/run-engine.ts';

/** More than the suite has time for: BUSBAR_SEEDS=0-10000. */
const [first = 0, last = 0] = (process.env.BUSBAR_SEEDS ?? '0-1000').split('-').map(Number);

describe('the engine and the reference', () => {
  it('do the same with random projects and whatever happens to them', () => {
    const seeds = Array.from({ length: last - first }, (_, index) => first + index);
    expect(findDifference(runEngine, seeds)).toBeNull();
  });
});
