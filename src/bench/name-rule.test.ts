import { describe, expect, it } from 'vitest';
import { checkName, nameError } from './name-rule.ts';
import { parseSelector } from './selector.ts';

describe('nameFlaw', () => {
  it.each([
    'a',
    'engine',
    'CAN-1',
    '1a',
    '1.5',
    '...',
    '.a',
    'größe',
    '😀'.repeat(64),
    'x'.repeat(64),
  ])('has nothing against %s, which a selector can name', (name) => {
    expect(nameError(name)).toBeNull();
    expect(parseSelector(name)).toEqual({ form: 'word', word: name });
  });

  it.each([
    ['', /1 to 64/],
    ['x'.repeat(65), /1 to 64/],
    ['a/b', /slashes/],
    ['a b', /spaces/],
    ['a\u0000', /control/],
    ['a\u200bb', /control/],
    ['0', /a number/],
    ['123', /a number/],
    ['.', /must not be \. or \.\./],
    ['..', /must not be \. or \.\./],
  ])('objects to %j', (name, why) => {
    expect(nameError(name)).toMatch(why);
  });
});

describe('checkName', () => {
  it('blames the field', () => {
    expect(() => checkName('fine')).not.toThrow();
    expect(() => checkName('12')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'name', reason: 'name', name: '12' },
      }),
    );
  });
});
