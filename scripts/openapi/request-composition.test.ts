import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import { body, closed, type Json, lines, object, taking } from './sample-document.ts';

type Schema = Json | boolean;
type Case = [sentence: string, before: Schema, after: Schema, expected: string[]];

const text = { type: 'string' };
const integer = (more: Json = {}): Json => ({ type: 'integer', ...more });
const can = object({ kind: { const: 'can' }, id: integer() }, { ...closed, required: ['kind'] });
const withVersion = (schema: Json): Json => ({
  ...schema,
  properties: {
    version: { const: 1 },
    flavour: { enum: ['a', 'b'] },
    ...(schema.properties as Json),
  },
});
const lin = object({ kind: { const: 'lin' }, node: text }, { ...closed, required: ['kind'] });

const cases: Record<string, Case[]> = {
  compositions: [
    [
      'allOf is read as one schema',
      { allOf: [object({ a: text }), object({ b: text }, { required: ['b'] })] },
      object({ a: text, b: text }, { required: ['b'] }),
      [],
    ],
    [
      'a member of allOf that asks for more is reported',
      { allOf: [object({ a: text })] },
      { allOf: [object({ a: text }), object({ a: { maxLength: 3 } })] },
      [' › a: maxLength 3 added'],
    ],
    [
      'a removed variant is reported',
      { oneOf: [can, lin] },
      { oneOf: [lin] },
      [' › variant kind "can": variant removed'],
    ],
    ['a new variant and another order are fine', { oneOf: [can] }, { oneOf: [lin, can] }, []],
    [
      'a property that is the same everywhere tells no variants apart',
      { oneOf: [withVersion(can), withVersion(lin)] },
      { oneOf: [withVersion(can)] },
      [' › variant kind "lin": variant removed'],
    ],
    [
      'an open variant takes no other in by accident',
      { oneOf: [object({ id: text }), object({ node: text })] },
      { oneOf: [object({ node: integer() }), object({ id: text })] },
      [' › variant #2 › node: type changed from string to integer'],
    ],
    ['variants merged into a wider one are fine', { oneOf: [can, lin] }, { type: 'object' }, []],
    [
      'a change inside a variant is reported inside that variant',
      { oneOf: [can, lin] },
      { oneOf: [{ ...lin, required: ['kind', 'node'] }, can] },
      [' › variant kind "lin" › node: property became required'],
    ],
    [
      'variants without a tag are told apart by what fits best',
      {
        anyOf: [
          { ...text, format: 'uuid' },
          { ...text, maxLength: 8 },
        ],
      },
      {
        anyOf: [
          { ...text, maxLength: 4 },
          { ...text, format: 'uuid' },
        ],
      },
      [' › variant #2: maxLength lowered from 8 to 4'],
    ],
  ],
  lists: [
    [
      'items are shown with brackets',
      object({ rows: { type: 'array', items: { type: 'array', items: { enum: [1, 2] } } } }),
      object({ rows: { type: 'array', items: { type: 'array', items: { enum: [1, 3] } } } }),
      [' › rows[][]: enum value 2 removed'],
    ],
  ],
};

describe.each(Object.entries(cases))('%s of a request', (_, table) => {
  it.each(table)('%s', (_sentence, before, after, expected) => {
    const changes = lines(findBreakingChanges(taking(before), taking(after)));
    expect(changes).toEqual(expected.map((rest) => body + rest));
  });
});
