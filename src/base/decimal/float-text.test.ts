import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText } from './decimal.ts';
import { decimalOfDouble, float32Text, float64Text } from './float-text.ts';
import { compare, rationalOfDouble, rationalOfPlain } from './testing/rational.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const single = fc.float({ noNaN: true, noDefaultInfinity: true });
const significantDigits = (text: string): number =>
  text.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;

describe('float64Text', () => {
  it.each([
    [0.1, '0.1'],
    [-2.5e-7, '-0.00000025'],
    [1e21, '1000000000000000000000'],
    [-0, '-0'],
    [5e-324, `0.${'0'.repeat(323)}5`],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('writes %d as %s', (value, text) => {
    expect(float64Text(value)).toBe(text);
  });

  it('writes what reads back the same, without an exponent', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Number(float64Text(value))).toBe(value);
        expect(float64Text(value)).toMatch(/^-?\d+(?:\.\d+)?$/);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });
});

describe('float32Text', () => {
  it.each([
    [0.1, '0.1'],
    [16777216, '16777216'],
    [3.4028234663852886e38, `34028235${'0'.repeat(31)}`],
    [1.401298464324817e-45, `0.${'0'.repeat(44)}1`],
    [-0, '-0'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('writes %d as %s', (value, text) => {
    expect(float32Text(Math.fround(value))).toBe(text);
  });

  it('writes what reads back the same, and nothing shorter does', () => {
    fc.assert(
      fc.property(single, (value) => {
        const text = float32Text(value);
        expect(Math.fround(Number(text))).toBe(value);
        const digits = significantDigits(text);
        if (digits > 1) {
          expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
        }
      }),
      { seed: 4, numRuns: 1000 },
    );
  });
});

describe('decimalOfDouble', () => {
  it('is the double to the last digit', () => {
    expect(decimalText(decimalOfDouble(0.1))).toBe(
      '0.1000000000000000055511151231257827021181583404541015625',
    );
    fc.assert(
      fc.property(finite, (value) => {
        const text = decimalText(decimalOfDouble(value));
        expect(compare(rationalOfPlain(text), rationalOfDouble(value))).toBe(0);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('has none for what is no number', () => {
    expect(() => decimalOfDouble(Number.NaN)).toThrow(RangeError);
  });
});
