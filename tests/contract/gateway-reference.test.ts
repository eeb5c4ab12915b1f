import { describe, expect, it } from 'vitest';
import { cases } from '../../src/base/testing/long.ts';
import { findDifference } from '../reference/gateway/find-difference.ts';
import { randomModbusScript } from '../reference/gateway/random-script.ts';
import { runReference } from '../reference/gateway/reference.ts';
import {
  endpoint,
  frame,
  receiving,
  rounds,
  snapshot,
  start,
} from '../reference/gateway/small-scripts.ts';
import { runEngine, runHotEngine, runWarmingEngine } from './support/run-engine.ts';

/** Set BUSBAR_SEEDS=0-10000 for more seeds than the suite has time for. */
const chosen = process.env.BUSBAR_SEEDS;
const [first = 0, last = 0] = (chosen ?? `0-${cases(60, 1000)}`).split('-').map(Number);
const lastModbus = chosen === undefined ? first + cases(12, 150) : last;

describe('the engine and the reference', () => {
  // Most defects concern parts that were run a few times and then get generated functions.
  it.each([
    ['while functions are generated', runWarmingEngine, 1],
    ['without generated functions', runEngine, 4],
    ['with nothing but generated functions', runHotEngine, 4],
  ])('do the same with random projects and whatever happens to them, %s', (_, run, every) => {
    const count = Math.ceil((last - first) / every);
    const seeds = Array.from({ length: count }, (_, index) => first + index * every);
    expect(findDifference(run, seeds)).toBeNull();
  });

  it('do the same with Modbus and broken links', () => {
    const seeds = Array.from({ length: lastModbus - first }, (_, index) => first + index);
    expect(findDifference(runEngine, seeds, randomModbusScript)).toBeNull();
  });

  it('disconnect inputs, whatever came just before', () => {
    const project = { format: 'gwproj', schema_version: 1, ...receiving };
    const events = [
      ...[start(), frame(1, '0700000000000000'), endpoint(1, false)],
      ...[...rounds(2), snapshot(2)],
    ];
    const { snapshots } = runEngine({ project, events });
    expect(snapshots[0]?.signals[0]).toMatchObject({ value: '7', quality: 'disconnected' });
    expect({ snapshots }).toEqual({ snapshots: runReference({ project, events }).snapshots });
  });
});
