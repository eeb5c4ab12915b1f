import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  maxDecimalDigits,
  parseDecimal,
  requireDecimal,
} from './decimal.ts';
import { compare, rationalOfPlain } from './testing/rational.ts';

const plainText = fc
  .tuple(fc.boolean(), fc.stringMatching(/^\d{1,40}$/), fc.stringMatching(/^\d{0,40}$/))
  .map(([isNegative, integer, fraction]) => {
    const magnitude = fraction === '' ? integer : `${integer}.${fraction}`;
    return isNegative ? `-${magnitude}` : magnitude;
  });

const parsed = (text: string): Decimal => requireDecimal(text, 'text');

describe('parseDecimal', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.3', '0.3'],
    ['.25', '0.25'],
    ['-.25', '-0.25'],
    ['1.', '1'],
    ['+7', '7'],
    ['007.500', '7.5'],
    ['1e3', '1000'],
    ['1.5E+001', '15'],
    ['3.4E+038', `34${'0'.repeat(37)}`],
    ['12e-4', '0.0012'],
    ['0e999999999999', '0'],
    ['1000', '1000'],
  ])('reads %s as %s', (text, expected) => {
    expect(decimalText(parsed(text))).toBe(expected);
  });

  it.each([
    '',
    '.',
    '-',
    'e5',
    '1e',
    '1e+',
    '1,5',
    ' 1',
    '1 ',
    '0x10',
    'NaN',
    '1.#INF',
    '1\n',
    '٣',
  ])('takes %j for no number', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('takes as many digits on either side of the point as it says, and no more', () => {
    const digits = maxDecimalDigits;
    expect(decimalText(parsed(`1e${digits - 1}`))).toHaveLength(digits);
    expect(decimalText(parsed(`1e-${digits}`))).toHaveLength(digits + 2);
    for (const text of [`1e${digits}`, `1e-${digits + 1}`, '1e99999999999999999999']) {
      expect(parseDecimal(text)).toBeNull();
    }
    expect(parseDecimal('0'.repeat(2000))).toBeNull();
  });

  it('names the field that holds no number', () => {
    expect(() => requireDecimal('abc', 'factor')).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { field: 'factor' } }),
    );
  });

  it('means the number that the digits say, whatever exponent shifts them', () => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: -60, max: 60 }), (text, shift) => {
        const { over, under } = rationalOfPlain(text);
        const power = 10n ** BigInt(Math.abs(shift));
        const expected = shift < 0 ? { over, under: under * power } : { over: over * power, under };
        const written = decimalText(parsed(`${text}e${shift}`));
        expect(compare(rationalOfPlain(written), expected)).toBe(0);
        expect(written).toMatch(/^(?:0|-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)$/);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});

describe('decimalOf', () => {
  it('gives equal numbers the same form', () => {
    expect(decimalOf(-1200n, -1)).toEqual({ coefficient: -12n, exponent: 1 });
    expect(decimalOf(0n, 7)).toEqual({ coefficient: 0n, exponent: 0 });
    expect(parsed('-120.0')).toEqual(decimalOf(-1200n, -1));
  });
});

describe('compareDecimals', () => {
  it('orders numbers as their fractions are ordered', () => {
    fc.assert(
      fc.property(plainText, plainText, (one, other) => {
        const expected = compare(rationalOfPlain(one), rationalOfPlain(other));
        expect(compareDecimals(parsed(one), parsed(other))).toBe(expected);
        expect(compareDecimals(parsed(one), parsed(`${one}e0`))).toBe(0);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});
