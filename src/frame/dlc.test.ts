import { describe, expect, it } from 'vitest';
import { dlcToLength, isFrameLength, lengthError, lengthToDlc } from './dlc.ts';

const codes = Array.from({ length: 16 }, (_, dlc) => dlc);

describe('dlcToLength', () => {
  it('knows the length of every classic code, 9 to 15 being 8 bytes', () => {
    const lengths = codes.map((dlc) => dlcToLength(dlc, false));
    expect(lengths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8]);
  });

  it('knows the length of every CAN FD code', () => {
    const lengths = codes.map((dlc) => dlcToLength(dlc, true));
    expect(lengths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64]);
  });
});

describe('lengthToDlc', () => {
  it.each(codes)('finds CAN FD code %i again from its length', (dlc) => {
    expect(lengthToDlc(dlcToLength(dlc, true), true)).toBe(dlc);
  });

  it.each([
    [7, 7],
    [9, 9],
    [13, 10],
    [17, 11],
    [21, 12],
    [25, 13],
    [33, 14],
    [49, 15],
  ])('rounds %i bytes up to CAN FD code %i', (length, dlc) => {
    expect(lengthToDlc(length, true)).toBe(dlc);
  });

  it('takes classic lengths as they are', () => {
    expect([0, 1, 7, 8].map((length) => lengthToDlc(length, false))).toEqual([0, 1, 7, 8]);
  });

  it.each([
    [9, false, 8],
    [65, true, 64],
    [-1, true, 64],
    [1.5, false, 8],
  ])('refuses %d bytes (CAN FD: %s)', (length, fd, limit) => {
    expect(() => lengthToDlc(length, fd)).toThrowError(
      expect.objectContaining({ code: 'invalid_argument', details: { field: 'length', limit } }),
    );
  });
});

describe('lengthFlaw', () => {
  it.each([
    [9, false, { reason: 'too_long', limit: 8 }],
    [9, true, { reason: 'no_such_length', next: 12 }],
    [63, true, { reason: 'no_such_length', next: 64 }],
    [65, true, { reason: 'too_long', limit: 64 }],
    [8, false, null],
    [12, true, null],
  ])('of %d bytes (CAN FD: %s) is %j', (length, fd, error) => {
    expect(lengthError(length, fd)).toEqual(error);
  });
});

describe('isFrameLength', () => {
  const lengths = Array.from({ length: 70 }, (_, length) => length);

  it('is true for 0 to 8 bytes of a classic frame', () => {
    expect(lengths.filter((length) => isFrameLength(length, false))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });

  it('is true for exactly the sixteen lengths of CAN FD', () => {
    expect(lengths.filter((length) => isFrameLength(length, true))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64,
    ]);
  });

  it.each([-1, 0.5, Number.NaN])('is false for %d', (length) => {
    expect([isFrameLength(length, false), isFrameLength(length, true)]).toEqual([false, false]);
  });
});
