import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registersOf, roundingsOf, valueText, valueTexts } from './register-values.ts';
import { registersPerValue, type ValueType, valueTypes } from './value-types.ts';
import { type WordOrder, wordOrders } from './word-order.ts';

const wordsOf = (hex: string): Uint16Array =>
  Uint16Array.from(hex.split(' '), (word) => Number.parseInt(word, 16));

const hexOf = (registers: Uint16Array): string =>
  Array.from(registers, (word) => word.toString(16).toUpperCase().padStart(4, '0')).join(' ');

const refusalOf = (type: ValueType, ...texts: readonly string[]): unknown => {
  try {
    return hexOf(registersOf(type, 'ABCD', texts));
  } catch (thrown) {
    return (thrown as { code: string; details: unknown }).details;
  }
};

describe('values in registers', () => {
  it.each<[ValueType, string, WordOrder, string]>([
    ['f32', '123456', 'ABCD', '47F1 2000'],
    ['f32', '123456', 'CDAB', '2000 47F1'],
    ['f32', '123456', 'BADC', 'F147 0020'],
    ['f32', '123456', 'DCBA', '0020 F147'],
    ['f32', '3.1415927', 'ABCD', '4049 0FDB'],
    ['f32', '123.456', 'ABCD', '42F6 E979'],
    ['u32', '16909060', 'ABCD', '0102 0304'],
    ['u32', '16909060', 'CDAB', '0304 0102'],
    ['u32', '16909060', 'BADC', '0201 0403'],
    ['u32', '16909060', 'DCBA', '0403 0201'],
    ['u64', '72623859790382856', 'ABCD', '0102 0304 0506 0708'],
    ['u64', '72623859790382856', 'CDAB', '0708 0506 0304 0102'],
    ['u64', '72623859790382856', 'BADC', '0201 0403 0605 0807'],
    ['u64', '72623859790382856', 'DCBA', '0807 0605 0403 0201'],
    ['u16', '258', 'ABCD', '0102'],
    ['u16', '258', 'CDAB', '0102'],
    ['u16', '258', 'BADC', '0201'],
    ['u16', '258', 'DCBA', '0201'],
    ['s16', '-2', 'ABCD', 'FFFE'],
    ['s32', '-2', 'CDAB', 'FFFE FFFF'],
    ['s64', '-9223372036854775808', 'ABCD', '8000 0000 0000 0000'],
    ['u64', '18446744073709551615', 'ABCD', 'FFFF FFFF FFFF FFFF'],
    ['f64', '0.1', 'ABCD', '3FB9 9999 9999 999A'],
    ['f64', '5e-324', 'ABCD', '0000 0000 0000 0001'],
    ['f64', '-1.7976931348623157e+308', 'ABCD', 'FFEF FFFF FFFF FFFF'],
    ['f32', '1e-45', 'ABCD', '0000 0001'],
    ['f32', '3.4028235e+38', 'CDAB', 'FFFF 7F7F'],
    ['f32', '-0', 'ABCD', '8000 0000'],
    ['f32', 'Infinity', 'ABCD', '7F80 0000'],
    ['f64', '-Infinity', 'ABCD', 'FFF0 0000 0000 0000'],
    ['f32', 'NaN', 'ABCD', '7FC0 0000'],
    ['bool', 'true', 'ABCD', '0001'],
    ['bool', 'false', 'ABCD', '0000'],
  ])('%s %s in the order %s are %s', (type, text, order, hex) => {
    expect(hexOf(registersOf(type, order, [text]))).toBe(hex);
    expect(valueText(type, order, wordsOf(hex), 0)).toBe(text);
  });

  it('stand one behind the other, and half a value at the end is none', () => {
    const registers = registersOf('s32', 'CDAB', ['1', '-1']);
    expect(hexOf(registers)).toBe('0001 0000 FFFF FFFF');
    expect(valueTexts('s32', 'CDAB', registers)).toEqual(['1', '-1']);
    expect(valueTexts('s32', 'CDAB', registers.subarray(0, 3))).toEqual(['1']);
    expect(valueText('s32', 'CDAB', registers, 2)).toBe('-1');
  });

  it('come back as the same bits from their text', () => {
    const numeric = valueTypes.filter((type) => type !== 'bool');
    fc.assert(
      fc.property(
        fc.constantFrom(...numeric),
        fc.constantFrom(...wordOrders),
        fc.uint16Array({ minLength: 4, maxLength: 4 }),
        (type, order, words) => {
          const registers = words.slice(0, registersPerValue[type]);
          const text = valueText(type, order, registers, 0);
          // The text of a NaN does not show its payload.
          fc.pre(text !== 'NaN');
          expect(hexOf(registersOf(type, order, [text]))).toBe(hexOf(registers));
        },
      ),
      { seed: 502, numRuns: 1000 },
    );
  });

  it('are true when any bit of a bool is set', () => {
    expect(valueTexts('bool', 'ABCD', wordsOf('0000 0001 0100 FFFF'))).toEqual([
      'false',
      'true',
      'true',
      'true',
    ]);
  });

  it.each<[ValueType, string, string]>([
    ['u16', '1e3', '03E8'],
    ['u16', '7.0', '0007'],
    ['s16', '-0', '0000'],
    ['bool', '1', '0001'],
    ['bool', '0', '0000'],
    ['bool', '0x1', '0001'],
    ['bool', '0x0000', '0000'],
    ['f32', '0.100000001490116119384765625', '3DCC CCCD'],
    ['f32', '16777216', '4B80 0000'],
    ['f32', '1e-45', '0000 0001'],
    ['f32', '-0.0', '8000 0000'],
    ['f64', '5e-324', '0000 0000 0000 0001'],
  ])('of %s may be written as %s', (type, text, hex) => {
    expect(refusalOf(type, text)).toBe(hex);
  });

  it.each<[ValueType, string, string]>([
    ['u16', '-1', '65536'],
    ['s16', '-32769', '32768'],
    ['u32', '-1', '4294967296'],
    ['s32', '-2147483649', '2147483648'],
    ['u64', '-1', '18446744073709551616'],
    ['s64', '-9223372036854775809', '9223372036854775808'],
    ['f32', '-3.4028236e38', '3.4028236e38'],
    ['f64', '-1.8e308', '1.8e308'],
    ['u64', '-1e400', '1e400'],
    ['s16', '-1e99999', '1e99999'],
    ['f32', '-1e400', '1e400'],
    ['f64', '-1e99999', '1e99999'],
  ])('of %s are neither %s nor %s', (type, below, above) => {
    for (const text of [below, above]) {
      expect(refusalOf(type, text)).toMatchObject({ field: 'value', index: 0, reason: 'range' });
    }
  });

  it.each<[ValueType, string]>([
    ['u16', '1.5'],
    ['s64', '0.1'],
    ['u64', '1e-401'],
  ])('of %s do not lose what %s says', (type, text) => {
    expect(refusalOf(type, text)).toMatchObject({ field: 'value', index: 0, reason: 'inexact' });
  });

  it.each<['f32' | 'f64', string, string, string]>([
    ['f32', '3.14159265', '3.1415927', '4049 0FDB'],
    ['f32', '16777217', '16777216', '4B80 0000'],
    ['f32', '16777219', '16777220', '4B80 0002'],
    ['f32', '0.100000001', '0.1', '3DCC CCCD'],
    ['f32', '1e-60', '0', '0000 0000'],
    ['f32', '-1e-401', '-0', '8000 0000'],
    ['f64', '9007199254740993', '9007199254740992', '4340 0000 0000 0000'],
    ['f64', '0.10000000000000001', '0.1', '3FB9 9999 9999 999A'],
    ['f64', '1e-401', '0', '0000 0000 0000 0000'],
  ])('of %s round %s to %s and say so', (type, given, written, hex) => {
    expect(hexOf(registersOf(type, 'ABCD', [given]))).toBe(hex);
    expect(roundingsOf(type, [given])).toEqual([{ index: 0, given, written }]);
  });

  it('round twice at no place, however many digits there are', () => {
    // Slightly more than halfway between 1 and the next float.
    const few = `1.000000059604644775390625${'0'.repeat(370)}1`;
    const many = `100000005960464477539.0625${'0'.repeat(380)}1e-20`;
    for (const text of [few, many]) {
      expect(hexOf(registersOf('f32', 'ABCD', [text]))).toBe('3F80 0001');
      expect(hexOf(registersOf('f32', 'ABCD', [`-${text}`]))).toBe('BF80 0001');
    }
  });

  it('are not rounded where they read back as they were given', () => {
    for (const text of ['0.1', '21.5', 'NaN', '-Infinity', '1e3', '0x40490FDB', '-0']) {
      expect(roundingsOf('f32', [text])).toEqual([]);
    }
    expect(roundingsOf('u16', ['7'])).toEqual([]);
  });

  it.each<[ValueType, string, string]>([
    ['u16', '0x1F', '001F'],
    ['u16', '0XabCD', 'ABCD'],
    ['u16', '0x0000001F', '001F'],
    ['s16', '0xFFFE', 'FFFE'],
    ['s32', '0xFFFFFFFE', 'FFFF FFFE'],
    ['u64', '0x0123456789ABCDEF', '0123 4567 89AB CDEF'],
    ['f32', '0x40490FDB', '4049 0FDB'],
    ['f64', '0x3FB999999999999A', '3FB9 9999 9999 999A'],
  ])('of %s are taken as bits in hex: %s', (type, text, hex) => {
    expect(hexOf(registersOf(type, 'ABCD', [text]))).toBe(hex);
  });

  it.each<[ValueType, string, string]>([
    ['u16', '0x10000', 'range'],
    ['s16', '0x1FFFF', 'range'],
    ['u64', '0x10000000000000000', 'range'],
    ['f32', '0x1F', 'malformed'],
    ['f32', '0x140490FDB', 'malformed'],
    ['f64', '0x40490FDB', 'malformed'],
    ['u16', '-0x1', 'malformed'],
    ['u16', '0x', 'malformed'],
    ['u16', '0x1G', 'malformed'],
  ])('of %s are not %s', (type, text, reason) => {
    expect(refusalOf(type, text)).toMatchObject({ field: 'value', index: 0, reason });
  });

  it.each<[ValueType, string, string]>([
    ['u16', '001F', '0x001F'],
    ['s16', 'FFFE', '0xFFFE'],
    ['f32', '4049 0FDB', '0x40490FDB'],
    ['bool', '0001', 'true'],
  ])('of %s are shown in hex: %s', (type, hex, text) => {
    expect(valueTexts(type, 'ABCD', wordsOf(hex), 'hex')).toEqual([text]);
  });

  it('are shown in hex in the order of the value, not of its registers', () => {
    expect(valueTexts('u32', 'CDAB', wordsOf('0304 0102'), 'hex')).toEqual(['0x01020304']);
    expect(valueTexts('u64', 'DCBA', wordsOf('0807 0605 0403 0201'), 'hex')).toEqual([
      '0x0102030405060708',
    ]);
  });

  it.each(valueTypes)('of %s are no words or blanks', (type) => {
    const words = ['', ' ', 'on', 'TRUE', '1_000', '1,5', 'nan', 'infinity', '.', 'e9'];
    for (const text of [...words, '+5', '05', '5.', '.5']) {
      expect(refusalOf(type, text)).toMatchObject({ field: 'value', reason: 'malformed' });
    }
  });

  it('are refused with the index of the one at fault', () => {
    expect(refusalOf('u16', '1', '2', 'three')).toMatchObject({ index: 2 });
    expect(refusalOf('bool', '1', '2')).toMatchObject({ index: 1 });
    expect(refusalOf('f64', '1', 'x', '3')).toMatchObject({ index: 1 });
  });
});
