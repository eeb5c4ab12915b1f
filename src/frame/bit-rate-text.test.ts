import { describe, expect, it } from 'vitest';
import { bitRateOfText } from './bit-rate-text.ts';

describe('bitRateOfText', () => {
  it.each([
    ['500000', 500_000],
    ['500k', 500_000],
    ['1M', 1_000_000],
    ['2.5M', 2_500_000],
    ['83.333k', 83_333],
    ['0.5m', 500_000],
    ['33.3330K', 33_333],
    ['19200.0', 19_200],
    [' 2 M ', 2_000_000],
    ['0', 0],
  ])('reads %j', (text, rate) => {
    expect(bitRateOfText(text)).toBe(rate);
  });

  it.each([
    '',
    'k',
    'fast',
    '-5k',
    '.5M',
    '5.M',
    '1.5',
    '83.3333k',
    '1G',
    '1e6',
    '0x1F',
    '99999999999M',
  ])('does not take %j for a rate', (text) => {
    expect(bitRateOfText(text)).toBeUndefined();
  });
});
