import { describe, expect, it } from 'vitest';
import { formatAge, formatBytes, formatMicroseconds, formatNumber } from './figures.ts';

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

describe('formatNumber', () => {
  it.each([
    ['21.400000000000002', '21.4'],
    ['-104.78999999999999', '-104.79'],
    ['0.30000000000000004', '0.3'],
    ['0.000001234567890123456', '0.00000123456789012346'],
    ['1.2345678901234567e-7', '1.23456789012346e-7'],
    ['123456789012345.5', '123456789012346'],
    ['15.20', '15.20'],
    ['18446744073709551615', '18446744073709551615'],
    ['0x00FF', '0x00FF'],
    ['nan', 'nan'],
  ])('shows %s as %s', (text, shown) => {
    expect(formatNumber(text)).toBe(shown);
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
