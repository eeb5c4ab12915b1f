import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { cases } from '../testing/long.ts';
import { parseJson } from './parse-json.ts';
import { ExactWriter, stringifyJson } from './stringify-json.ts';

const caught = (act: () => unknown): unknown => {
  try {
    act();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

describe('stringifyJson', () => {
  it('writes integers of any size with all their digits', () => {
    const value = { max: 18446744073709551615n, min: -9223372036854775808n, small: [7n, 7, -0] };
    expect(stringifyJson(value)).toBe(
      '{"max":18446744073709551615,"min":-9223372036854775808,"small":[7,7,0]}',
    );
    expect(stringifyJson(2n ** 64n)).toBe('18446744073709551616');
  });

  it.each([
    ['0', 0],
    ['u64 maximum', 2n ** 64n - 1n],
    ['s64 maximum', 2n ** 63n - 1n],
    ['s64 minimum', -(2n ** 63n)],
    ['first integer past the safe ones', 2n ** 53n],
    ['its negative', -(2n ** 53n)],
    ['largest safe integer', 2 ** 53 - 1],
    ['smallest safe integer', -(2 ** 53 - 1)],
  ])('brings the %s through a round trip', (_name, value) => {
    const wrapped = { values: [value], value };
    expect(parseJson(stringifyJson(wrapped))).toStrictEqual(wrapped);
    expect(parseJson(stringifyJson(wrapped, 2))).toStrictEqual(wrapped);
  });

  it('indents like JSON.stringify', () => {
    expect(stringifyJson({ a: [1n, {}, []] }, 2)).toBe(
      '{\n  "a": [\n    1,\n    {},\n    []\n  ]\n}',
    );
    expect(stringifyJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('lets a value choose its own form by toJSON, once and with its key', () => {
    const asText = { toJSON: (key: string) => ({ key, at: new Date(0), big: 1n, toJSON: 'x' }) };
    expect(stringifyJson({ a: asText, b: [asText] })).toBe(
      '{"a":{"key":"a","at":"1970-01-01T00:00:00.000Z","big":1,"toJSON":"x"},' +
        '"b":[{"key":"0","at":"1970-01-01T00:00:00.000Z","big":1,"toJSON":"x"}]}',
    );
  });

  it('writes a value that occurs twice, side by side, twice', () => {
    const shared = { n: 1n };
    expect(stringifyJson([shared, shared])).toBe('[{"n":1},{"n":1}]');
  });

  it('throws errors with a code for what has no JSON form', () => {
    const loop: unknown[] = [1n];
    loop.push({ loop });
    const broken = {
      toJSON: () => {
        throw new TypeError('broken');
      },
    };
    for (const value of [undefined, () => 1, Symbol('s'), loop, [loop], broken]) {
      const thrown = caught(() => stringifyJson(value));
      expect(thrown).toBeInstanceOf(BusbarError);
      expect(thrown).toMatchObject({ code: 'internal_error' });
    }
  });

  it('tells a value that contains itself from one that is merely deep', () => {
    const loop: Record<string, unknown> = { big: 1n };
    loop.items = [loop];
    expect(() => stringifyJson(loop)).toThrow('contains itself');
  });

  it('throws an error with a code when the nesting exhausts the stack', () => {
    let deep: unknown = 1n;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(caught(() => stringifyJson(deep))).toMatchObject({ code: 'internal_error' });
  });
});

describe('ExactWriter beside JSON.stringify', () => {
  const anything = fc.anything({
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withObjectString: true,
    stringUnit: 'binary',
  });

  it('writes the same text for whatever holds no bigint', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: -1, max: 12 }), (value, indent) => {
        expect(new ExactWriter(indent).write(value)).toBe(JSON.stringify(value, null, indent));
      }),
      { seed: 11, numRuns: cases(600, 3000) },
    );
  });
});
