import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases } from '../../base/testing/long.ts';
import { loadProject } from './load-project.ts';
import { type Problem, problemCodes } from './problems.ts';
import type { Project } from './project.ts';
import { fuzzed } from './testing/fuzz-bytes.ts';
import { type GoldenKind, goldenBytes, goldenNames } from './testing/golden-projects.ts';
import { randomOf } from './validate/testing/mutations.ts';
import { projectText } from './write-project.ts';

const rounds = cases(800, 4_000);

/** Rejected slowly on purpose; for a reader of files it is like the others. */
const tooComplex = 'multiplexing/more-pages-than-can-be-checked';

const documentsOf = (kind: GoldenKind): Uint8Array[] =>
  goldenNames(kind)
    .filter((name) => name !== tooComplex)
    .map((name) => goldenBytes(kind, name));
const documents = { valid: documentsOf('valid'), invalid: documentsOf('invalid') };

const savedText = (project: Project): string => [...projectText(project)].join('');

const isSensible = ({ code, message, table, index, row }: Problem): boolean =>
  Object.hasOwn(problemCodes, code) &&
  !/undefined|NaN|\[object/.test(message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')) &&
  (table === null ? row === null && index === null : Number.isInteger(index));

/** Result for a file: a project, invalid JSON, or an error code. */
const outcomeOf = (bytes: Uint8Array): string => {
  let project: Project;
  try {
    project = loadProject(bytes);
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    const { code, details } = thrown;
    const problems = (details.problems ?? []) as Problem[];
    expect(problems.filter((problem) => !isSensible(problem))).toEqual([]);
    if (code === 'invalid_project') expect(problems.length).toBeGreaterThan(0);
    return problems[0]?.code === 'invalid_json' ? 'invalid_json' : code;
  }
  const once = savedText(project);
  expect(savedText(loadProject(new TextEncoder().encode(once)))).toBe(once);
  return 'loaded';
};

describe('loadProject', () => {
  it(`takes or refuses ${rounds} fuzzed files, and does nothing else`, () => {
    const random = randomOf(16);
    const outcomes = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const { valid, invalid } = documents;
      const kind = round % 2 === 0 ? valid : invalid;
      const document = kind[random(kind.length)] as Uint8Array;
      const donor = valid[random(valid.length)] as Uint8Array;
      const outcome = outcomeOf(fuzzed(document, donor, random));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['invalid_json', 'invalid_project', 'loaded']);
    // Otherwise they fail in the JSON reader and never reach later stages.
    expect(outcomes.get('invalid_project')).toBeGreaterThan(rounds / 8);
    expect(outcomes.get('loaded')).toBeGreaterThan(cases(0, 5));
  });
});
