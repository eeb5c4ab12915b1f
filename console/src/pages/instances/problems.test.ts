import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Problem } from '../../../../src/gateway/project/problems.ts';
import { ApiError } from '../../api/api-error.ts';
import { type ProjectProblem, placeOf, problemsOf, textOf } from './problems.ts';

const problem: Problem = {
  table: 'signals',
  row: 'pump',
  index: 2,
  field: 'producer',
  code: 'invalid_choice',
  message: 'Must be one of …',
};

const refusalOf = (...problems: readonly unknown[]) =>
  new ApiError({ code: 'invalid_project', message: 'No', details: { problems, total: 300 } });

describe('problems of a project', () => {
  it('have the fields that the service gives them', () => {
    type Told = Omit<Problem, 'table' | 'code'> & { table: string | null; code: string };
    expectTypeOf<ProjectProblem>().toEqualTypeOf<Readonly<Told>>();
    expect(problemsOf('a.gwproj', refusalOf(problem))?.problems).toEqual([problem]);
  });

  it('come with the refusal of a project, and say how many there are', () => {
    expect(problemsOf('a.gwproj', refusalOf(problem, null))).toEqual({
      file: 'a.gwproj',
      problems: [problem],
      total: 300,
    });
  });

  it('are none where something else was refused', () => {
    expect(problemsOf('a', new ApiError({ code: 'file_not_found', message: 'No' }))).toBeNull();
  });

  it('do not say in their texts what stands beside them', () => {
    const message = 'fault_rules[0] "spoil": value means nothing: leave it out';
    expect(textOf({ ...problem, message })).toBe('value means nothing: leave it out');
    expect(textOf({ ...problem, message: 'tx_tasks[3]: no id' })).toBe('no id');
  });

  it.each([
    [problem, 'signals · pump · producer'],
    [{ ...problem, row: null }, 'signals · row 3 · producer'],
    [{ ...problem, field: '' }, 'signals · pump'],
    [{ ...problem, table: null, row: null, index: null, field: '' }, 'whole file'],
  ])('say where they are', (each, place) => {
    expect(placeOf(each)).toBe(place);
  });
});
