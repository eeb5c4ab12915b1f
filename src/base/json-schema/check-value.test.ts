import { describe, expect, it } from 'vitest';
import { fieldPath } from '../json/field-path.ts';
import { problemsOf } from './check-value.ts';
import type { JsonSchema } from './json-schema.ts';

const messages = (schema: JsonSchema, value: unknown): string[] =>
  problemsOf(schema, value).map(({ field, message }) => `${field}: ${message}`);

const object = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}) =>
  ({ type: 'object', properties, additionalProperties: false, ...more }) satisfies JsonSchema;

describe('problemsOf', () => {
  it.each([
    ['string', 'x', 1],
    ['number', 1.5, '1.5'],
    ['number', 0, Number.NaN],
    ['integer', 3, 3.5],
    ['integer', 2 ** 53 - 1, 2 ** 53],
    ['boolean', false, 'false'],
    ['null', null, 0],
    ['array', [], {}],
    ['object', {}, []],
    ['object', {}, null],
  ])('tells what is a %s: %j, from what is none: %j', (type, good, bad) => {
    expect(messages({ type }, good)).toEqual([]);
    expect(messages({ type }, bad)).toHaveLength(1);
  });

  it.each<[JsonSchema, unknown, string]>([
    [{ type: 'integer', minimum: 1, maximum: 9 }, 0, 'must be at least 1'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'must be at most 9'],
    [{ type: 'number', minimum: 0.001 }, 0.0009, 'must be at least 0.001'],
    [{ type: 'integer', maximum: 0x7ff, 'x-hex': true }, 0x800, 'must be at most 0x7FF'],
    [{ type: 'integer', 'x-hex': true }, '1A0', 'must be an integer'],
    [{ enum: ['data', 'remote'] }, 'error', 'must be one of data, remote'],
    [{ type: 'string', minLength: 1 }, '', 'must not be empty'],
    [{ type: 'string', minLength: 3 }, 'ab', 'must have at least 3 characters'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A', 'must match ^[a-z]+$'],
    [{ type: 'string', pattern: '^[a-z]+$', 'x-form': 'lowercase' }, 'A', 'must be lowercase'],
    [{ type: 'array', minItems: 1 }, [], 'must have at least 1 item'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'must have at most 1 item'],
    [{ type: 'object', minProperties: 1 }, {}, 'must have at least 1 field'],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 field'],
  ])('holds against %j that %j', (schema, value, message) => {
    expect(messages(schema, value)).toEqual([`: ${message}`]);
  });

  it('counts characters, not the units they are stored in', () => {
    expect(messages({ type: 'string', maxLength: 2 }, '🚗🚗')).toEqual([]);
  });

  it('names every field that is wrong, missing or unknown', () => {
    const schema = object(
      { id: { type: 'integer' }, name: { type: 'string' }, fd: { type: 'boolean' } },
      { required: ['id', 'name'] },
    );
    expect(messages(schema, { id: 'x', fd: true, more: 1 })).toEqual([
      'more: is not a known field',
      'id: must be an integer',
      'name: is required',
    ]);
  });

  it('takes undefined as left out, as sending it does', () => {
    const schema = object({ id: { type: 'integer' } }, { required: ['id'] });
    expect(messages(schema, { id: undefined, other: undefined })).toEqual(['id: is required']);
  });

  it('is not fooled by names that every object has', () => {
    expect(messages(object({}), { toString: 1 })).toEqual(['toString: is not a known field']);
    expect(messages(object({}, { required: ['constructor'] }), {})).toEqual([
      'constructor: is required',
    ]);
  });

  it('looks into groups and lists and says where', () => {
    const schema = object({
      source: object({ id: { type: 'integer', maximum: 5 } }, { required: ['channel'] }),
      peer: { type: 'array', items: { type: 'string', minLength: 1 } },
      channels: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    });
    expect(
      messages(schema, { source: { id: 6 }, peer: ['a', ''], channels: { 1: 'x', 'a.b': 2 } }),
    ).toEqual([
      'source.id: must be at most 5',
      'source.channel: is required',
      'peer[1]: must not be empty',
      'channels["a.b"]: must be text',
    ]);
  });

  it('checks further fields by the schema that is given for them', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(messages(schema, { a: 1, b: 'x' })).toEqual(['b: must be an integer']);
    expect(messages({ type: 'object' }, { a: 1, b: 'x' })).toEqual([]);
  });

  it('follows references, into references too', () => {
    const schemas = {
      Timing: object({ sjw: { $ref: '#/components/schemas/Small' } }),
      Small: { type: 'integer', maximum: 3 },
    };
    const schema = object({ timing: { $ref: '#/components/schemas/Timing' } });
    expect(problemsOf(schema, { timing: { sjw: 4 } }, schemas)).toEqual([
      {
        field: 'timing.sjw',
        rule: 'maximum',
        message: 'must be at most 3',
        schema: schemas.Small,
      },
    ]);
    expect(problemsOf({ $ref: '#/components/schemas/Gone' }, 1, schemas)).toEqual([]);
  });

  it('takes what one of several schemas takes, and lets the nearest speak otherwise', () => {
    const schema: JsonSchema = {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'integer', minimum: 0 },
      ],
    };
    expect(messages(schema, 'Engine')).toEqual([]);
    expect(messages(schema, 7)).toEqual([]);
    expect(messages(schema, -1)).toEqual([': must be at least 0']);
    expect(messages(schema, true)).toEqual([': must be text or an integer']);
  });

  it('names a mistake inside of a value, also if the value has a form in words', () => {
    const schema: JsonSchema = {
      anyOf: [
        { type: 'string', minLength: 1 },
        object({ length: { type: 'integer', minimum: 1 } }),
      ],
      'x-form': 'a file name, or an object',
    };
    expect(messages(schema, { length: 0 })).toEqual(['length: must be at least 1']);
    expect(messages(schema, { width: 1 })).toEqual(['width: is not a known field']);
    for (const other of [5, '']) {
      expect(messages(schema, other)).toEqual([': must be a file name, or an object']);
    }
  });

  it.each(['a', 'a.b', '', 'a b', 'a[0]', 'say "a"', 'back\\slash', 'gr\u00f6\u00dfe'])(
    'names the place of %j as the service does',
    (key) => {
      const schema = { type: 'array', items: object({}, { required: [key] }) };
      const [problem] = problemsOf(schema, [{}]);
      expect(problem?.field).toBe(fieldPath([0, key]));
    },
  );
});
