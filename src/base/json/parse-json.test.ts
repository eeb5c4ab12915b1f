import { describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { parseJson } from './parse-json.ts';

const refusalOf = (text: string, maxDepth?: number): BusbarError => {
  try {
    parseJson(text, maxDepth === undefined ? {} : { maxDepth });
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown;
    throw thrown;
  }
  throw new Error('the text was accepted');
};

describe('parseJson on documents it accepts', () => {
  it.each([
    'null',
    ' \t\r\n[ ] ',
    '{ }',
    '{"a":[true,false,null,{"b":"c"}],"":{}}',
    '[0,-0,1,-1,0.5,-0.0,0e9,0e-9,1E3,1e+2,1.0,10.00e-1,123456789012345,1234567890123456,0.1e1]',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u00fC\\uFFFF"',
    '"a plain string that is longer than any short run, and then some"',
    '"raw 😀 and escaped \\ud83d\\uDE00, and the delete character \u007f"',
    '["x","\\u2028\u2028\ufeff"]',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseJson(text)).toStrictEqual(JSON.parse(text));
  });

  it('keeps the sign of negative zero', () => {
    expect(parseJson('-0')).toBe(-0);
    expect(parseJson('-0.0e5')).toBe(-0);
    expect(parseJson('0')).toBe(0);
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['999999999999999', 999999999999999],
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993e0', 9007199254740992],
    [`1${'0'.repeat(308)}`, 10n ** 308n],
  ])('reads the literal %s exactly when it is an integer', (literal, value) => {
    expect(parseJson(literal)).toBe(value);
    expect(parseJson(`[${literal} ]`)).toStrictEqual([value]);
  });

  it.each([
    ['1.0000000000000000001', 1],
    ['0.99999999999999999999', 1],
    ['-3.00000000000000000001', -3],
    ['29999999999999999999.9e-19', 3],
    ['4503599627370495.99999', 2 ** 52],
    ['1e-400', 0],
    ['-0.1e-400', 0],
  ])('takes %s, which rounds to %d, for no integer', (literal, rounded) => {
    expect(Number(literal)).toEqual(rounded === 0 ? expect.closeTo(0) : rounded);
    const value = parseJson(literal) as number;
    expect(Number.isInteger(value)).toBe(false);
    expect(Math.abs(value - rounded)).toBeLessThanOrEqual(
      Math.abs(rounded) * Number.EPSILON + Number.MIN_VALUE,
    );
  });

  it('makes __proto__ an own property and leaves the prototype alone', () => {
    const value = parseJson('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toStrictEqual(['__proto__', 'a']);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toStrictEqual({
      value: { admin: true },
      configurable: true,
      enumerable: true,
      writable: true,
    });
    expect('admin' in value).toBe(false);
  });

  it('takes the names of inherited members as ordinary keys', () => {
    const text = '{"constructor":1,"hasOwnProperty":2,"toString":3,"valueOf":4}';
    expect(Object.entries(parseJson(text) as object)).toStrictEqual([
      ['constructor', 1],
      ['hasOwnProperty', 2],
      ['toString', 3],
      ['valueOf', 4],
    ]);
  });

  it('allows the same key in different objects', () => {
    expect(parseJson('{"a":{"a":1},"b":[{"a":2},{"a":3}]}')).toStrictEqual({
      a: { a: 1 },
      b: [{ a: 2 }, { a: 3 }],
    });
  });

  it('counts open containers, not all containers, against the depth', () => {
    expect(parseJson('[[],{},[1]]', { maxDepth: 2 })).toStrictEqual([[], {}, [1]]);
    expect(parseJson('7', { maxDepth: 0 })).toBe(7);
    expect(parseJson('['.repeat(64) + ']'.repeat(64))).toHaveLength(1);
  });
});

describe('parseJson on documents it refuses', () => {
  it.each([
    // text, reason, line, column, field
    ['{"a":1,"a":2}', 'duplicate_key', 1, 8, 'a'],
    ['{"a":1,\n "\\u0061":2}', 'duplicate_key', 2, 2, 'a'],
    ['{"é":1,"\\u00e9":2}', 'duplicate_key', 1, 8, 'é'],
    ['{"/":1,"\\/":2}', 'duplicate_key', 1, 8, '/'],
    ['{"x":[0,{"__proto__":1,"__proto__":2}]}', 'duplicate_key', 1, 24, 'x[1].__proto__'],
    ['{"constructor":1,"constructor":2}', 'duplicate_key', 1, 18, 'constructor'],
    ['{"1":1,"1":2}', 'duplicate_key', 1, 8, '1'],
    ['{"":1,"":2}', 'duplicate_key', 1, 7, '[""]'],
    ['"a\0"', 'nul', 1, 3, ''],
    ['"a\\u0000"', 'nul', 1, 3, ''],
    ['{"a":{"b":["x","\\u0000"]}}', 'nul', 1, 17, 'a.b[1]'],
    ['{"a":{"b\0":1}}', 'nul', 1, 9, 'a'],
    ['{"a":1,"\\u0000":1}', 'nul', 1, 9, ''],
    ['"long enough to leave the loop behind\\u0000"', 'nul', 1, 38, ''],
    ['"a\u0001"', 'control_character', 1, 3, ''],
    ['["a\n"]', 'control_character', 1, 4, '[0]'],
    ['"\u001f"', 'control_character', 1, 2, ''],
    ['"\\ud800"', 'lone_surrogate', 1, 2, ''],
    ['"\\udc00"', 'lone_surrogate', 1, 2, ''],
    ['"\\udc00\\ud800"', 'lone_surrogate', 1, 2, ''],
    ['"\\ud83d\\ud83d\\ude00"', 'lone_surrogate', 1, 2, ''],
    ['"\\ud83d\\u0041"', 'lone_surrogate', 1, 2, ''],
    ['"\ud800"', 'lone_surrogate', 1, 2, ''],
    ['"\ud83d', 'lone_surrogate', 1, 2, ''],
    ['"😀\ude00"', 'lone_surrogate', 1, 4, ''],
    ['"\ud83d\\ude00"', 'lone_surrogate', 1, 2, ''],
    ['"\\ud83d\ude00"', 'lone_surrogate', 1, 2, ''],
    ['{"\\ud800":1}', 'lone_surrogate', 1, 3, ''],
    ['1 2', 'trailing_data', 1, 3, ''],
    ['{"a":1}\n}', 'trailing_data', 2, 1, ''],
    ['[1],', 'trailing_data', 1, 4, ''],
    ['nulll', 'trailing_data', 1, 5, ''],
    ['null\0', 'trailing_data', 1, 5, ''],
    ['01', 'bad_number', 1, 1, ''],
    ['-', 'bad_number', 1, 2, ''],
    ['-01', 'bad_number', 1, 2, ''],
    ['[00]', 'bad_number', 1, 2, '[0]'],
    ['-Infinity', 'bad_number', 1, 2, ''],
    ['{"a":[1.]}', 'bad_number', 1, 9, 'a[0]'],
    ['1.e5', 'bad_number', 1, 3, ''],
    ['[1e]', 'bad_number', 1, 4, '[0]'],
    ['1e', 'bad_number', 1, 3, ''],
    ['1E+', 'bad_number', 1, 4, ''],
    ['[1e999]', 'number_out_of_range', 1, 2, '[0]'],
    ['{"a":-1.5e400}', 'number_out_of_range', 1, 6, 'a'],
    [`[0, ${'9'.repeat(400)}]`, 'number_out_of_range', 1, 5, '[1]'],
    ['', 'syntax', 1, 1, ''],
    [' \n ', 'syntax', 2, 2, ''],
    ['\ufeff{}', 'syntax', 1, 1, ''],
    ['\u00a01', 'syntax', 1, 1, ''],
    ['tru', 'syntax', 1, 1, ''],
    ['True', 'syntax', 1, 1, ''],
    ['NaN', 'syntax', 1, 1, ''],
    ['+1', 'syntax', 1, 1, ''],
    ['.5', 'syntax', 1, 1, ''],
    ["'a'", 'syntax', 1, 1, ''],
    ['[1,]', 'syntax', 1, 4, '[1]'],
    ['[1 2]', 'syntax', 1, 4, ''],
    ['{"a":[1', 'syntax', 1, 8, 'a'],
    ['[,1]', 'syntax', 1, 2, '[0]'],
    ['[', 'syntax', 1, 2, '[0]'],
    ['{"a":1,}', 'syntax', 1, 8, ''],
    ['{"b":{"a":1 "c":2}}', 'syntax', 1, 13, 'b'],
    ['{"a" 1}', 'syntax', 1, 6, 'a'],
    ['{"a":}', 'syntax', 1, 6, 'a'],
    ['{a:1}', 'syntax', 1, 2, ''],
    ['{', 'syntax', 1, 2, ''],
    ['[1}', 'syntax', 1, 3, ''],
    ['[[1],{]', 'syntax', 1, 7, '[1]'],
    ['// no\n1', 'syntax', 1, 1, ''],
    ['"abc', 'syntax', 1, 5, ''],
    ['"abc\\', 'syntax', 1, 6, ''],
    ['"abc\\"', 'syntax', 1, 7, ''],
    ['"\\x41"', 'syntax', 1, 2, ''],
    ['"\\u12G4"', 'syntax', 1, 2, ''],
    ['"\\u12', 'syntax', 1, 2, ''],
    ['{\r\n  "a": [\r\n    tru\r\n  ]\r\n}', 'syntax', 3, 5, 'a[0]'],
  ])('refuses %j with reason, place and field', (text, reason, line, column, field) => {
    const error = refusalOf(text);
    expect(error.code).toBe('invalid_argument');
    expect(error.details).toStrictEqual({ field, reason, line, column });
    expect(error.message).toContain(`line ${line}, column ${column}`);
    if (field !== '') expect(error.message).toContain(` in ${field}:`);
  });

  it.each([
    ['[[[]]]', 2, 3, '[0][0]'],
    ['{"a":{"b":[]}}', 2, 11, 'a.b'],
    ['[[1],[[2]]]', 2, 7, '[1][0]'],
    ['{}', 0, 1, ''],
  ])('refuses %s when %i levels are allowed', (text, maxDepth, column, field) => {
    const { details, message } = refusalOf(text, maxDepth);
    expect(details).toStrictEqual({ field, reason: 'too_deep', line: 1, column });
    expect(message).toContain(`more than ${maxDepth} `);
  });

  it('allows 64 levels unless told otherwise, and never more than 1000', () => {
    expect(refusalOf('['.repeat(65) + ']'.repeat(65)).details).toMatchObject({ column: 65 });
    const nested = '['.repeat(1001) + ']'.repeat(1001);
    expect(refusalOf(nested, Number.POSITIVE_INFINITY).details).toMatchObject({ column: 1001 });
    expect(parseJson(nested.slice(1, -1), { maxDepth: 1000 })).toHaveLength(1);
  });

  it('knows the escapes that JSON knows, and no others', () => {
    const known = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => {
        const text = `"\\${character}"`;
        try {
          return parseJson(text) === JSON.parse(text);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(BusbarError);
          return false;
        }
      },
    );
    expect(known.join('')).toBe('"/\\bfnrt');
  });

  it('names a byte order mark as what it is', () => {
    expect(refusalOf('\ufeff{}').message).toContain('byte order mark');
  });

  it('shows nothing of the document but the keys on the way to the flaw', () => {
    const error = refusalOf('{"token":"secret-1","list":["secret-2",{"pin":424242 "secret-3"}]}');
    expect(JSON.stringify(error.toRecord())).not.toMatch(/secret|4242|token/);
    expect(error.message).toBe(
      'Invalid JSON at line 1, column 54 in list[1]: expected a comma or a closing brace',
    );
  });
});
