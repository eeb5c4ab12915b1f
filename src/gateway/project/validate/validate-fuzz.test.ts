import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import { cases } from '../../../base/testing/long.ts';
import { loadProject } from '../load-project.ts';
import { type Problem, problemCodes } from '../problems.ts';
import { coolantProject, type LooseProject } from '../testing/coolant-project.ts';
import { mutate, randomOf } from './testing/mutations.ts';
import { plantProject } from './testing/plant-project.ts';

const encoder = new TextEncoder();
const rounds = cases(30, 300);

/** The problems found by loading; null for a valid project or an unsupported feature. */
const problemsOf = (project: LooseProject): readonly Problem[] | null => {
  try {
    loadProject(encoder.encode(JSON.stringify(project)));
    return null;
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    if (thrown.code === 'unsupported_gateway_feature') return null;
    if (thrown.code !== 'invalid_project') throw thrown;
    return thrown.details.problems as Problem[];
  }
};

const isSensible = (
  project: LooseProject,
  { table, row, index, message, code }: Problem,
): boolean => {
  if (!Object.hasOwn(problemCodes, code) || /undefined|NaN|\[object/.test(message)) return false;
  if (table === null) return row === null && index === null;
  if (index === null || index >= project[table].length) return false;
  const id = project[table][index]?.id;
  return row === (typeof id === 'string' ? id : null);
};

describe('loadProject', () => {
  it.each([
    ['the coolant project', coolantProject, 1],
    ['a project with something of everything', plantProject, 2],
  ])('refuses changes to %s in no other way than it says', (_, makeProject, seed) => {
    const random = randomOf(seed);
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const project = makeProject();
      for (let times = 1 + random(4); times > 0; times -= 1) mutate(project, random);
      const problems = problemsOf(project);
      if (problems === null) continue;
      refused += 1;
      expect(problems.filter((problem) => !isSensible(project, problem))).toEqual([]);
    }
    // Most changes must break something, or they test nothing.
    expect(refused).toBeGreaterThan(rounds / 2);
  });
});
