import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { defineOperation } from './define.ts';
import { validateArguments } from './validate.ts';

const Row = Type.Object(
  { id: Type.Integer(), 'a/b': Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);

const Code = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9A-F]+$' })], {
  'x-form': 'a number, or hex',
});

const operation = defineOperation({
  id: 'part.store',
  summary: 'Store a part',
  parameters: {
    name: Type.String({ minLength: 1, maxLength: 5, pattern: '^[a-z]*$' }),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    ratio: Type.Optional(Type.Number()),
    kind: Type.Optional(Type.Enum(['x', 'y'])),
    ink: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$', 'x-form': 'like #00ff00' })),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 2 })),
    rows: Type.Optional(Type.Array(Row)),
    code: Type.Optional(Code),
    box: Type.Optional(Type.Object({ code: Type.Optional(Code) })),
  },
  result: Type.Null(),
  errors: [],
  permission: 'operate',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: { none: 'a sample' },
});

const refusalOf = (input: unknown): ErrorRecord => {
  try {
    validateArguments(operation, input);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.toRecord();
    throw thrown;
  }
  throw new Error(`nothing is wrong with ${JSON.stringify(input)}`);
};

describe('validateArguments', () => {
  it.each([
    { name: 'a' },
    { name: 'abcde', size: 1, ratio: -0.5, kind: 'y', tags: [], rows: [] },
    { name: 'a', size: 9, tags: ['a', 'b'], rows: [{ id: 1 }, { id: 2, 'a/b': 3 }] },
  ])('takes %j', (input) => {
    expect(validateArguments(operation, input)).toBeUndefined();
  });

  it.each<[input: object, field: string, reason: string]>([
    [{}, 'name', 'missing'],
    [{ name: 1 }, 'name', 'type'],
    [{ name: null }, 'name', 'type'],
    [{ name: '' }, 'name', 'minLength'],
    [{ name: 'abcdef' }, 'name', 'maxLength'],
    [{ name: 'ABC' }, 'name', 'pattern'],
    [{ name: 'a', size: 0 }, 'size', 'minimum'],
    [{ name: 'a', size: 10 }, 'size', 'maximum'],
    [{ name: 'a', size: 1.5 }, 'size', 'type'],
    [{ name: 'a', size: '1' }, 'size', 'type'],
    [{ name: 'a', ratio: Number.POSITIVE_INFINITY }, 'ratio', 'type'],
    [{ name: 'a', kind: 'z' }, 'kind', 'enum'],
    [{ name: 'a', tags: 'a' }, 'tags', 'type'],
    [{ name: 'a', tags: ['a', ''] }, 'tags[1]', 'minLength'],
    [{ name: 'a', tags: ['a', 'b', 'c'] }, 'tags', 'maxItems'],
    [{ name: 'a', rows: [{ id: 1 }, {}] }, 'rows[1].id', 'missing'],
    [{ name: 'a', rows: [{ id: 1, x: 1 }] }, 'rows[0].x', 'unknown_field'],
    [{ name: 'a', rows: [{ id: 1, 'a/b': '' }] }, 'rows[0].a/b', 'type'],
    [{ name: 'a', other: 1 }, 'other', 'unknown_field'],
    [{ name: 'a', 'a~b': 1 }, 'a~b', 'unknown_field'],
    [JSON.parse('{"name":"a","__proto__":{}}'), '__proto__', 'unknown_field'],
  ])('refuses %j and blames %s', (input, field, reason) => {
    const { code, message, details } = refusalOf(input);
    expect(code).toBe('invalid_argument');
    expect(details).toMatchObject({ field, reason });
    expect(message.startsWith(`${field} `)).toBe(true);
  });

  it.each<[kind: string, key: string, field: string]>([
    ['of digits', '5', '5'],
    ['without a name', '', '[""]'],
    ['with a dot', 'a.b', '["a.b"]'],
    ['with a terminal sequence', '\u001b[31m', '["\\u001b[31m"]'],
    ['of great length', 'k'.repeat(1000), `${'k'.repeat(64)}…`],
  ])('writes an unknown field %s as every other refusal of JSON does', (_, key, field) => {
    const { message, details } = refusalOf({ name: 'a', [key]: 1 });
    expect(details).toMatchObject({ field, reason: 'unknown_field' });
    expect(message).toBe(`${field} is not a known field`);
  });

  it('says in words what a text must look like, where the declaration does', () => {
    expect(refusalOf({ name: 'a', ink: 'red' })).toMatchObject({
      message: 'ink must be like #00ff00',
      details: { field: 'ink', reason: 'pattern' },
    });
    expect(validateArguments(operation, { name: 'a', ink: '#0a0b0c' })).toBeUndefined();
  });

  it.each<[input: object, field: string, reason: string]>([
    [{ code: -1 }, 'code', 'minimum'],
    [{ code: 'x' }, 'code', 'pattern'],
    [{ code: null }, 'code', 'type'],
    [{ box: { code: 'x' } }, 'box.code', 'pattern'],
  ])('says in words what a value of several kinds is: %j', (input, field, reason) => {
    expect(refusalOf({ name: 'a', ...input })).toMatchObject({
      message: `${field} must be a number, or hex`,
      details: { field, reason },
    });
    expect(validateArguments(operation, { name: 'a', code: 'FF', box: { code: 1 } })).toBe(
      undefined,
    );
  });

  it('lists what an enumeration takes', () => {
    const { message, details } = refusalOf({ name: 'a', kind: 'z' });
    expect(details).toEqual({ field: 'kind', reason: 'enum', allowed: ['x', 'y'] });
    expect(message).toBe('kind must be one of x, y');
  });

  it.each([[null], [undefined], ['text'], [7], [[]]])(
    'refuses %j, which is no object at all, without naming a field',
    (input) => {
      const { message, details } = refusalOf(input);
      expect(details).toEqual({ field: '', reason: 'type' });
      expect(message).toMatch(/^The request /);
    },
  );

  it('judges the same operation again by the same rules', () => {
    expect(refusalOf({ name: '' })).toEqual(refusalOf({ name: '' }));
    expect(validateArguments(operation, { name: 'ok' })).toBeUndefined();
  });
});
