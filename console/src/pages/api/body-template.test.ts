import { describe, expect, it } from 'vitest';
import { schemaProblems } from '../../forms/schema-problems.ts';
import type { JsonSchema } from '../../state/bench.ts';
import { firstExtent, templateOf, templateText } from './body-template.ts';

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
    expect(templateOf(open, schemas, 'required')).toEqual({
      channel: 'SIM00001/0',
      timing: { prescaler: 4 },
    });
  });

  it('puts the required fields first when it holds all of them', () => {
    const all = templateOf(open, schemas, 'all') as Record<string, unknown>;
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
    for (const extent of ['required', 'all'] as const) {
      expect(schemaProblems(open, templateOf(open, schemas, extent), schemas)).toEqual([]);
    }
  });

  it('ends where a schema holds itself', () => {
    expect(templateText({ $ref: '#/components/schemas/Loop' }, schemas, 'all')).toContain('null');
  });

  it('begins with everything where nothing is required', () => {
    expect(firstExtent(open, schemas)).toBe('required');
    expect(firstExtent({ $ref: '#/components/schemas/Loop' }, schemas)).toBe('all');
  });
});
