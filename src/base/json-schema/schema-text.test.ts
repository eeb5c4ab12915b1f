import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './json-schema.ts';
import { typeWord } from './schema-text.ts';

describe('typeWord', () => {
  it.each([
    ['string', Type.String()],
    ['integer', Type.Integer({ minimum: 1 })],
    ['number', Type.Number()],
    ['boolean', Type.Boolean()],
    ['enum', Type.Enum(['a', 'b'])],
    ['string[]', Type.Array(Type.String())],
    ['enum[]', Type.Array(Type.Enum(['a']))],
    ['object', Type.Object({})],
    ['any', Type.Unknown()],
    ['integer', Type.Optional(Type.Integer())],
  ])('says %s', (word, schema) => {
    expect(typeWord(schema as JsonSchema)).toBe(word);
  });

  it('follows references', () => {
    const schemas = { T: { type: 'object' } };
    expect(typeWord({ $ref: '#/components/schemas/T' }, schemas)).toBe('object');
  });
});
