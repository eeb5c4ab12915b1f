import { describe, expect, it } from 'vitest';
import { compareDecimals, decimalText, parseDecimal } from './decimal.ts';

describe('decimals', () => {
  it.each([
    ['007.500', '7.5'],
    ['-.25', '-0.25'],
    ['3.4E+3', '3400'],
    ['-0', '0'],
    ['12e-4', '0.0012'],
  ])('reads %s as %s', (text, written) => {
    const read = parseDecimal(text);
    expect(read && decimalText(read)).toBe(written);
  });

  it.each(['', '.', 'e5', '1,5', '0x10', 'NaN', '1e99999'])('takes %j for no number', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('compares numbers that no double can tell apart, at any power', () => {
    const compare = (one: string, other: string) => {
      const [a, b] = [parseDecimal(one), parseDecimal(other)];
      return a && b && compareDecimals(a, b);
    };
    expect(compare('9007199254740993', '9007199254740992')).toBe(1);
    expect(compare('-1e-400', '0')).toBe(-1);
    expect(compare(' 1.50e1', '15')).toBe(0);
  });
});
