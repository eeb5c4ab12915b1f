import { describe, expect, it } from 'vitest';
import { codesOf, readText, refusalOf } from './testing/read-text.ts';

const signal = ' SG_ X : 0|8@1+ (1,0) [0|0] "" A';
const message = `BO_ 1 M: 8 A\n${signal}\n`;

describe('a statement that cannot be read', () => {
  it.each([
    ['BO_ x M: 8 A', 'BO_'],
    ['BO_ 4294967296 M: 8 A', 'BO_'],
    ['BO_ 5 N: 70000 A', 'BO_'],
    [' SG_ Y : 0|8@2+ (1,0) [0|0] "" A', 'SG_'],
    [' SG_ Y : 0|8@1+ (nan,0) [0|0] "" A', 'SG_'],
    [' SG_ Y q5 : 0|8@1+ (1,0) [0|0] "" A', 'SG_'],
    [' SG_ Y : 0|8@1+ (1,0) [0|0] A', 'SG_'],
    ['BA_DEF_ XX_ "n" INT 0 1;', 'BA_DEF_'],
    ['BA_DEF_ "n" NUMBER 0 1;', 'BA_DEF_'],
    ['VAL_ 1 X one "a" ;', 'VAL_'],
    ['BA_REL_ "n" A 1 2;', 'BA_REL_'],
    ['CM_ BO_ 1;', 'CM_'],
    [') ;', 'Between statements'],
    [`VAL_ 1 X ${'9'.repeat(600)} "a" ;`, 'VAL_'],
  ])('is left out and reported: %s', (line, where) => {
    const { database, diagnostics } = readText(`${message}${line}\nBO_ 9 Last: 8 A\n`);
    expect(database.messages.map(({ name }) => name)).toEqual(['M', 'Last']);
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'syntax', line: 3, action: 'statement ignored' },
    ]);
    expect(diagnostics[0]?.message).toContain(where);
  });

  it('is told with the place where it went wrong', () => {
    const { diagnostics } = readText(`${message}\r\n\r\n SG_ Y : 0|8@1+ (1/0) [0|0] "" A\r\n`);
    expect(diagnostics).toMatchObject([{ line: 5, column: 19 }]);
    expect(readText(`BO_ 1 M: 8 A\r\rBO_ 2 N 8 A`).diagnostics).toMatchObject([
      { line: 3, column: 9 },
    ]);
  });

  it('does not take what follows with it when a quote is missing', () => {
    const text = `${message}CM_ BO_ 1 "open;\nBO_ 2 N: 8 A\n SG_ Y : 0|8@1+ (1,0) [0|0] "km A
 SG_ Z : 8|8@1+ (1,0) [0|0] "h" A\nCM_ BO_ 2 "closed";\nBO_ 3 O: 8 A`;
    const { database } = readText(text);
    expect(database.messages.map(({ name, comment }) => [name, comment])).toEqual([
      ['M', null],
      ['N', 'closed'],
      ['O', null],
    ]);
    expect(database.messages[1]?.signals.map(({ name }) => name)).toEqual(['Z']);
    expect(codesOf(text)).toEqual(['syntax', 'syntax']);
  });

  it('is the version alone when its quote is missing', () => {
    const text = `VERSION "1.0\nBU_: A\n${message}`;
    const { database, diagnostics } = readText(text);
    expect(database).toMatchObject({ version: null, messages: [{ name: 'M' }] });
    expect(database.messages[0]?.signals).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: 'syntax', line: 1, column: 9 }]);
  });

  it('does not hide what follows when nobody knows it', () => {
    const text = `${message}FOO "open\nBO_ 2 N: 8 A\n`;
    expect(readText(text).database.messages).toHaveLength(2);
  });

  it('counts as complete when only its semicolon is missing', () => {
    const text = `${message}CM_ BO_ 1 "a"\nVAL_ 1 X 0 "zero"\nBA_ "n" BO_ 1 5`;
    expect(readText(text).database.messages[0]).toMatchObject({
      comment: 'a',
      attributes: { n: { number: '5' } },
      signals: [{ values: [{ text: 'zero' }] }],
    });
    expect(codesOf(text).filter((code) => code === 'semicolon_missing')).toHaveLength(3);
  });
});

describe('a doubtful signal', () => {
  const codes = (lines: string) => codesOf(`BO_ 1 M: 2 A\n${lines}`);

  it.each([
    [' SG_ X : 9|8@1+ (1,0) [0|0] "" A', ['signal_beyond_message']],
    [' SG_ X : 8|8@1+ (1,0) [0|0] "" A', []],
    [' SG_ X : 7|16@0+ (1,0) [0|0] "" A', []],
    [' SG_ X : 6|16@0+ (1,0) [0|0] "" A', ['signal_beyond_message']],
    [' SG_ X : 0|8@1+ (0,0) [0|0] "" A', ['factor_zero']],
    [' SG_ X : 0|8@1+ (1,0) [5|4] "" A', ['limits_reversed']],
    [`${signal}\n SG_ Y : 7|8@1+ (1,0) [0|0] "" A`, ['signals_overlap']],
    [`${signal}\n${signal}`, ['signals_overlap', 'name_repeated']],
  ])('is kept and reported: %s', (lines, expected) => {
    expect(codes(lines)).toEqual(expected);
  });

  it('is reported with what was made of it', () => {
    const text = `BO_ 1 M: 2 A\n${signal}\n SG_ Y : 7|8@0+ (1,0) [0|0] "" A`;
    expect(readText(text).diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'signals_overlap',
        line: 3,
        column: 6,
        message: 'Signals Y and X of M overlap',
        action: 'both kept',
      },
    ]);
  });

  it('is not listed for the thousandth time', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `BO_ ${at} M${at}: 9 A\n`).join('');
    const codesFound = codesOf(lines);
    expect(codesFound).toHaveLength(201);
    expect(codesFound.at(-1)).toBe('diagnostics_omitted');
  });
});

describe('a file that cannot be trusted', () => {
  it.each([
    ['nothing', ''],
    ['blanks', '\n \t\r\n'],
    ['prose', 'Dear customer,\nplease find attached the file.\n'],
    ['another format', '{"messages": []}'],
  ])('holds no statement: %s', (_, text) => {
    expect(refusalOf(text)).toEqual({
      line: 1,
      column: 1,
      reason: 'it contains no DBC statement',
    });
  });

  it('is binary', () => {
    const bytes = new TextEncoder().encode(`${message}\0more`);
    expect(refusalOf(bytes)).toEqual({
      line: 3,
      column: 1,
      reason: 'it is not a text file',
    });
    expect(readText(`${message}\0\0\n`).database.messages).toHaveLength(1);
  });

  it.each([
    'BO_',
    'BO_ 5',
    'BO_ 5 N',
    'BO_ 5 N:',
    'BO_ 5 N: 8',
    ' SG_ Y : 0|8@1+ (1,0) [0|',
    ' SG_ Y : 0|8@1+ (1,0) [0|0] "k',
    'CM_ BO_ 1 "unfinished',
    'VAL_ 1 X 0 ',
    'BA_ "n" BO_',
  ])('ends inside a statement: %s', (end) => {
    expect(refusalOf(message + end)).toMatchObject({
      line: 3,
      reason: expect.stringMatching(/reached the end of the file|without closing/),
    });
  });

  it('has more mistakes than a hundred', () => {
    const wrong = 'BO_ x\n';
    expect(readText(message + wrong.repeat(100)).database.messages).toHaveLength(1);
    expect(refusalOf(message + wrong.repeat(101))).toMatchObject({
      line: 103,
      reason: 'more than 100 invalid statements',
    });
  });

  it.each([
    ['bytes', { fileBytes: 20 }, /bytes/],
    ['signals', { signals: 0 }, /signals/],
    ['entries', { entries: 2 }, /entries/],
  ])('is larger than the limit of %s', (_, limits, reason) => {
    expect(refusalOf(message, { limits })).toMatchObject({
      reason: expect.stringMatching(reason),
    });
  });
});
