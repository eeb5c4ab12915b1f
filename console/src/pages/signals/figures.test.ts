import { describe, expect, it } from 'vitest';
import { formatAge, formatMean, formatTick } from './figures.ts';

describe('formatAge', () => {
  it.each([
    [-5, '0.0 s'],
    [1_250_000, '1.3 s'],
    [61_000_000, '1 min 1 s'],
    [3_720_000_000, '1 h 2 min'],
  ])('calls %d µs %j', (us, text) => {
    expect(formatAge(us)).toBe(text);
  });
});

describe('formatMean', () => {
  it('keeps the digits that mean something', () => {
    expect([null, 1 / 3, 1234567.89, 2].map(formatMean)).toEqual(['–', '0.333333', '1234570', '2']);
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
