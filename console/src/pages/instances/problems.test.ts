import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { placeOf, problemsOf, textOf } from './problems.ts';

const problem = {
  table: 'signals',
  row: 'pump',
  index: 2,
  field: 'producer',
  code: 'wrong_value',
  message: 'Must be one of …',
};

describe('problems of a project', () => {
  it('come with the refusal of a project, and say how many there are', () => {
    const refusal = new ApiError({
      code: 'invalid_project',
      message: 'No',
      details: { problems: [problem, null], total: 300 },
    });
    expect(problemsOf('a.gwproj', refusal)).toEqual({
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
    [{ ...problem, field: null }, 'signals · pump'],
    [{ ...problem, table: null, row: null, index: null, field: null }, 'the file as a whole'],
  ])('say where they are', (each, place) => {
    expect(placeOf(each)).toBe(place);
  });
});
