import { describe, expect, it } from 'vitest';
import { compactJson, prettyJson } from './json-text.ts';

const samples = [
  'null',
  '"a: {b}, [c] \\" d"',
  '[]',
  '{}',
  '[[],{}]',
  '[1,[2,[3]],{"a":{"b":[]},"c":-1.5e-7}]',
  '{"one":"\\\\","two":[true,false,null],"three":{"four":"ü\\u00fc 🚌"}}',
];

describe('the text of JSON', () => {
  it.each(samples)('is laid out as usual, and compacted again: %s', (text) => {
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    expect(prettyJson(text).replaceAll('\\u00fc', 'ü')).toBe(pretty);
    expect(prettyJson(pretty)).toBe(pretty);
    expect(compactJson(prettyJson(text))).toBe(text);
  });

  it('keeps numbers to the last digit, and keys that stand there twice', () => {
    const text = '{"a":18446744073709551615,"a":1.0,"b":9007199254740993}';
    const pretty = '{\n  "a": 18446744073709551615,\n  "a": 1.0,\n  "b": 9007199254740993\n}';
    expect(prettyJson(text)).toBe(pretty);
    expect(compactJson(pretty)).toBe(text);
  });
});
