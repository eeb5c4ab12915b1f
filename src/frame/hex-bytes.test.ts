import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHex, hexDigits, parseHex } from './hex-bytes.ts';

const options = { field: 'data', maxLength: 64 };

const refused = (reason: string, details: object = {}) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field: 'data', reason, ...details }),
  });

describe('parseHex', () => {
  it.each([
    ['', []],
    ['DEADBEEF', [0xde, 0xad, 0xbe, 0xef]],
    ['de ad be ef', [0xde, 0xad, 0xbe, 0xef]],
    ['01:02-03.04_05', [1, 2, 3, 4, 5]],
    ['  aB  Cd  ', [0xab, 0xcd]],
    [' .:-_', []],
  ])('reads %j', (text, bytes) => {
    expect([...parseHex(text, options)]).toEqual(bytes);
  });

  it.each([
    ['1', 0],
    ['ABC', 2],
    ['A BC', 0],
    ['11 2 33', 3],
  ])('refuses the lone digit in %j', (text, position) => {
    expect(() => parseHex(text, options)).toThrowError(refused('half_byte', { position }));
  });

  it.each([
    ['0x11', 1],
    ['1G', 1],
    ['11,22', 2],
    ['11\t22', 2],
    ['@A', 0],
    ['`A', 0],
    ['/0', 0],
    ['１１', 0],
  ])('refuses the character in %j that is no digit', (text, position) => {
    expect(() => parseHex(text, options)).toThrowError(refused('bad_character', { position }));
  });

  it('takes as many bytes as allowed and refuses one more', () => {
    expect(parseHex('00'.repeat(64), options)).toHaveLength(64);
    expect(() => parseHex('00'.repeat(65), options)).toThrowError(
      refused('too_long', { limit: 64 }),
    );
  });

  it('takes only the separators it was given', () => {
    const dots = { ...options, separators: '.' };
    expect([...parseHex('11.22', dots)]).toEqual([0x11, 0x22]);
    expect(() => parseHex('11 22', dots)).toThrowError(refused('bad_character'));
  });

  it('reads back what formatHex wrote, whatever stands between the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('', ' ', '.', ':', '-', '_', ' - '),
        (bytes, separator) => {
          expect(parseHex(formatHex(bytes, separator), options)).toEqual(bytes);
        },
      ),
      { seed: 1 },
    );
  });
});

describe('formatHex', () => {
  it('writes the first bytes alone where a length is given', () => {
    expect(formatHex(Uint8Array.of(0, 0xab, 0xff), ' ', 2)).toBe('00 AB');
  });

  it('writes two uppercase digits a byte', () => {
    expect(formatHex(Uint8Array.of(0, 0x0a, 0xff))).toBe('000AFF');
    expect(formatHex(Uint8Array.of(0, 0x0a, 0xff), ' ')).toBe('00 0A FF');
  });
});

describe('hexDigits', () => {
  it('fills up with zeros and cuts nothing off', () => {
    expect([hexDigits(0x1f, 3), hexDigits(0x1fffffff, 3)]).toEqual(['01F', '1FFFFFFF']);
  });
});
