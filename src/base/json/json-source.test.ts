import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSource } from './json-source.ts';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

const written =
  '{ "b" : 1 ,\n "10":[ 9007199254740993.0, 1e2,{},[ ] ],"2":"a \\" \\u0041 : {é😀" }';
const short = '{"b":1,"10":[9007199254740993.0,1e2,{},[]],"2":"a \\" \\u0041 : {é😀"}';

describe('JsonSource', () => {
  it('keeps order, numbers and escapes, and no white space between them', () => {
    expect(new JsonSource(written).text).toBe(short);
    expect(stringifyJson({ a: new JsonSource(written) })).toBe(`{"a":${short}}`);
  });

  it('is written in lines inside of other values', () => {
    const text = stringifyJson({ a: [new JsonSource(written)] }, 2);
    expect(text).toBe(`{
  "a": [
    {
      "b": 1,
      "10": [
        9007199254740993.0,
        1e2,
        {},
        []
      ],
      "2": "a \\" \\u0041 : {é😀"
    }
  ]
}`);
  });

  it('is divided as JSON.stringify divides values, and knows how much that adds', () => {
    const run = (value: unknown, layout: number): void => {
      const compact = JSON.stringify(value);
      const source = new JsonSource(JSON.stringify(value, undefined, layout));
      expect(source.text).toBe(compact);
      const lines = JSON.stringify(value, undefined, 2);
      expect(source.inLines('  ', '')).toBe(lines);
      expect(source.spreadInLines('  ', '')).toBe(lines.length - compact.length);
    };
    fc.assert(fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), run), { seed: 7 });
  });

  it('is no value that JSON.stringify could change unseen', () => {
    expect(() => JSON.stringify([new JsonSource('{}')])).toThrow(/stringifyJson/);
  });

  it('is what a reader gives for objects where its caller asks, read as strictly as all', () => {
    const read = (text: string) => parseJson(text, { sourceAt: ['rows', null, 'context'] });
    const other = '"context":{"2":1,"1":1}';
    const text = `{"rows":[{"context": ${written},"in":{${other}}},{"context":[1]}],${other}}`;
    expect(read(text)).toEqual({
      rows: [{ context: new JsonSource(short), in: { context: { 1: 1, 2: 1 } } }, { context: [1] }],
      context: { 1: 1, 2: 1 },
    });
    expect(() => read('{"rows":[{"context":{"a":{"b":1,"b":2}}}]}')).toThrow('the key is repeated');
    expect(() => read('{"rows":[{"context":{"a":1e999}}]}')).toThrow('too large');
    expect(() => read('{"rows":[{"context":{"a":1}]}')).toThrow('a comma or a closing brace');
  });
});
