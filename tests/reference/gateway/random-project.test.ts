import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../../src/base/errors/busbar-error.ts';
import { cases } from '../../../src/base/testing/long.ts';
import { loadProject } from '../../../src/gateway/project/load-project.ts';
import { randomModbusProject, randomProject } from './random-project.ts';

const seeds = Number(process.env.REFERENCE_SEEDS ?? cases(15, 400));

/** Problems that the product's own validator finds in a project. */
const problemsOf = (project: object): unknown => {
  try {
    loadProject(new TextEncoder().encode(JSON.stringify(project)));
    return undefined;
  } catch (error) {
    if (!(error instanceof BusbarError)) throw error;
    return error.details.problems ?? error.code;
  }
};

describe('random projects', () => {
  it('are all valid for the validator of the product', () => {
    const invalid = [];
    for (let seed = 0; seed < seeds; seed += 1) {
      const problems = problemsOf(randomProject(seed)) ?? problemsOf(randomModbusProject(seed));
      if (problems !== undefined) invalid.push({ seed, problems });
    }
    expect(invalid).toEqual([]);
  });

  it('are the same for the same seed, and others for others', () => {
    expect(randomProject(7)).toEqual(randomProject(7));
    expect(randomProject(7)).not.toEqual(randomProject(8));
    expect(randomModbusProject(7)).toEqual(randomModbusProject(7));
    expect(randomModbusProject(7)).not.toEqual(randomModbusProject(8));
  });
});
