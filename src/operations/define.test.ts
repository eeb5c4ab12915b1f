import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { named, nullable } from '../base/schema/schemas.ts';
import { defineOperation, hasHttp } from './define.ts';

const common = {
  summary: 'Do it',
  result: Type.String(),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'none', streaming: false },
  cli: null,
  http: { none: 'not now' },
} as const;

describe('defineOperation', () => {
  it.each([
    ['web.start', 'web', 'start'],
    ['version', 'version', ''],
  ])('reads category and action out of the id %s', (id, category, action) => {
    expect(defineOperation({ ...common, id })).toMatchObject({ id, category, action });
  });

  it('takes an operation without parameters to be one that has none', () => {
    const { parameters, examples } = defineOperation({ ...common, id: 'version' });
    expect(Check(parameters, {})).toBe(true);
    expect(Check(parameters, { extra: 1 })).toBe(false);
    expect(examples).toEqual([]);
  });

  it('closes the parameters against fields that are not declared', () => {
    const { parameters } = defineOperation({
      ...common,
      id: 'job.show',
      parameters: { job_id: Type.String(), deep: Type.Optional(Type.Boolean()) },
    });
    expect(parameters.required).toEqual(['job_id']);
    expect(Check(parameters, { job_id: 'a' })).toBe(true);
    expect(Check(parameters, { job_id: 'a', deep: true })).toBe(true);
    expect(Check(parameters, { job_id: 'a', other: true })).toBe(false);
    expect(Check(parameters, {})).toBe(false);
  });

  it('keeps the examples it is given', () => {
    const { examples } = defineOperation({ ...common, id: 'a', examples: ['busbar a'] });
    expect(examples).toEqual(['busbar a']);
  });
});

describe('hasHttp', () => {
  it('tells a binding from the reason for having none', () => {
    expect(hasHttp({ method: 'GET', path: '/a', success: 200 })).toBe(true);
    expect(hasHttp({ none: 'local only' })).toBe(false);
  });
});

describe('named', () => {
  it('names a copy and leaves the schema alone', () => {
    const schema = Type.Integer({ minimum: 1 });
    const withName = named('Count', schema);
    expect(withName).toMatchObject({ $id: 'Count', type: 'integer', minimum: 1 });
    expect(schema).not.toHaveProperty('$id');
    expect(Check(withName, 0)).toBe(false);
  });
});

describe('nullable', () => {
  it('admits null beside what the schema admits, and nothing else', () => {
    const schema = nullable(Type.Integer(), { description: 'Number or nothing' });
    expect(schema).toMatchObject({ description: 'Number or nothing' });
    expect([1, null, 'x', undefined].map((value) => Check(schema, value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
