import { describe, expect, it } from 'vitest';
import { formatAge, formatBytes, formatMicroseconds } from './figures.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [64 * 1024, '64 KiB'],
    [3 * 1024 ** 2, '3 MiB'],
    [1024 ** 2 - 1, '1.0 MiB'],
    [1_981_172_951, '1.8 GiB'],
    [5 * 1024 ** 5, '5120 TiB'],
  ])('says %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatMicroseconds', () => {
  it.each([
    [0, '0.0 µs'],
    [9.96, '10 µs'],
    [999.4, '999 µs'],
    [999.6, '1.00 ms'],
    [1000, '1.00 ms'],
    [99_960, '100 ms'],
    [999_400, '999 ms'],
    [999_500, '1.00 s'],
    [999_700, '1.00 s'],
    [59_960_000, '59.96 s'],
  ])('says %d µs as %s', (us, text) => {
    expect(formatMicroseconds(us)).toBe(text);
  });
});

describe('formatAge', () => {
  it.each([
    [null, 'never'],
    [9_500_000, '< 1 s'],
    [10_500_000, '< 1 s'],
    [5_000_000, '5 s'],
    [-200_000_000, '3 min'],
  ])('says %s as %s at 10 s', (observed, text) => {
    expect(formatAge(observed, 10_000_000)).toBe(text);
  });
});
