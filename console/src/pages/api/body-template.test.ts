import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../src/base/json-schema/json-schema.ts';
import { schemaProblems } from '../../forms/contract.ts';
import type { OpenApiDocument } from '../../state/bench.ts';
import { operationsOf } from './api-operations.ts';
import { allowedText, firstExtent, schemaValue, templateText } from './body-template.ts';

describe('a schema in words', () => {
  it('tells what is allowed', () => {
    expect(allowedText({ type: 'integer', minimum: 1, maximum: 9, default: 3 }, {})).toBe(
      '1 to 9; default 3',
    );
    expect(allowedText({ enum: ['can', 'lin'] }, {})).toBe('can, lin');
    expect(allowedText({ type: 'string', maxLength: 64 }, {})).toBe('at most 64 characters');
    expect(allowedText({ type: 'string', pattern: '^a' }, {})).toBe('matches ^a');
    expect(allowedText({ type: 'array', minItems: 2 }, {})).toBe('at least 2 items');
  });

  it('writes identifiers in hex, as benches do', () => {
    expect(allowedText({ type: 'integer', minimum: 0, maximum: 2047, 'x-hex': true }, {})).toBe(
      '0 to 0x7FF',
    );
  });
});

const schemas: Record<string, JsonSchema> = {
  Timing: {
    type: 'object',
    required: ['prescaler'],
    properties: {
      sjw: { type: 'integer', minimum: 1 },
      prescaler: { type: 'integer', minimum: 1, examples: [4] },
    },
  },
  Open: {
    type: 'object',
    required: ['channel', 'timing'],
    properties: {
      name: { type: 'string', examples: ['powertrain'] },
      mode: { enum: ['normal', 'listen_only'] },
      limit: { type: 'integer', default: 256 },
      channel: { type: 'string', minLength: 1, examples: ['SIM00001/0'] },
      timing: { $ref: '#/components/schemas/Timing' },
      message: { anyOf: [{ type: 'string', examples: ['EngineData'] }, { type: 'integer' }] },
      peers: {
        type: 'array',
        items: { type: 'string', examples: ['10.0.0.2:20000'] },
        minItems: 1,
      },
      signals: { type: 'array', items: { type: 'string' } },
      endless: { type: 'boolean' },
    },
  },
  Loop: { type: 'object', properties: { next: { $ref: '#/components/schemas/Loop' } } },
};
const open: JsonSchema = { $ref: '#/components/schemas/Open' };

describe('the template of a body', () => {
  it('holds what is required, with its examples', () => {
    expect(schemaValue(open, schemas, 'short')).toEqual({
      channel: 'SIM00001/0',
      timing: { prescaler: 4 },
    });
  });

  it('puts the required fields first when it holds all of them', () => {
    const all = schemaValue(open, schemas, 'full') as Record<string, unknown>;
    expect(Object.keys(all).slice(0, 3)).toEqual(['channel', 'timing', 'name']);
    expect(all).toEqual({
      channel: 'SIM00001/0',
      timing: { prescaler: 4, sjw: 1 },
      name: 'powertrain',
      mode: 'normal',
      limit: 256,
      message: 'EngineData',
      peers: ['10.0.0.2:20000'],
      signals: [],
      endless: false,
    });
  });

  it('fits the schema that it came from', () => {
    for (const extent of ['short', 'full'] as const) {
      expect(schemaProblems(open, schemaValue(open, schemas, extent), schemas)).toEqual([]);
    }
  });

  it('ends where a schema holds itself', () => {
    expect(
      templateText({ schema: { $ref: '#/components/schemas/Loop' } }, schemas, 'full'),
    ).toContain('null');
  });

  it('begins with everything where nothing is required', () => {
    expect(firstExtent({ schema: open }, schemas)).toBe('short');
    expect(firstExtent({ schema: { $ref: '#/components/schemas/Loop' } }, schemas)).toBe('full');
  });

  it('is what the service publishes, where it does', () => {
    const body = { schema: open, examples: { short: { value: { channel: 'body' } } } };
    expect(JSON.parse(templateText(body, schemas, 'short'))).toEqual({ channel: 'body' });
    expect(firstExtent({ ...body, schema: { type: 'object' } }, schemas)).toBe('short');
    expect(JSON.parse(templateText(body, schemas, 'full'))).toMatchObject({ name: 'powertrain' });
  });
});

const published = JSON.parse(
  readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

describe('the templates of the published API', () => {
  const withBody = operationsOf(published).flatMap(({ id, body }) => (body ? [{ id, body }] : []));
  const { schemas: known } = published.components;

  it.each(withBody)('fit the contract of $id', ({ body }) => {
    for (const extent of ['short', 'full'] as const) {
      const value: unknown = JSON.parse(templateText(body, known, extent));
      expect(value).toEqual(body.examples?.[extent]?.value);
      expect(schemaProblems(body.schema, value, known)).toEqual([]);
    }
  });
});
