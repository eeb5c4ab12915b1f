import { describe, expect, it } from 'vitest';
import { decimalText } from './decimal.ts';
import { doubleText, exactDouble, singleText } from './float-text.ts';

describe('texts of floats', () => {
  it('writes doubles without an exponent', () => {
    expect(doubleText(1e21)).toBe('1000000000000000000000');
    expect(doubleText(-2.5e-7)).toBe('-0.00000025');
    expect(doubleText(-0)).toBe('-0');
    expect(singleText(Math.fround(16_777_216))).toBe('16777216');
    expect(singleText(Math.fround(0.3))).toBe('0.3');
  });

  it('tells what is no number', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(doubleText)).toEqual(['NaN', 'Infinity']);
    expect(singleText(Number.NEGATIVE_INFINITY)).toBe('-Infinity');
  });

  it('knows the number that a double really is', () => {
    expect(decimalText(exactDouble(0.1))).toBe(
      '0.1000000000000000055511151231257827021181583404541015625',
    );
    expect(decimalText(exactDouble(-(2 ** 70)))).toBe('-1180591620717411303424');
    expect(Number(decimalText(exactDouble(Number.MIN_VALUE)))).toBe(Number.MIN_VALUE);
  });
});
