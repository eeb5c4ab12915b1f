import { describe, expect, it } from 'vitest';
import type { MathFunction } from '../project/tables/mappings.ts';
import { mathFunctions } from '../project/tables/mappings.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { compileTransform } from './compile-transform.ts';
import { type BuiltIn, outputsOf, runTransform, slotsOf } from './testing/run-transform.ts';

const minInt64 = '-9223372036854775808';
const maxInt64 = '9223372036854775807';
const maxUint64 = '18446744073709551615';

/** Function, input types and values, output type, and its value or null for an error. */
type Case = readonly [MathFunction, string, string, SignalType, string | null];

const i: SignalType = 'int64';
const u: SignalType = 'uint64';
const f: SignalType = 'float64';
const b: SignalType = 'bool';

const cases: readonly Case[] = [
  ['add', 'i i', '9007199254740991 1', i, '9007199254740992'],
  ['add', 'i i', '9007199254740991 2', i, '9007199254740993'],
  ['add', 'i i', '9007199254740991 1', f, '9007199254740992'],
  ['add', 'i i', '9007199254740991 2', f, null],
  ['add', 'i i i', '9007199254740991 2 -5', i, '9007199254740988'],
  ['add', 'i i', `${maxInt64} 1`, i, null],
  ['add', 'i i', `${maxInt64} 1`, u, '9223372036854775808'],
  ['add', 'u u', `${maxUint64} 1`, u, null],
  ['add', 'u u', `${maxUint64} 1`, f, '18446744073709551616'],
  ['add', 'u i', `${maxUint64} ${minInt64}`, i, maxInt64],
  ['add', 'f f', '0.1 0.2', f, '0.30000000000000004'],
  ['add', 'f i', '0.5 2', f, '2.5'],
  ['add', 'f f', '0.5 0.5', i, '1'],
  ['add', 'f f', '0.5 0.25', i, null],
  ['add', 'f f', '1e308 1e308', f, null],
  ['add', 'b b', '1 1', i, '2'],
  ['add', 'b b', '1 1', b, null],
  ['sub', 'u u', '1 2', u, null],
  ['sub', 'u u', '1 2', i, '-1'],
  ['sub', 'i i', `${minInt64} 1`, i, null],
  ['sub', 'f f', '1 1', f, '0'],
  ['mul', 'i i', '3037000500 3037000500', i, null],
  ['mul', 'i i', '3037000500 3037000500', u, '9223372037000250000'],
  ['mul', 'i i i', '9007199254740991 3 0', i, '0'],
  ['mul', 'i i', '-1 0', i, '0'],
  [
    'mul',
    'i i',
    '4611686018427387904 4611686018427387904',
    f,
    '21267647932558653966460912964485513216',
  ],
  ['mul', 'f f', '-1 0', f, '0'],
  ['div', 'i i', '7 2', i, null],
  ['div', 'i i', '7 2', f, '3.5'],
  ['div', 'i i', '-8 2', i, '-4'],
  ['div', 'i i', '1 0', f, null],
  ['div', 'i i', '0 0', i, null],
  ['div', 'i i', `${minInt64} -1`, i, null],
  ['div', 'i i', `${minInt64} -1`, u, '9223372036854775808'],
  ['div', 'u u', `${maxUint64} 5`, u, '3689348814741910323'],
  ['div', 'u u', `${maxUint64} 5`, f, null],
  ['div', 'u u', `${maxUint64} 2`, f, '9223372036854775808'],
  ['div', 'f f', '1 0', f, null],
  ['div', 'f f', '0 0', f, null],
  ['div', 'f f', '0 -5', f, '0'],
  ['mod', 'i i', '-7 3', i, '-1'],
  ['mod', 'i i', '7 -3', i, '1'],
  ['mod', 'i i', '-6 3', f, '0'],
  ['mod', 'i i', '7 0', i, null],
  ['mod', 'u u', `${maxUint64} 10`, u, '5'],
  ['mod', 'i i', `${minInt64} 10`, i, '-8'],
  ['mod', 'f f', '-5.5 2', f, '-1.5'],
  ['mod', 'f f', '5.5 0', f, null],
  ['pow', 'i i', '2 62', i, '4611686018427387904'],
  ['pow', 'i i', '2 63', i, null],
  ['pow', 'i i', '-2 63', i, minInt64],
  ['pow', 'i i', '2 63', u, '9223372036854775808'],
  ['pow', 'i i', '2 64', u, null],
  ['pow', 'i i', '2 64', f, '18446744073709551616'],
  ['pow', 'i i', '3 39', u, '4052555153018976267'],
  ['pow', 'i i', '3 40', u, '12157665459056928801'],
  ['pow', 'i i', '3 40', f, null],
  ['pow', 'i i', '5 23', i, '11920928955078125'],
  ['pow', 'i i', `2 ${maxInt64}`, i, null],
  ['pow', 'i i', `-1 ${maxInt64}`, i, '-1'],
  ['pow', 'i i', `0 ${maxInt64}`, i, '0'],
  ['pow', 'i i', '0 0', i, '1'],
  ['pow', 'i i', '0 -1', f, null],
  ['pow', 'i i', '2 -2', f, '0.25'],
  ['pow', 'i i', '2 -2', i, null],
  ['pow', 'i i', '-1 -3', i, '-1'],
  ['pow', 'i i', `2 ${minInt64}`, f, '0'],
  ['pow', 'f f', '2 0.5', f, '1.4142135623730951'],
  ['pow', 'f f', '-8 0.5', f, null],
  ['pow', 'f f', '10 400', f, null],
  ['min', 'i f', '9007199254740993 9007199254740992', i, '9007199254740992'],
  ['max', 'i f', '9007199254740993 9007199254740992', i, '9007199254740993'],
  ['max', 'i f', '9007199254740993 9007199254740992', f, null],
  ['max', 'u i i', `${maxUint64} -1 5`, u, maxUint64],
  ['min', 'u i i', `${maxUint64} -1 5`, i, '-1'],
  ['min', 'f f', '0.5 2', i, null],
  ['max', 'f f', '0.5 2', i, '2'],
  ['average', 'i i', '1 2', i, null],
  ['average', 'i i', '1 2', f, '1.5'],
  ['average', 'i i', '1 3', i, '2'],
  ['average', 'i i', `${maxInt64} ${maxInt64}`, i, maxInt64],
  ['average', 'i i', `${maxInt64} ${maxInt64}`, f, null],
  ['average', 'i i i', '1 1 2', f, '1.3333333333333333'],
  ['average', 'u u', `${maxUint64} 0`, f, '9223372036854775808'],
  ['average', 'f f', '0.1 0.2', f, '0.15000000000000002'],
  ['average', 'f f', '1 2', i, null],
  ['and', 'b b b', '1 1 1', b, '1'],
  ['and', 'b b b', '1 0 1', b, '0'],
  ['or', 'b b', '0 0', b, '0'],
  ['or', 'b b', '0 1', b, '1'],
  ['xor', 'b b b', '1 1 1', b, '1'],
  ['xor', 'b b', '1 1', b, '0'],
  ['not', 'b', '1', b, '0'],
  ['not', 'b', '0', b, '1'],
  ['abs', 'i', minInt64, i, null],
  ['abs', 'i', minInt64, u, '9223372036854775808'],
  ['abs', 'f', '-2.5', f, '2.5'],
  ['neg', 'i', minInt64, i, null],
  ['neg', 'u', '9223372036854775808', i, minInt64],
  ['neg', 'i', '0', f, '0'],
  ['neg', 'f', '0', f, '0'],
  ['sqrt', 'i', '16', i, '4'],
  ['sqrt', 'i', '15', i, null],
  ['sqrt', 'i', '2', f, '1.4142135623730951'],
  ['sqrt', 'i', '-1', f, null],
  ['sqrt', 'i', '4611686022722355201', i, '2147483649'],
  ['sqrt', 'i', '4611686022722355200', i, null],
  ['sqrt', 'u', '18446744065119617025', u, '4294967295'],
  ['sqrt', 'f', '-0.25', f, null],
  ['exp', 'i', '0', i, '1'],
  ['exp', 'i', '40', i, null],
  ['exp', 'f', '1', f, '2.718281828459045'],
  ['exp', 'f', '1000', f, null],
  ['ln', 'i', '1', i, '0'],
  ['ln', 'f', '0', f, null],
  ['ln', 'f', '-1', f, null],
  ['log10', 'i', '1000000000000000', i, '15'],
  ['log10', 'i', '1000000000000001', i, null],
  ['log10', 'u', '10000000000000000000', i, '19'],
  ['log10', 'u', '10000000000000000001', i, null],
  ['log10', 'i', '0', i, null],
  ['log10', 'f', '1000', f, '3'],
  ['sin', 'f', '0', f, '0'],
  ['sin', 'i', '3', i, null],
  ['cos', 'i', '0', b, '1'],
  ['tan', 'f', '0.5', f, '0.5463024898437905'],
  ['asin', 'f', '2', f, null],
  ['acos', 'i', '1', i, '0'],
  ['atan', 'f', '1', f, '0.7853981633974483'],
  ['atan2', 'f f', '1 -1', f, '2.356194490192345'],
  ['atan2', 'i i', '0 5', i, '0'],
  ['atan2', 'i i', '0 -5', i, null],
  ['atan2', 'i i', '0 -5', f, '3.141592653589793'],
  ['atan2', 'f f', '-0 -5', f, '3.141592653589793'],
  ['floor', 'f', '-2.5', i, '-3'],
  ['floor', 'i', maxInt64, i, maxInt64],
  ['floor', 'f', '9223372036854775808', i, null],
  ['floor', 'f', '9223372036854774784', i, '9223372036854774784'],
  ['ceil', 'f', '-0.5', f, '0'],
  ['ceil', 'f', '2.1', u, '3'],
  ['round', 'f', '2.5', i, '3'],
  ['round', 'f', '-2.5', i, '-3'],
  ['round', 'f', '0.49999999999999994', i, '0'],
  ['round', 'f', '4503599627370497.5', i, '4503599627370498'],
  ['round', 'f', '-0.4', f, '0'],
  ['round', 'i', '9007199254740993', i, '9007199254740993'],
  ['round', 'i', '9007199254740993', f, null],
  ['select', 'b i f', '1 9007199254740993 0.5', i, '9007199254740993'],
  ['select', 'b i f', '0 9007199254740993 0.5', f, '0.5'],
  ['select', 'b i f', '0 9007199254740993 0.5', i, null],
];

const typeNames: Readonly<Record<string, SignalType>> = { i, u, f, b, e: 'enum' };
const typesIn = (text: string): SignalType[] =>
  text.split(' ').map((name) => typeNames[name] as SignalType);

describe('a function of numbers', () => {
  it.each(cases)('%s of %s %s as %s is %s', (name, types, values, output, expected) => {
    const outputs = runTransform(
      { kind: 'math', function: name },
      typesIn(types),
      values.split(' '),
      [output],
    );
    expect(outputs).toEqual(expected === null ? null : [expected]);
  });

  it('is there for every name that a project may give', () => {
    expect([...new Set(cases.map(([name]) => name))].sort()).toEqual([...mathFunctions].sort());
  });
});

describe('identity', () => {
  it.each<[string, string, SignalType, string | null]>([
    ['i', '9007199254740992', f, '9007199254740992'],
    ['i', '9007199254740993', f, null],
    ['u', maxUint64, f, null],
    ['u', maxUint64, i, null],
    ['u', maxUint64, u, maxUint64],
    ['i', minInt64, f, minInt64],
    ['i', '-1', u, null],
    ['i', '2', b, null],
    ['i', '7', 'enum', '7'],
    ['e', '-7', i, '-7'],
    ['f', '2.5', i, null],
    ['f', '1e18', i, '1000000000000000000'],
    ['f', '9223372036854775808', i, null],
    ['f', '9223372036854775808', u, '9223372036854775808'],
    ['f', '18446744073709551616', u, null],
    ['f', '-9223372036854775808', i, minInt64],
    ['f', '-0', i, '0'],
    ['f', '-0', f, '0'],
    ['f', '1', b, '1'],
    ['f', '1.5', b, null],
  ])('of %s %s as %s is %s', (types, value, output, expected) => {
    const outputs = runTransform({ kind: 'identity' }, typesIn(types), [value], [output]);
    expect(outputs).toEqual(expected === null ? null : [expected]);
  });
});

describe('linear', () => {
  const linear = (k: number, offset: number): BuiltIn => ({ kind: 'linear', k, b: offset });

  it.each<[BuiltIn, string, string, SignalType, string | null]>([
    [linear(1.8, 32), 'f', '90', f, '194'],
    [linear(1.8, 32), 'i', '90', f, '194'],
    [linear(0.5, 0), 'i', '3', i, null],
    [linear(0.5, 0), 'i', '4', i, '2'],
    [linear(2, 1), 'i', '4503599627370496', i, '9007199254740993'],
    [linear(2, 1), 'i', '4503599627370496', f, null],
    [linear(2, 1), 'f', '4503599627370496', f, '9007199254740992'],
    [linear(-1, 0), 'i', minInt64, u, '9223372036854775808'],
    [linear(1e300, 5), 'i', '0', i, '5'],
    [linear(1e300, 0), 'i', '1', i, null],
    [linear(2 ** 1000, 0), 'i', '4', f, (2n ** 1002n).toString()],
    [linear(0, -0), 'f', '-3', f, '0'],
    [linear(1e308, 1e308), 'f', '1', f, null],
  ])('of %o %s %s as %s is %s', (transform, types, value, output, expected) => {
    const outputs = runTransform(transform, typesIn(types), [value], [output]);
    expect(outputs).toEqual(expected === null ? null : [expected]);
  });
});

describe('threshold', () => {
  const threshold = (limit: number, hysteresis: number, above = '1', below = '0'): BuiltIn => ({
    kind: 'threshold',
    threshold: limit,
    hysteresis,
    above,
    below,
  });
  const walk = (
    transform: BuiltIn,
    input: SignalType,
    values: readonly string[],
    output: SignalType = 'bool',
  ): (string | undefined)[] => {
    const program = compileTransform(transform, [input], [output]);
    return values.map((value) => outputsOf(program, slotsOf([input], [value]), [output])?.[0]);
  };

  it('is above from the limit on, and below again only below the hysteresis', () => {
    const values = ['8', '9.9', '10', '9', '8', '7.9', '9.9', '10'];
    const levels = ['0', '0', '1', '1', '1', '0', '0', '1'];
    expect(walk(threshold(10, 2), 'float64', values)).toEqual(levels);
  });

  it('compares integers beyond 53 bits with the limits exactly', () => {
    const limit = 2 ** 60;
    const values = ['1152921504606846975', '1152921504606846976', '1152921504606846975'];
    expect(walk(threshold(limit, 0), 'int64', values)).toEqual(['0', '1', '0']);
    const held = ['1152921504606846976', '1152921504606846975', '1152921504606846974'];
    expect(walk(threshold(limit, 1), 'int64', held)).toEqual(['1', '1', '0']);
    expect(walk(threshold(0.5, 0), 'uint64', [maxUint64, '0'])).toEqual(['1', '0']);
  });

  it('gives values of any type, exactly', () => {
    const levels = threshold(1, 0, maxUint64, '7');
    expect(walk(levels, 'bool', ['0', '1'], 'uint64')).toEqual(['7', maxUint64]);
    expect(walk(threshold(1, 0, '0.1', '-0'), 'bool', ['1', '0'], 'float64')).toEqual(['0.1', '0']);
  });

  it('begins below again after a reset', () => {
    const program = compileTransform(threshold(10, 5), ['int64'], ['bool']);
    const levelAt = (value: string) => outputsOf(program, slotsOf(['int64'], [value]), ['bool']);
    expect(levelAt('10')).toEqual(['1']);
    expect(levelAt('7')).toEqual(['1']);
    program.reset();
    expect(levelAt('7')).toEqual(['0']);
  });
});

describe('the inputs that count', () => {
  it('are the condition and what it chooses', () => {
    const types: SignalType[] = ['bool', 'int64', 'int64'];
    const program = compileTransform({ kind: 'math', function: 'select' }, types, ['int64']);
    expect(program.chosen(slotsOf(types, ['1', '5', '6']))).toBe(1);
    expect(program.chosen(slotsOf(types, ['0', '5', '6']))).toBe(2);
  });

  it('are all of them everywhere else', () => {
    const program = compileTransform({ kind: 'identity' }, ['bool'], ['bool']);
    expect(program.chosen(slotsOf(['bool'], ['1']))).toBe(0);
  });
});
