import { describe, expect, it } from 'vitest';
import { toDecimal, toInteger } from './decimal.ts';

describe('decimal text', () => {
  it.each([
    ['.25', '0.25'],
    ['1.', '1'],
    ['-007.50', '-7.50'],
    ['1e5', '1E5'],
    ['+3.4E+038', '3.4E+038'],
    ['0', '0'],
    ['000', '0'],
  ])('of %s is %s', (written, decimal) => {
    expect(toDecimal(written)).toBe(decimal);
    expect(JSON.parse(decimal)).toBe(Number(written));
  });

  it.each(['', '.', '-', 'NaN', '1.#INF', '0x10', '1e', 'E5', '1 2'])(
    'is none for “%s”',
    (text) => {
      expect(toDecimal(text)).toBeNull();
    },
  );
});

describe('the integer behind a decimal text', () => {
  it.each([
    ['15', 15n],
    ['1.5E+001', 15n],
    ['1500E-2', 15n],
    ['-2.000', -2n],
    ['0.0E-5', 0n],
    ['18446744073709551615', 18446744073709551615n],
  ])('%s is %s', (text, integer) => {
    expect(toInteger(text)).toBe(integer);
  });

  it.each(['1.5', '15E-3', '1E999999999', '1E-999999999', 'x'])('%s has none', (text) => {
    expect(toInteger(text)).toBeNull();
  });
});
