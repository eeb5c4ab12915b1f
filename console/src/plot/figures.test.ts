import { describe, expect, it } from 'vitest';
import { aSample, aSeries } from '../samples/testing/samples.ts';
import {
  exactText,
  formatAge,
  formatMean,
  formatSpan,
  formatTick,
  formatValue,
  valueText,
} from './readings.ts';

describe('formatAge', () => {
  it.each([
    [-5, '0.0 s'],
    [1_250_000, '1.3 s'],
    [59_960_000, '1 min 0 s'],
    [61_000_000, '1 min 1 s'],
    [3_720_000_000, '1 h 2 min'],
  ])('calls %d µs %j', (us, text) => {
    expect(formatAge(us)).toBe(text);
  });
});

describe('formatValue', () => {
  it.each([
    ['8.009999999999991', '≈8.01'],
    ['-0.30000000000000004', '≈-0.3'],
    ['8.01', '8.01'],
    ['8.10', '8.10'],
    ['1234567.125', '≈1234567.13'],
    ['18446744073709551615', '18446744073709551615'],
    ['1e-7', '1e-7'],
    ['no number', 'no number'],
  ])('writes %s as %s', (text, shown) => {
    expect(formatValue(text)).toBe(shown);
  });
});

describe('formatMean', () => {
  it.each([
    [null, '–'],
    [2, '2'],
    [-400.25, '-400.25'],
    [1234567, '1234567'],
  ])('writes %d as %s, with nothing left out', (mean, text) => {
    expect(formatMean(mean)).toBe(text);
  });

  it.each([
    [1 / 3, '≈0.333333'],
    [1234567.89, '≈1234568'],
    [2 ** 64, '≈1.84467e+19'],
  ])('marks %d as rounded: %s', (mean, text) => {
    expect(formatMean(mean)).toBe(text);
  });
});

describe('formatSpan', () => {
  it.each([
    [1_234_567, '1.234567 s'],
    [-20, '-0.000020 s'],
    [0, '0.000000 s'],
  ])('writes %d µs as %s', (us, text) => {
    expect(formatSpan(us)).toBe(text);
  });
});

describe('the text of a sample', () => {
  it('is rounded where it is read at a glance, and exact where it is measured', () => {
    const series = aSeries(['8.009999999999991']);
    series.take(aSample(2, { value: '3', label: 'third' }));
    expect([0, 1, null].map((at) => valueText(series, at))).toEqual(['≈8.01', 'third (3)', '–']);
    expect([0, 1, null].map((at) => exactText(series, at))).toEqual([
      '8.009999999999991',
      'third (3)',
      '–',
    ]);
  });
});

describe('formatTick', () => {
  const noon = new Date(2026, 0, 1, 12, 0, 3).getTime() * 1000;

  it.each([
    [0, 5, '12:00:03'],
    [250_000, 0.05, '12:00:03.25'],
    [123_456, 0.000_001, '12:00:03.123456'],
    [-0.001, 1, '12:00:03'],
  ])('writes %d µs past with steps of %d s as %s', (past, step, text) => {
    expect(formatTick(noon + past, step)).toBe(text);
  });
});
