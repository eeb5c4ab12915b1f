import { describe, expect, it } from 'vitest';
import { parseValue, valueText } from './signal-value.ts';

describe('the text of a value', () => {
  it.each([
    [2 ** 53, '9007199254740992'],
    [2 ** 60, '1152921504606846976'],
    [-(2 ** 60), '-1152921504606846976'],
    [1e21, '1000000000000000000000'],
    [2 ** 80, '1208925819614629174706176'],
    [780.5, '780.5'],
    [0.1, '0.1'],
    [1.5e-7, '0.00000015'],
    [0, '0'],
    [-0, '0'],
  ])(
    'of %d is the number itself if it is whole, else its shortest form, and reads back',
    (...row) => {
      const [value, text] = row;
      expect(valueText(value)).toBe(text);
      expect(parseValue('float64', text)).toBe(value + 0);
    },
  );

  it('of the largest double has all of its digits', () => {
    expect(valueText(Number.MAX_VALUE)).toBe(BigInt(Number.MAX_VALUE).toString());
  });

  it('of an integer is exact to 64 bits', () => {
    expect(valueText(2n ** 64n - 1n)).toBe('18446744073709551615');
  });
});
