import { describe, expect, it } from 'vitest';
import {
  hasValidParity,
  isSleepFrame,
  lin1Length,
  linChecksum,
  linChecksumModel,
  linHeaderUs,
  linLengthError,
  linMaxResponseUs,
  linResponseUs,
  protectedId,
} from './lin.ts';

const pids = Uint8Array.from(
  [
    '80 C1 42 03 C4 85 06 47 08 49 CA 8B 4C 0D 8E CF',
    '50 11 92 D3 14 55 D6 97 D8 99 1A 5B 9C DD 5E 1F',
    '20 61 E2 A3 64 25 A6 E7 A8 E9 6A 2B EC AD 2E 6F',
    'F0 B1 32 73 B4 F5 76 37 78 39 BA FB 3C 7D FE BF',
  ]
    .join(' ')
    .split(' ')
    .map((text) => Number.parseInt(text, 16)),
);

describe('protectedId', () => {
  it('has the right parity for all 64 identifiers', () => {
    expect(Uint8Array.from({ length: 64 }, (_, id) => protectedId(id))).toEqual(pids);
  });
});

describe('hasValidParity', () => {
  it('accepts exactly the 64 protected identifiers', () => {
    const valid = Array.from({ length: 256 }, (_, pid) => pid).filter(hasValidParity);
    expect(valid).toEqual([...pids].sort((a, b) => a - b));
  });
});

describe('linChecksum', () => {
  it.each([
    ['4A 55 93 E5', 0x10, 0xe6, 0x96],
    ['4A 55 93 E5', 0x23, 0xe6, 0x43],
    ['01', 0x10, 0xfe, 0xae],
    ['00', 0x10, 0xff, 0xaf],
    ['11 22 33 44 55 66 77 88', 0x10, 0x99, 0x49],
    ['FF FF FF FF FF FF FF FF', 0x10, 0x00, 0xaf],
    ['00 F0 F0 FF FF FF FF FF', 0x2d, 0x1e, 0x70],
  ])('of %s with id %i', (text, id, classic, enhanced) => {
    const bytes = Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16));
    const record = Uint8Array.of(0xaa, 0xaa, ...bytes, 0xaa);
    expect(linChecksum(false, id, record, 2, bytes.length)).toBe(classic);
    expect(linChecksum(true, id, record, 2, bytes.length)).toBe(enhanced);
  });

  it.each([
    ['00 FF FF FF FF FF FF FF', 0x00],
    ['01 06 B2 00 FF 7F FF FF', 0xc6],
  ])('of the diagnostic request %s', (text, checksum) => {
    const bytes = Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16));
    expect(linChecksum(false, 0x3c, bytes, 0, bytes.length)).toBe(checksum);
  });
});

describe('linChecksumModel', () => {
  it('is classic for the two diagnostic identifiers and as asked for all others', () => {
    const enhanced = Array.from({ length: 64 }, (_, id) => id).filter(
      (id) => linChecksumModel(id, 'enhanced') === 'enhanced',
    );
    expect(enhanced).toHaveLength(62);
    expect(enhanced).not.toContain(0x3c);
    expect(enhanced).not.toContain(0x3d);
    expect(linChecksumModel(0x10, 'classic')).toBe('classic');
  });
});

describe('lin1Length', () => {
  it.each([
    [0x00, 2],
    [0x1f, 2],
    [0x20, 4],
    [0x2f, 4],
    [0x30, 8],
    [0x3f, 8],
  ])('of id %i is %i bytes', (id, length) => {
    expect(lin1Length(id)).toBe(length);
  });
});

describe('LIN durations', () => {
  it.each([
    [1, 9600, 5625],
    [8, 9600, 12_916.67],
    [4, 10_417, 8063.74],
    [2, 19_200, 3333.33],
    [8, 19_200, 6458.33],
  ])('of %i bytes at %i bit/s are %d µs', (length, bitrate, nominal) => {
    expect(linHeaderUs(bitrate) + linResponseUs(length, bitrate)).toBeCloseTo(nominal, 2);
  });

  it('divide into a header of 34 bits and a response of ten bits a byte', () => {
    expect(linHeaderUs(10_000)).toBeCloseTo(3400, 6);
    expect(linResponseUs(2, 10_000)).toBeCloseTo(3000, 6);
    expect(linMaxResponseUs(2, 10_000)).toBeCloseTo(4200, 6);
  });
});

describe('linLengthFlaw', () => {
  it.each([
    [1, 0, 'missing'],
    [1, 9, 'too_long'],
    [0x3c, 7, 'diagnostic_id'],
    [0x3d, 1, 'diagnostic_id'],
    [0x3c, 8, null],
    [1, 1, null],
  ])('of id %i with %i bytes is %s', (id, length, error) => {
    expect(linLengthError(id, length)).toBe(error);
  });
});

describe('isSleepFrame', () => {
  const sleep = Uint8Array.of(0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

  it('knows the command, whatever its last seven bytes are', () => {
    expect(isSleepFrame(0x3c, sleep, 0, 8)).toBe(true);
    expect(isSleepFrame(0x3c, new Uint8Array(16), 8, 8)).toBe(true);
  });

  it('takes no other frame for it', () => {
    expect(isSleepFrame(0x3d, sleep, 0, 8)).toBe(false);
    expect(isSleepFrame(0x3c, sleep.toReversed(), 0, 8)).toBe(false);
    expect(isSleepFrame(0x3c, sleep, 0, 1)).toBe(false);
  });
});
