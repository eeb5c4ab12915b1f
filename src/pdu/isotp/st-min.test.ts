import { describe, expect, it } from 'vitest';
import { isReservedStMin, stMinByte, stMinUs } from './st-min.ts';

describe('STmin', () => {
  it.each([
    [0x00, 0],
    [0x05, 5000],
    [0x7f, 127_000],
    [0xf1, 100],
    [0xf9, 900],
  ])('of byte %i is %i µs', (raw, us) => {
    expect(stMinUs(raw)).toBe(us);
    expect(isReservedStMin(raw)).toBe(false);
    expect(stMinByte(us)).toBe(raw);
  });

  it.each([0x80, 0xf0, 0xfa, 0xff])('of the reserved byte %i is 127 ms', (raw) => {
    expect(stMinUs(raw)).toBe(127_000);
    expect(isReservedStMin(raw)).toBe(true);
  });

  it.each([
    [-1, 0],
    [1, 0xf1],
    [101, 0xf2],
    [901, 1],
    [1001, 2],
    [500_000, 0x7f],
  ])('of %i µs is rounded up to byte %i', (us, raw) => {
    expect(stMinByte(us)).toBe(raw);
  });
});
