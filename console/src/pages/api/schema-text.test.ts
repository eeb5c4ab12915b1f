import { describe, expect, it } from 'vitest';
import { allowedText, typeText } from './schema-text.ts';

describe('a schema in words', () => {
  it('names the kind of value', () => {
    expect(typeText({ type: 'integer' }, {})).toBe('integer');
    expect(typeText({ enum: ['a'] }, {})).toBe('choice');
    expect(typeText({ type: 'array', items: { type: 'string' } }, {})).toBe('list of string');
    expect(typeText({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, {})).toBe(
      'string or integer',
    );
    expect(typeText({ $ref: '#/components/schemas/T' }, { T: { type: 'object' } })).toBe('object');
  });

  it('tells what is allowed', () => {
    expect(allowedText({ type: 'integer', minimum: 1, maximum: 9, default: 3 }, {})).toBe(
      '1 to 9; default 3',
    );
    expect(allowedText({ enum: ['can', 'lin'] }, {})).toBe('can, lin');
    expect(allowedText({ type: 'string', maxLength: 64 }, {})).toBe('at most 64 characters');
    expect(allowedText({ type: 'string', pattern: '^a' }, {})).toBe('matches ^a');
    expect(allowedText({ type: 'array', minItems: 1 }, {})).toBe('at least 1 items');
  });

  it('writes identifiers in hex, as benches do', () => {
    expect(allowedText({ type: 'integer', minimum: 0, maximum: 2047, 'x-hex': true }, {})).toBe(
      '0 to 0x7FF',
    );
  });
});
