import { expect, it } from 'vitest';
import { findDifference } from './find-difference.ts';
import { randomModbusScript } from './random-script.ts';
import { runReference } from './reference.ts';
import type { Script, Trace } from './script.ts';

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

/** An engine that forgets to count remote frames. */
const forgetful = (script: Script): Trace => {
  const trace = runReference(script);
  return {
    ...trace,
    snapshots: trace.snapshots.map((one) => ({ ...one, rejected: { ...one.rejected, remote: 0 } })),
  };
};

it('finds nothing where there is nothing', () => {
  expect(findDifference(runReference, seeds.slice(0, 10))).toBeNull();
});

it('shows what differs by as few events as it takes', () => {
  const finding = findDifference(forgetful, seeds);
  expect(finding?.words).toMatch(/^at \d+ us snapshots\[0\]\.rejected\.remote: 1 and 0$/);
  const kinds = finding?.script.events.map(({ kind }) => kind);
  expect(kinds).toEqual(['start', 'frame', 'round', 'snapshot']);
});

it('finds differences in what clients of a server get', () => {
  const lenient = (script: Script): Trace => {
    const trace = runReference(script);
    return { ...trace, answers: trace.answers.map((one) => ({ ...one, exception: 0 })) };
  };
  const finding = findDifference(lenient, seeds, randomModbusScript);
  expect(finding?.words).toMatch(/^at \d+ us answers\[0\]\.exception: [23] and 0$/);
  expect(finding?.script.events.map(({ kind }) => kind)).toEqual(['start', 'client_write']);
});

it('takes an engine that throws for one that differs', () => {
  const broken = (): never => {
    throw new RangeError('no such slot');
  };
  expect(findDifference(broken, seeds)?.words).toBe('the engine throws RangeError: no such slot');
});
