import { describe, expect, it } from 'vitest';
import { asciiWord, LineCursor, plainText } from './line-cursor.ts';

const on = (text: string): LineCursor => new LineCursor(Buffer.from(`${text}\n        `, 'latin1'));

describe('the line cursor', () => {
  it.each([
    ['0', 0],
    ['007 x', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', -1],
    ['12x', -1],
    ['', -1],
    ['-1', -1],
  ])('takes the decimal number of %j as %d', (text, value) => {
    expect(on(text).takeDecimal()).toBe(value);
  });

  it.each([
    ['0', 0],
    ['fF\t', 255],
    ['FFFFFFFF', 0xffff_ffff],
    ['100000000', -1],
    ['0x1', -1],
    ['g', -1],
  ])('takes the hex number of %j as %d', (text, value) => {
    expect(on(text).takeHex()).toBe(value);
  });

  it.each([
    ['0.001', 0, 1_000_000],
    ['12.3456', 12, 345_600_000],
    ['12.345678901)', 12, 345_678_901],
    ['123456789012345.000001 1', 123_456_789_012_345, 1000],
  ])('takes the time of %j to the nanosecond', (text, seconds, nanoseconds) => {
    const cursor = on(text);
    expect(cursor.takeTime()).toBe(true);
    expect([cursor.seconds, cursor.nanoseconds]).toEqual([seconds, nanoseconds]);
  });

  it.each(['', '1', '1.', '.5', '1.0123456789', '1234567890123456.0', 'a.0'])(
    'takes no time from %j',
    (text) => {
      const cursor = on(text);
      expect(cursor.takeTime()).toBe(false);
      expect(cursor.at).toBe(0);
    },
  );

  it.each([
    [' 01 2f FF', [0x01, 0x2f, 0xff]],
    ['\t1  2\tA0', [1, 2, 0xa0]],
    [' 01 02 03 tail', [1, 2, 3]],
  ])('takes three hex bytes from %j', (text, expected) => {
    const into = new Uint8Array(4);
    expect(on(text).takeHexBytes(into, 1, 3)).toBe(true);
    expect([...into]).toEqual([0, ...expected]);
  });

  it.each([' 01 02', ' 01 02 0g', ' 01 02 003', ' 01 023', '01 02 03', ' 01 02 03x', ''])(
    'does not take three hex bytes from %j',
    (text) => {
      const cursor = on(text);
      expect(cursor.takeHexBytes(new Uint8Array(3), 0, 3)).toBe(false);
      expect(cursor.at).toBe(0);
    },
  );

  it('takes decimal bytes up to 255', () => {
    const into = new Uint8Array(3);
    expect(on(' 0 17 255').takeDecimalBytes(into, 0, 3)).toBe(true);
    expect([...into]).toEqual([0, 17, 255]);
    expect(on(' 0 17 256').takeDecimalBytes(into, 0, 3)).toBe(false);
    expect(on(' 0 17').takeDecimalBytes(into, 0, 3)).toBe(false);
  });

  it('takes a word in any case, and only as a whole token', () => {
    const word = asciiWord('Begin');
    expect(on('BEGIN').takeWord(word)).toBe(true);
    expect(on('begin x').takeWord(word)).toBe(true);
    expect(on('beginning').takeWord(word)).toBe(false);
    expect(on('beginning').startsWith(word)).toBe(true);
    expect(on('be').startsWith(word)).toBe(false);
  });

  it('walks from token to token up to the end of the line', () => {
    const cursor = on('  one\ttwo \0 three \r');
    const tokens: string[] = [];
    for (let has = cursor.skipBlanks(); has; has = cursor.skipToken()) {
      tokens.push(plainText(cursor.bytes, cursor.at, cursor.tokenEnd()));
    }
    expect(tokens).toEqual(['one', 'two', 'three']);
  });

  it('reads text in UTF-8 and else in the western code page', () => {
    const utf8 = Buffer.from('Mär');
    const western = Buffer.from('Mär', 'latin1');
    expect(plainText(utf8, 0, utf8.length)).toBe('Mär');
    expect(plainText(western, 0, western.length)).toBe('Mär');
  });
});
