import { describe, expect, it } from 'vitest';
import { parseValue } from '../../../../src/gateway/values/signal-value.ts';
import { controlOf, draftProblem, rangeText } from './set-rules.ts';

const rules = {
  type: 'uint64',
  labels: [],
  label_total: 0,
  minimum: '0',
  maximum: '100',
} as const;
const label = { value: '3', label: 'Drive' };

describe('how a signal is set', () => {
  it.each([
    [{ ...rules, type: 'bool' }, 'switch'],
    [{ ...rules, labels: [label], label_total: 1 }, 'labels'],
    [{ ...rules, labels: [label], label_total: 2 }, 'number'],
    [rules, 'number'],
  ] as const)('depends on its type and labels', (each, control) => {
    expect(controlOf(each)).toBe(control);
  });

  it('is told with its range', () => {
    expect(rangeText(rules)).toBe('a non-negative integer, 0 to 100');
    expect(rangeText({ ...rules, type: 'float64', minimum: null, maximum: null })).toBe('a number');
    expect(rangeText({ ...rules, minimum: null })).toBe('a non-negative integer, at most 100');
  });

  it.each([
    ['50', null],
    ['100', null],
    ['101', 'Must be at most 100'],
    ['-1', 'Must be at least 0'],
    ['2.5', 'Must be a non-negative integer'],
    ['fast', 'Must be a non-negative integer, in decimal'],
  ])('refuses what the service would refuse: %s', (text, problem) => {
    expect(draftProblem(text, rules)).toBe(problem);
  });

  it.each(['bool', 'int64', 'uint64', 'float64', 'enum'] as const)(
    'takes what the service takes, and nothing else: %s',
    (type) => {
      const unlimited = { ...rules, type, minimum: null, maximum: null };
      const powers = [0n, 1n, 2n, 2n ** 63n, 2n ** 64n, 10n ** 308n, 10n ** 309n];
      const whole = powers.flatMap((power) => [power - 1n, power, -power, -power - 1n]).map(String);
      const others = ['', '+1', '01', '1.0', '10e-1', '2.5', '.5', '-0', '1e308', '-1e309', '0x1'];
      const texts = [...whole, ...others];
      const takenHere = texts.filter((text) => draftProblem(text, unlimited) === null);
      expect(takenHere).toEqual(texts.filter((text) => parseValue(type, text) !== undefined));
    },
  );

  it('compares numbers that no double holds', () => {
    const wide = { ...rules, maximum: '18446744073709551615' };
    expect(draftProblem('18446744073709551615', wide)).toBeNull();
    expect(draftProblem('18446744073709551616', wide)).toBe('Must be at most 18446744073709551615');
  });
});
