import { describe, expect, it } from 'vitest';
import { isFloat, rawOfWritten, rawSpanOf } from './raw-span.ts';

describe('rawSpanOf', () => {
  it.each([
    ['unsigned', 1, 0n, 1n],
    ['signed', 1, -1n, 0n],
    ['unsigned', 8, 0n, 255n],
    ['signed', 8, -128n, 127n],
    ['unsigned', 64, 0n, 2n ** 64n - 1n],
    ['signed', 64, -(2n ** 63n), 2n ** 63n - 1n],
  ] as const)('has the raw values of %s signals of %i bits', (kind, length, lowest, highest) => {
    expect(rawSpanOf({ kind, length })).toEqual({ lowest, highest });
  });
});

describe('rawOfWritten', () => {
  it.each([
    ['signed', -128n, -128n],
    ['signed', 127n, 127n],
    ['signed', 128n, -128n],
    ['signed', 255n, -1n],
    ['signed', 256n, null],
    ['signed', -129n, null],
    ['unsigned', 255n, 255n],
    ['unsigned', -1n, 255n],
    ['unsigned', -128n, 128n],
    ['unsigned', -129n, null],
    ['unsigned', 256n, null],
  ] as const)('reads for %s signals of 8 bits %s as %s', (kind, written, meant) => {
    expect(rawOfWritten({ kind, length: 8 }, written)).toBe(meant);
  });
});

describe('isFloat', () => {
  it('is true of floats of both lengths alone', () => {
    const kinds = ['unsigned', 'signed', 'float32', 'float64'] as const;
    expect(kinds.map((kind) => isFloat({ kind }))).toEqual([false, false, true, true]);
  });
});
