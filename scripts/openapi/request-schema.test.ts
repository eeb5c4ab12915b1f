import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import { body, closed, type Json, lines, object, taking } from './sample-document.ts';

type Schema = Json | boolean;
type Case = [sentence: string, before: Schema, after: Schema, expected: string[]];

const text = { type: 'string' };
const integer = (more: Json = {}): Json => ({ type: 'integer', ...more });
const cases: Record<string, Case[]> = {
  properties: [
    [
      'a property removed from a closed object is reported',
      object({ a: text, b: text }, closed),
      object({ a: text }, closed),
      [' › b: property removed'],
    ],
    ['a property removed from an open object is fine', object({ a: text }), object({}), []],
    [
      'a property removed from an open object takes its default along',
      object({ a: integer({ default: 1 }) }),
      {},
      [' › a: default 1 removed'],
    ],
    [
      'a property that became required is reported',
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      [' › a: property became required'],
    ],
    [
      'a new required property is reported',
      object({}),
      object({ a: text }, { required: ['a'] }),
      [' › a: required property added'],
    ],
    ['a new optional property is fine', object({}, closed), object({ a: text }, closed), []],
    [
      'an optional property may lose its requirement',
      object({}, { required: ['a'] }),
      object({}),
      [],
    ],
    [
      'an open object that closed is reported',
      object({ a: text }),
      object({ a: text }, closed),
      [': additional properties no longer allowed'],
    ],
    [
      'a property that only a pattern takes in is reported',
      object({ x_a: { type: ['string', 'null'] } }, closed),
      object({}, { ...closed, patternProperties: { '^x_': text } }),
      [' › x_a: property removed'],
    ],
    [
      'a pattern that nothing replaces is reported',
      object({}, { ...closed, patternProperties: { '^x_': text } }),
      object({}, closed),
      [' › ^x_: pattern removed'],
    ],
    [
      'a pattern that any property replaces is fine',
      object({}, { patternProperties: { '^x_': text } }),
      object({}),
      [],
    ],
  ],
  types: [
    ['another type is reported', text, integer(), [': type changed from string to integer']],
    [
      'a removed type is reported',
      { type: ['string', 'integer'] },
      text,
      [': type "integer" removed'],
    ],
    ['a new type is fine', text, { anyOf: [text, integer()] }, []],
    [
      'a number that must be whole is reported',
      { type: 'number' },
      integer(),
      [': type narrowed from "number" to "integer"'],
    ],
    ['an integer that may be any number is fine', integer(), { type: 'number' }, []],
    ['a type where any would do is reported', {}, text, [': type narrowed from any to string']],
    [
      'a null that is refused is reported',
      { type: ['string', 'null'] },
      text,
      [': type "null" removed'],
    ],
    [
      'a null written as a variant is the same null',
      { anyOf: [text, { type: 'null' }] },
      { type: ['null', 'string'] },
      [],
    ],
    ['a schema that refuses everything is reported', text, false, [': type "string" removed']],
  ],
  values: [
    [
      'a removed enum value is reported',
      { enum: ['classic', 'fd'] },
      { enum: ['fd', 'xl'] },
      [': enum value "classic" removed'],
    ],
    ['the order of an enum never matters', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, []],
    [
      'an enum written as variants is the same enum',
      { anyOf: [{ const: 'a' }, { const: 'b' }] },
      { type: 'string', enum: ['b'] },
      [': enum value "a" removed'],
    ],
    ['a first enum is reported', text, { enum: ['a'] }, [': enum added, only "a" accepted']],
    ['an enum that opened up is fine', { enum: ['a'] }, text, []],
    [
      'an enum value outside the new pattern is reported',
      { enum: ['a', 'B'] },
      { type: 'string', pattern: '^[a-z]$' },
      [': enum value "B" removed'],
    ],
    ['a changed const is reported', { const: 1 }, { const: 2 }, [': const changed from 1 to 2']],
    ['true and false together are the boolean', { type: 'boolean' }, { enum: [true, false] }, []],
    [
      'a changed default is reported',
      integer({ default: 1 }),
      integer({ default: 2 }),
      [': default changed from 1 to 2'],
    ],
    ['a removed default is reported', integer({ default: 1 }), integer(), [': default 1 removed']],
    [
      'a default is compared by what it holds',
      { default: { a: [1, { b: 2 }], c: 3 } },
      { default: { c: 3, a: [1, { b: 2 }] } },
      [],
    ],
    [
      'a default with other content is reported',
      { default: { a: [1, { b: 2 }] } },
      { default: { a: [1, { b: 3 }] } },
      [': default changed from {"a":[1,{"b":2}]} to {"a":[1,{"b":3}]}'],
    ],
    [
      'a default of another length is reported',
      { default: [1] },
      { default: [1, 2] },
      [': default changed from [1] to [1,2]'],
    ],
    [
      'a default with one member more is reported',
      { default: {} },
      { default: { a: 1 } },
      [': default changed from {} to {"a":1}'],
    ],
    [
      'a default with another member is reported',
      { default: { b: 1 } },
      { default: { a: 1 } },
      [': default changed from {"b":1} to {"a":1}'],
    ],
    [
      'a null among the values is the null type',
      { enum: ['a', null] },
      { anyOf: [{ const: 'a' }, { type: 'null' }] },
      [],
    ],
    [
      'a listed number outside the new range is reported',
      { enum: [0, 2, 8] },
      integer({ minimum: 1, maximum: 7 }),
      [': enum value 0 removed', ': enum value 8 removed'],
    ],
    [
      'a listed fraction is no integer',
      { enum: [1, 1.5] },
      integer(),
      [': enum value 1.5 removed'],
    ],
    [
      'a listed text that is too long is reported',
      { enum: ['a', 'abc'] },
      { ...text, maxLength: 2 },
      [': enum value "abc" removed'],
    ],
    ['a listed object fits any object', { const: { a: 1 } }, { type: 'object' }, []],
    ['a first default is fine', integer(), integer({ default: 1 }), []],
  ],
  constraints: [
    [
      'a raised minimum is reported',
      integer({ minimum: 0 }),
      integer({ minimum: 1 }),
      [': minimum raised from 0 to 1'],
    ],
    ['a lowered minimum is fine', integer({ minimum: 1 }), integer({ minimum: 0 }), []],
    ['a first maximum is reported', integer(), integer({ maximum: 8 }), [': maximum 8 added']],
    [
      'a shorter text is reported',
      { ...text, maxLength: 64 },
      { ...text, maxLength: 32 },
      [': maxLength lowered from 64 to 32'],
    ],
    [
      'a shorter list is reported',
      { type: 'array', maxItems: 64 },
      { type: 'array', maxItems: 16, minItems: 1, uniqueItems: true },
      [': minItems 1 added', ': maxItems lowered from 64 to 16', ': uniqueItems true added'],
    ],
    ['a first pattern is reported', text, { ...text, pattern: '^a' }, [': pattern "^a" added']],
    ['a removed pattern is fine', { ...text, pattern: '^a' }, text, []],
    ['distinct items may repeat', { type: 'array', uniqueItems: true }, { type: 'array' }, []],
    [
      'a constraint says nothing of other types',
      { type: ['string', 'null'] },
      { type: ['string', 'null'], maximum: 3, maxItems: 3 },
      [],
    ],
  ],
};

describe.each(Object.entries(cases))('%s of a request', (_, table) => {
  it.each(table)('%s', (_sentence, before, after, expected) => {
    const changes = lines(findBreakingChanges(taking(before), taking(after)));
    expect(changes).toEqual(expected.map((rest) => body + rest));
  });
});
