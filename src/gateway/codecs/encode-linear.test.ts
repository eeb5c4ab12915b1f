import { describe, expect, it } from 'vitest';
import { requireDecimal } from '../../base/decimal/decimal.ts';
import {
  LinearEncoder,
  type LinearFormat,
  parseFloatRaw,
  type RawKind,
  rawText,
} from './encode-linear.ts';

const encoderOf = (format: Partial<LinearFormat> & { raw: RawKind }): LinearEncoder =>
  new LinearEncoder({ bitLength: 16, factor: 1, offset: 0, specials: [], ...format });

const encode = (format: Partial<LinearFormat> & { raw: RawKind }, value: string) => {
  const { raw, error } = encoderOf(format).encode(requireDecimal(value, 'value'));
  return [rawText(format.raw, raw), error];
};

describe('LinearEncoder', () => {
  it.each([
    [{ raw: 'unsigned', factor: 0.1 }, '0.3', '3'],
    [{ raw: 'unsigned', factor: 0.1 }, '0.25', '3'],
    [{ raw: 'signed', factor: 0.1 }, '-0.25', '-3'],
    [{ raw: 'unsigned', offset: -40 }, '90', '130'],
    [{ raw: 'unsigned', bitLength: 64 }, '18446744073709551615', '18446744073709551615'],
    [{ raw: 'signed', bitLength: 64 }, '-9223372036854775808', '-9223372036854775808'],
    [{ raw: 'bool', bitLength: 1 }, '1', '1'],
    [{ raw: 'float32' }, '0.1', '0.1'],
    [{ raw: 'float64' }, '0.1', '0.1'],
    [{ raw: 'float32' }, '16777216', '16777216'],
  ] as const)('encodes with %o: %s as %s', (format, value, raw) => {
    expect(encode(format, value)).toEqual([raw, undefined]);
  });

  it.each([
    [{ raw: 'unsigned' }, '65536', 'out_of_range'],
    [{ raw: 'unsigned' }, '-1', 'out_of_range'],
    [{ raw: 'signed' }, '32768', 'out_of_range'],
    [{ raw: 'bool', bitLength: 1 }, '2', 'out_of_range'],
    [{ raw: 'unsigned', rawMax: '100' }, '101', 'out_of_range'],
    [{ raw: 'unsigned', rawMin: '5' }, '4', 'out_of_range'],
    [{ raw: 'unsigned', specials: [{ raw: '255', state: 'error' }] }, '255', 'reserved_code'],
    [
      { raw: 'unsigned', factor: 0.5, specials: [{ raw: '255', state: 'error' }] },
      '127.4',
      'reserved_code',
    ],
    [{ raw: 'float32' }, '16777217', 'inexact'],
    [{ raw: 'float32' }, '1e39', 'out_of_range'],
  ] as const)('finds fault with %o: %s is %s', (format, value, error) => {
    expect(encode(format, value)[1]).toBe(error);
  });
});

it.each([
  ['float32', 2 ** 53, '9007199254740992'],
  ['float32', -(2 ** 100), '-1267650600228229401496703205376'],
  ['float32', Math.fround(16777217.5), '16777218'],
  ['float32', Math.fround(0.1), '0.1'],
  ['float64', 2 ** 60, '1152921504606846976'],
  ['float64', 1e23, '99999999999999991611392'],
  ['float64', 0.1, '0.1'],
  ['float64', 1e-7, '0.0000001'],
] as const)(
  'shows a raw of %s as it is where it is whole, else in its shortest form: %d',
  (...row) => {
    const [kind, raw, text] = row;
    expect(rawText(kind, raw)).toBe(text);
    expect(parseFloatRaw(kind, text)).toBe(raw);
  },
);

it.each(['float32', 'float64'] as const)('has no sign for a zero of %s', (kind) => {
  expect([rawText(kind, -0), rawText(kind, -0.5)]).toEqual(['0', '-0.5']);
});
