import { describe, expect, it } from 'vitest';
import { fieldPath } from '../../../src/base/json/field-path.ts';
import type { JsonSchema } from '../state/bench.ts';
import { schemaProblems } from './contract.ts';

const messages = (schema: JsonSchema, value: unknown): string[] =>
  schemaProblems(schema, value).map(({ field, message }) => `${field}: ${message}`);

const object = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}) =>
  ({ type: 'object', properties, additionalProperties: false, ...more }) satisfies JsonSchema;

describe('schemaProblems', () => {
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
    [{ type: 'integer', minimum: 1, maximum: 9 }, 0, 'Must be at least 1'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'Must be at most 9'],
    [{ type: 'number', minimum: 0.001 }, 0.0009, 'Must be at least 0.001'],
    [{ type: 'integer', maximum: 0x7ff, 'x-hex': true }, 0x800, 'Must be at most 0x7FF'],
    [{ type: 'integer', 'x-hex': true }, '1A0', 'Must be an integer, such as 0x123 or 291'],
    [{ enum: ['data', 'remote'] }, 'error', 'Must be one of data, remote'],
    [{ type: 'string', minLength: 1 }, '', 'Must not be empty'],
    [{ type: 'string', minLength: 3 }, 'ab', 'Must have at least 3 characters'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'Must have at most 2 characters'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A', 'Must match ^[a-z]+$'],
    [{ type: 'string', pattern: '^[a-z]+$', 'x-form': 'lowercase' }, 'A', 'Must be lowercase'],
    [{ type: 'array', minItems: 1 }, [], 'Must have at least 1 item'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'Must have at most 1 item'],
    [{ type: 'object', minProperties: 1 }, {}, 'Must have at least 1 field'],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'Must have at most 1 field'],
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
      'name: Required',
      'id: Must be an integer',
      'more: Unknown field',
    ]);
  });

  it('takes undefined as left out, as sending it does', () => {
    const schema = object({ id: { type: 'integer' } }, { required: ['id'] });
    expect(messages(schema, { id: undefined, other: undefined })).toEqual(['id: Required']);
  });

  it('is not fooled by names that every object has', () => {
    expect(messages(object({}), { toString: 1 })).toEqual(['toString: Unknown field']);
    expect(messages(object({}, { required: ['constructor'] }), {})).toEqual([
      'constructor: Required',
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
      'source.channel: Required',
      'source.id: Must be at most 5',
      'peer[1]: Must not be empty',
      'channels["a.b"]: Must be text',
    ]);
  });

  it('checks further fields by the schema that is given for them', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(messages(schema, { a: 1, b: 'x' })).toEqual(['b: Must be an integer']);
    expect(messages({ type: 'object' }, { a: 1, b: 'x' })).toEqual([]);
  });

  it('follows references, into references too', () => {
    const schemas = {
      Timing: object({ sjw: { $ref: '#/components/schemas/Small' } }),
      Small: { type: 'integer', maximum: 3 },
    };
    const schema = object({ timing: { $ref: '#/components/schemas/Timing' } });
    expect(schemaProblems(schema, { timing: { sjw: 4 } }, schemas)).toEqual([
      { field: 'timing.sjw', message: 'Must be at most 3' },
    ]);
    expect(schemaProblems({ $ref: '#/components/schemas/Gone' }, 1, schemas)).toEqual([]);
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
    expect(messages(schema, -1)).toEqual([': Must be at least 0']);
    expect(messages(schema, true)).toEqual([': Must be text or an integer']);
  });

  it.each(['a', 'a.b', '', 'a b', 'a[0]', 'say "a"', 'back\\slash', 'gr\u00f6\u00dfe'])(
    'names the place of %j as the service does',
    (key) => {
      const schema = { type: 'array', items: object({}, { required: [key] }) };
      const [problem] = schemaProblems(schema, [{}]);
      expect(problem?.field).toBe(fieldPath([0, key]));
    },
  );
});

import published from '../../../docs/reference/openapi.json' with { type: 'json' };
import type { OpenApiDocument } from '../state/bench.ts';
import { fieldSchema, requestProblems } from './contract.ts';

const document = published as unknown as OpenApiDocument;
const fieldsOf = (id: Parameters<typeof requestProblems>[1], body: unknown): string[] =>
  requestProblems(document, id, body).map(({ field }) => field);

describe('requestProblems', () => {
  it.each([
    ['message.send', { channel: 'SIM00001/0', type: 'data', id: 0x123, data: 'DE AD' }],
    ['tx-task.add', { channel: 'a', id: 1, period_us: 1000, pattern: 'increment_data' }],
    ['route.add', { source: { channel: 'a', id: 1, mask: 7 }, target: { channel: 'b' } }],
    ['database.load', { file: 'vehicle.dbc', name: 'vehicle' }],
    ['logging.start', { file: 'a.asc', channels: ['a', 'b'], overwrite: true }],
    ['replay.start', { file: 'a.asc', channels: { 1: 'a', can0: 'b' }, speed: 0.5 }],
    ['remote.start', { peer: ['host:1'], channels: ['a'], max_age_ms: 5 }],
  ] as const)('has nothing against a good %s', (id, body) => {
    expect(requestProblems(document, id, body)).toEqual([]);
  });

  it('names every field of a send that the published contract does not allow', () => {
    const body = {
      channel: '',
      type: 'error',
      id: 2 ** 29,
      fd: 1,
      dlc: 16,
      count: 0,
      colour: 'red',
    };
    expect(fieldsOf('message.send', body).sort()).toEqual(
      ['channel', 'colour', 'count', 'dlc', 'fd', 'id', 'type'].sort(),
    );
    expect(fieldsOf('message.send', {})).toEqual(['id', 'channel']);
  });

  it('names fields inside of groups and lists', () => {
    expect(fieldsOf('route.add', { source: { channel: 'a', mask: -1 }, target: {} })).toEqual([
      'source.id',
      'source.mask',
      'target.channel',
    ]);
    expect(fieldsOf('remote.start', { peer: [''], channels: [] })).toEqual(['peer[0]', 'channels']);
    expect(fieldsOf('replay.start', { file: 'a', channels: { 1: '' } })).toEqual(['channels.1']);
    expect(fieldsOf('replay.start', { file: 'a', channels: {} })).toEqual(['channels']);
    expect(fieldsOf('database.load', { file: 'a', name: 'a b' })).toEqual(['name']);
  });

  it('rejects an operation that the service does not publish, and accepts one without a body', () => {
    const bare = { ...document, paths: {} };
    expect(requestProblems(bare, 'health', {}).map(({ field }) => field)).toEqual(['']);
    expect(fieldsOf('health', {})).toEqual([]);
  });
});

describe('fieldSchema', () => {
  it('finds what the contract says about a field, also within a group', () => {
    expect(fieldSchema(document, 'message.send', 'type')?.enum).toContain('master-read');
    const kinds = fieldSchema(document, 'route.add', 'source.id')?.anyOf;
    expect(kinds?.map(({ type }) => type)).toEqual(['integer', 'string']);
    expect(fieldSchema(document, 'message.send', 'colour')).toBeNull();
    expect(fieldSchema(null, 'message.send', 'type')).toBeNull();
  });
});
