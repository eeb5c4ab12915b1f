import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import {
  answer,
  answering,
  body,
  closed,
  type Json,
  lines,
  object,
  taking,
} from './sample-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const list = { type: 'array' };
const map = (additionalProperties: Json): Json => object({}, { additionalProperties });
const ref = { $ref: '#/components/schemas/Name' };

const compareBoth = (before: Json, after: Json): string[] => [
  ...lines(findBreakingChanges(taking(before), taking(after))),
  ...lines(findBreakingChanges(answering(before), answering(after))),
];

/** Each is reported when added, removed or changed, in requests and responses. */
const keywords: [keyword: string, schema: Json, one: unknown, another: unknown][] = [
  ['format', text, 'uuid', 'uri'],
  ['contentEncoding', text, 'base64', 'base16'],
  ['exclusiveMinimum', integer, 0, 1],
  ['exclusiveMaximum', { type: 'number' }, 8, 9],
  ['multipleOf', integer, 2, 4],
  ['prefixItems', list, [text], [integer]],
  ['contains', list, text, integer],
  ['unevaluatedItems', list, false, text],
  ['unevaluatedProperties', object({}), false, text],
  ['propertyNames', object({}), { maxLength: 8 }, { maxLength: 4 }],
  ['dependentRequired', object({}), {}, { title: ['a'] }],
  ['readOnly', text, true, false],
  ['writeOnly', text, true, false],
  ['not', { type: 'boolean' }, { const: true }, { const: false }],
  ['if', {}, { maxLength: 2 }, { maxLength: 3 }],
  ['not', { enum: ['a', 'b'] }, { const: 'a' }, { const: 'b' }],
  ['future', { type: 'null' }, 1, 2],
];

describe.each(keywords)('%s, which is not understood', (keyword, schema, one, another) => {
  const [plain, was, is] = [
    schema,
    { ...schema, [keyword]: one },
    { ...schema, [keyword]: another },
  ];
  const reported = (change: string): string[] => [`${body}: ${change}`, `${answer}: ${change}`];
  const [first, second] = [JSON.stringify(one), JSON.stringify(another)];

  it('is reported when it is added', () => {
    expect(compareBoth(plain, was)).toEqual(reported(`${keyword} ${first} added`));
  });

  it('is reported when it is removed', () => {
    expect(compareBoth(was, plain)).toEqual(reported(`${keyword} ${first} removed`));
  });

  it('is reported when it changes', () => {
    expect(compareBoth(was, is)).toEqual(reported(`${keyword} changed from ${first} to ${second}`));
  });

  it('may stay, described differently', () => {
    expect(compareBoth(was, { description: 'The same', ...was })).toEqual([]);
  });
});

describe('a keyword that is not understood', () => {
  it('leads on through its references', () => {
    const schema = { not: { anyOf: [ref] } };
    const [was, is] = [{ Name: text }, { Name: integer }];
    const changed = '{"anyOf":[{"$ref":"#/components/schemas/Name"}]}';
    expect(lines(findBreakingChanges(taking(schema, was), taking(schema, is)))).toEqual([
      `${body}: not changed from ${changed} to ${changed}`,
    ]);
    expect(findBreakingChanges(taking(schema, was), taking(schema, was))).toEqual([]);
  });

  it('ends where it leads back to itself', () => {
    const loop = (more: Json): Json => ({ Name: { ...text, not: { not: ref }, ...more } });
    const compare = (was: Json, is: Json) =>
      lines(findBreakingChanges(taking(ref, was), taking(ref, is)));
    expect(compare(loop({}), loop({}))).toEqual([]);
    expect(compare(loop({}), loop({ maxLength: 8 }))).toContain(`${body}: maxLength 8 added`);
  });

  it('counts in every member of a schema that several make', () => {
    const schema = (...excluded: number[]): Json => ({
      ...integer,
      allOf: excluded.map((value) => ({ not: { const: value } })),
    });
    expect(lines(findBreakingChanges(taking(schema(1)), taking(schema(1, 2))))).toEqual([
      `${body}: not changed from {"const":1} to {"const":1} and {"const":2}`,
    ]);
  });

  it('tells members of a union apart', () => {
    const uuid = { ...text, format: 'uuid' };
    const union = (maxLength: number): Json => ({ anyOf: [uuid, { ...text, maxLength }] });
    expect(lines(findBreakingChanges(taking(union(8)), taking(union(4))))).toEqual([
      `${body} › variant #2: maxLength lowered from 8 to 4`,
    ]);
  });
});

describe('a schema of properties that are not named', () => {
  const change = 'additionalProperties changed';

  it.each<[sentence: string, before: Json, after: Json]>([
    ['is another', map(text), map(integer)],
    ['is gone', map(text), object({})],
    ['is new', object({}, closed), map(text)],
    ['names one that it applied to', map(text), { ...map(text), properties: { a: integer } }],
  ])('is reported when it %s', (_, before, after) => {
    expect(compareBoth(before, after)).toEqual([`${body}: ${change}`, `${answer}: ${change}`]);
  });

  it('may stay, among the same names', () => {
    const before = { ...map(ref), properties: { a: text } };
    const after = { ...map(ref), properties: { a: { ...text, description: 'First' } } };
    const schemas = { Name: text };
    expect(findBreakingChanges(taking(before, schemas), taking(after, schemas))).toEqual([]);
  });
});

describe('a pattern that is none', () => {
  it('cannot be compared with listed values', () => {
    const broken = { ...text, pattern: '(' };
    expect(() => findBreakingChanges(taking({ const: 'a' }), taking(broken))).toThrow('(');
  });
});
