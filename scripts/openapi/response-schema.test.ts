import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import { answer, answering, closed, type Json, lines, object } from './sample-document.ts';

type Case = [sentence: string, before: Json, after: Json, expected: string[]];

const text = { type: 'string' };
const integer = (more: Json = {}): Json => ({ type: 'integer', ...more });
const list = (items: Json): Json => ({ type: 'array', items });
const failure = (...codes: string[]): Json =>
  object({ error: object({ code: { type: 'string', enum: codes } }) });
const can = object({ kind: { const: 'can' }, id: integer() });
const lin = object({ kind: { const: 'lin' }, node: text });

const cases: Record<string, Case[]> = {
  properties: [
    ['a removed property is reported', object({ a: text }), object({}), [' › a: property removed']],
    [
      'a new property is fine',
      object({ a: text }, closed),
      object({ a: text, b: text }, closed),
      [],
    ],
    [
      'a property that became optional is reported',
      object({ a: text }, { required: ['a'] }),
      object({ a: text }),
      [' › a: property became optional'],
    ],
    [
      'a required property that is gone is reported once',
      object({ a: text }, { required: ['a'] }),
      object({}),
      [' › a: property removed'],
    ],
    [
      'a property that became required is fine',
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      [],
    ],
    ['an object may open up or close', object({ a: text }, closed), object({ a: text }), []],
    ['an open object that documented nothing may close', object({}), object({}, closed), []],
    [
      'a removed pattern is reported',
      object({}, { patternProperties: { '^x_': text } }),
      object({}),
      [' › ^x_: pattern removed'],
    ],
  ],
  types: [
    ['a new type is reported', text, { type: ['string', 'integer'] }, [': type "integer" added']],
    ['a new null is reported', text, { anyOf: [text, { type: 'null' }] }, [': type "null" added']],
    [
      'a type that vanished is reported',
      { type: ['string', 'null'] },
      text,
      [': type "null" removed'],
    ],
    [
      'an integer with fractions is reported',
      integer(),
      { type: 'number' },
      [': type widened from "integer" to "number"'],
    ],
    ['a number without fractions is fine', { type: 'number' }, integer(), []],
    [
      'a number of any kind that is new is reported',
      { enum: ['a'] },
      { enum: ['a', 1.5] },
      [': type "number" added'],
    ],
    [
      'a union of integers and numbers is a number',
      text,
      { type: ['string', 'integer', 'number'] },
      [': type "number" added'],
    ],
    ['any type where there was one is reported', text, {}, [': type widened from string to any']],
    ['a type where there was any is fine', {}, text, []],
  ],
  values: [
    [
      'a removed enum value is reported with its place',
      object({ jobs: list(object({ state: { enum: ['queued', 'running'] } })) }),
      object({ jobs: list(object({ state: { enum: ['running'] } })) }),
      [' › jobs[] › state: enum value "queued" removed'],
    ],
    ['a new enum value is fine', { enum: ['queued'] }, { enum: ['queued', 'failed'] }, []],
    [
      'a new literal variant is a new enum value',
      { anyOf: [{ const: 'a' }] },
      { anyOf: [{ const: 'a' }, { const: 'b' }] },
      [],
    ],
    [
      'an enum value of a new type is reported',
      { enum: ['a'] },
      { enum: ['a', 1] },
      [': type "integer" added'],
    ],
    [
      'a lost enum is reported',
      { enum: ['a', 'b'] },
      text,
      [': enum removed, "a", "b" no longer documented'],
    ],
    ['a constant that became a boolean is fine', { const: true }, { type: 'boolean' }, []],
    ['a first enum is fine', text, { enum: ['a'] }, []],
    [
      'another const is reported',
      { const: 'a' },
      { const: 'b' },
      [': const changed from "a" to "b"'],
    ],
    [
      'a removed error code is reported',
      failure('busy', 'no_sample'),
      failure('no_sample', 'already_exists'),
      [' › error › code: enum value "busy" removed'],
    ],
    ['another default is fine', integer({ default: 1 }), integer({ default: 2 }), []],
  ],
  constraints: [
    [
      'a wider range is reported',
      integer({ maximum: 8 }),
      integer({ maximum: 64 }),
      [': maximum raised from 8 to 64'],
    ],
    [
      'a range without an end is reported',
      integer({ minimum: 0 }),
      integer(),
      [': minimum 0 removed'],
    ],
    ['a tighter range is fine', integer(), integer({ minimum: 0, maximum: 8 }), []],
    [
      'a list that may be empty is reported',
      { ...list(text), minItems: 1 },
      list(text),
      [': minItems 1 removed'],
    ],
    ['distinct items are fine', list(text), { ...list(text), uniqueItems: true }, []],
    [
      'a number that is whole from now on keeps its range',
      { type: 'number', minimum: 0.5 },
      integer({ minimum: 0.5 }),
      [],
    ],
    [
      'repeated items are reported',
      { ...list(text), uniqueItems: true },
      list(text),
      [': uniqueItems true removed'],
    ],
  ],
  compositions: [
    [
      'a new variant is reported',
      { oneOf: [can] },
      { oneOf: [can, lin] },
      [' › variant kind "lin": variant added'],
    ],
    [
      'a removed variant is reported',
      { oneOf: [can, lin] },
      { oneOf: [can] },
      [' › variant kind "lin": variant removed'],
    ],
    ['another order is fine', { oneOf: [can, lin] }, { oneOf: [lin, can] }, []],
    [
      'a change inside a variant is reported inside that variant',
      { oneOf: [can, lin] },
      { oneOf: [lin, object({ kind: { const: 'can' } })] },
      [' › variant kind "can" › id: property removed'],
    ],
    [
      'a variant is told by what all its members say of a property together',
      { allOf: [object({ kind: { type: 'string' } })], oneOf: [can, lin] },
      { allOf: [object({ kind: { type: 'string' } })], oneOf: [can] },
      [' › variant kind "lin": variant removed'],
    ],
    [
      'a replaced variant is both removed and added',
      { oneOf: [can, lin] },
      { oneOf: [can, object({ kind: { const: 'modbus' } })] },
      [' › variant kind "lin": variant removed', ' › variant kind "modbus": variant added'],
    ],
    [
      'a new variant that an old one covers is fine',
      { anyOf: [text, integer()] },
      { anyOf: [text, integer(), { ...text, maxLength: 8 }] },
      [],
    ],
    [
      'a removed member of allOf takes its properties with it',
      { allOf: [can, object({ a: text })] },
      { allOf: [can] },
      [' › a: property removed'],
    ],
  ],
};

describe.each(Object.entries(cases))('%s of a response', (_, table) => {
  it.each(table)('%s', (_sentence, before, after, expected) => {
    const changes = lines(findBreakingChanges(answering(before), answering(after)));
    expect(changes).toEqual(expected.map((rest) => answer + rest));
  });
});
