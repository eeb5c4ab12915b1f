import { describe, expect, it } from 'vitest';
import { allowedWords, typeWords } from './schema-words.ts';

describe('a schema in words', () => {
  it('names the kind of value', () => {
    expect(typeWords({ type: 'integer' }, {})).toBe('integer');
    expect(typeWords({ enum: ['a'] }, {})).toBe('choice');
    expect(typeWords({ type: 'array', items: { type: 'string' } }, {})).toBe('list of string');
    expect(typeWords({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, {})).toBe(
      'string or integer',
    );
    expect(typeWords({ $ref: '#/components/schemas/T' }, { T: { type: 'object' } })).toBe('object');
  });

  it('tells what is allowed', () => {
    expect(allowedWords({ type: 'integer', minimum: 1, maximum: 9, default: 3 }, {})).toBe(
      '1 to 9; default 3',
    );
    expect(allowedWords({ enum: ['can', 'lin'] }, {})).toBe('can, lin');
    expect(allowedWords({ type: 'string', maxLength: 64 }, {})).toBe('at most 64 characters');
    expect(allowedWords({ type: 'string', pattern: '^a' }, {})).toBe('matches ^a');
    expect(allowedWords({ type: 'array', minItems: 1 }, {})).toBe('at least 1 items');
  });

  it('writes identifiers in hex, as benches do', () => {
    expect(allowedWords({ type: 'integer', minimum: 0, maximum: 2047, 'x-hex': true }, {})).toBe(
      '0 to 0x7FF',
    );
  });
});
