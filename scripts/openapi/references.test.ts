import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from './compare.ts';
import { answer, answering, body, type Json, lines, object, taking } from './sample-document.ts';

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const node = (more: Json = {}): Json =>
  object({
    name: text,
    next: ref('Node'),
    children: { type: 'array', items: ref('Node') },
    ...more,
  });

const compare = (before: Json, after: Json): string[] => lines(findBreakingChanges(before, after));

describe('references', () => {
  it('are followed on both sides, each in its own document', () => {
    const before = answering(ref('Job'), {
      Job: object({ state: ref('State') }),
      State: { enum: ['a', 'b'] },
    });
    const after = answering(object({ state: ref('State') }), { Job: {}, State: { enum: ['b'] } });
    expect(compare(before, after)).toEqual([`${answer} › state: enum value "a" removed`]);
  });

  it('are reported at every place that uses the changed component', () => {
    const schema = object({ from: ref('Frame'), to: ref('Frame') });
    const before = answering(schema, { Frame: object({ id: text }) });
    const after = answering(schema, { Frame: object({}) });
    expect(compare(before, after)).toEqual([
      `${answer} › from › id: property removed`,
      `${answer} › to › id: property removed`,
    ]);
  });

  it('are not needed for schemas with a description to be told apart', () => {
    const described = (more: Json): Json =>
      object({ a: { ...text, description: 'First' }, b: { description: 'Second', ...more } });
    const before = taking(described({ type: ['string', 'null'] }));
    expect(compare(before, taking(described(text)))).toEqual([`${body} › b: type "null" removed`]);
  });

  it('count together with the keywords beside them', () => {
    const before = taking(ref('Name'), { Name: text });
    const after = taking({ ...ref('Name'), maxLength: 8 }, { Name: text });
    expect(compare(before, after)).toEqual([`${body}: maxLength 8 added`]);
  });

  it('are reported when they lead nowhere any more', () => {
    const before = taking(ref('Name'), { Name: text });
    const after = taking({ $ref: 'elsewhere.json' }, { Name: text });
    expect(compare(before, after)).toEqual([`${body}: dangling "elsewhere.json" added`]);
    expect(compare(after, after)).toEqual([]);
    const deeper = taking(ref('Name/type/0'), { Name: text });
    expect(compare(before, deeper)).toEqual([
      `${body}: dangling "#/components/schemas/Name/type/0" added`,
    ]);
  });

  it('may be recursive, and a change inside is then reported where it is first met', () => {
    const before = answering(ref('Node'), { Node: node({ size: { type: 'integer' } }) });
    expect(compare(before, structuredClone(before))).toEqual([]);
    expect(compare(before, answering(ref('Node'), { Node: node() }))).toEqual([
      `${answer} › size: property removed`,
    ]);
  });

  it('may be recursive through allOf, which adds its members at every level', () => {
    const chained = (more: Json): Json => ({
      allOf: [
        object({ next: ref('Node') }),
        object({ next: { description: 'The next one' }, ...more }),
      ],
    });
    const before = taking(ref('Node'), { Node: chained({ name: text }) });
    const after = taking(ref('Node'), { Node: chained({ name: { ...text, maxLength: 8 } }) });
    expect(compare(before, after)).toEqual([`${body} › name: maxLength 8 added`]);
  });

  it('may lead from a variant back to the union that lists it', () => {
    const pets = (more: Json): Json => ({
      Pet: { ...object({ name: text }), oneOf: [ref('Cat'), ref('Dog')] },
      Cat: { allOf: [ref('Pet'), object({ kind: { const: 'cat' }, ...more })] },
      Dog: { allOf: [ref('Pet'), object({ kind: { const: 'dog' } })] },
    });
    const before = answering(ref('Pet'), pets({ claws: text }));
    expect(compare(before, structuredClone(before))).toEqual([]);
    expect(compare(before, answering(ref('Pet'), pets({})))).toEqual([
      `${answer} › variant Cat › claws: property removed`,
    ]);
  });

  it('end even where a schema is only a reference to itself', () => {
    const before = taking(ref('Loop'), { Loop: ref('Loop') });
    expect(compare(before, structuredClone(before))).toEqual([]);
  });

  it('between many schemas that all use each other stay quick and complete', () => {
    const names = Array.from({ length: 30 }, (_, at) => `T${at}`);
    const all = Object.fromEntries(names.map((name) => [name, ref(name)]));
    const schemas = Object.fromEntries(
      names.map((name) => [name, object({ ...all, value: text })]),
    );
    const before = answering(ref('T0'), schemas);
    const after = answering(ref('T0'), { ...schemas, T29: object(all) });
    expect(compare(before, structuredClone(before))).toEqual([]);
    expect(compare(before, after)).toEqual([
      expect.stringMatching(/ › T29 › value: property removed$/),
    ]);
  });
});

describe('variants behind references', () => {
  const union = { oneOf: [ref('Can'), ref('Lin')] };
  const can = object({ id: { type: 'integer' } }, { required: ['id'] });
  const lin = object({ node: text }, { required: ['node'] });

  it('are named after their component and told apart by that name', () => {
    const before = taking(union, { Can: can, Lin: lin });
    const after = taking(union, { Can: { ...can, required: ['id', 'node'] }, Lin: lin });
    expect(compare(before, after)).toEqual([
      `${body} › variant Can › node: required property added`,
    ]);
  });

  it('do not take the place of a removed one', () => {
    const narrow = { ...lin, maxProperties: 1 };
    const before = taking(union, { Can: can, Lin: lin });
    const after = taking({ oneOf: [ref('Lin')] }, { Can: can, Lin: narrow });
    expect(compare(before, after)).toEqual([
      `${body} › variant Can: variant removed`,
      `${body} › variant Lin: maxProperties 1 added`,
    ]);
  });
});
