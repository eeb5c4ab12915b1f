import { describe, expect, it } from 'vitest';
import { bitRateOf, shortRate } from './timing-draft.ts';

describe('a typed bit rate', () => {
  it('may have a unit', () => {
    expect(['500000', '500k', ' 2 M ', '83.333k', '19200'].map(bitRateOf)).toEqual([
      500_000, 500_000, 2_000_000, 83_333, 19_200,
    ]);
  });

  it('is left out when empty', () => {
    expect(bitRateOf('  ')).toBeUndefined();
  });

  it('stays text when it is none, for the contract to refuse', () => {
    expect(bitRateOf('fast')).toBe('fast');
    expect(bitRateOf('-5k')).toBe('-5k');
  });
});

describe('a short bit rate', () => {
  it('reads back as the same rate', () => {
    for (const rate of [500_000, 2_000_000, 1_500_000, 19_200, 33_333, 125_000, 9600]) {
      expect(bitRateOf(shortRate(rate))).toBe(rate);
    }
  });

  it('takes the unit that keeps it short', () => {
    expect([2_000_000, 500_000, 19_200, 33_333].map(shortRate)).toEqual([
      '2M',
      '500k',
      '19200',
      '33333',
    ]);
  });
});
