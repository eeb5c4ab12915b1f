import { describe, expect, it } from 'vitest';
import { codesOf, readText, refusalOf } from './testing/read-text.ts';

const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

const message = 'BO_ 1 M: 8 A\n';
const longName = 'n'.repeat(500_000);

describe('readDbc reads, and reports,', () => {
  it('a name that is too long', () => {
    const { database, diagnostics } = readText(`${message}BO_ 2 ${longName}: 8 A\n`);
    expect(database.messages.map(({ name }) => name)).toEqual(['M']);
    expect(diagnostics).toMatchObject([
      { line: 2, column: 7, message: expect.stringContaining('more than 256 characters') },
    ]);
  });

  it('a long name that is too long, for very many messages', () => {
    const text = `${message.repeat(1000)}BA_ "SystemMessageLongSymbol" BO_ 1 "${longName}";\n`;
    const { database, diagnostics } = readText(text);
    expect(database.messages.at(-1)?.name).toBe('M#1000');
    expect(diagnostics.filter(({ code }) => code === 'name_irregular')).toMatchObject([
      { line: 1001, action: 'ignored' },
    ]);
  });

  it('very many unknown statements with quotes that never close', () => {
    const text = message + 'FOO \\"\n'.repeat(100_000);
    expect(codesOf(text)).toEqual(['statement_unknown']);
    const between = repeated(100_000, (n) => `FOO \\"\nCM_ BO_ ${n} \\"\n`);
    expect(refusalOf(message + between)).toMatchObject({
      line: 203,
      reason: 'more than 100 invalid statements',
    });
  });

  it('a unit of very many lines', () => {
    const lines = '\n'.repeat(500_000);
    const { database } = readText(`BO_ 1 M: 8 A\n SG_ S : 0|8@1+ (1,0) [0|0] "${lines}" A\n`);
    expect(database.messages[0]?.signals[0]?.unit).toBe(lines);
  });

  it('nested switches with very many values', () => {
    const values = (count: number) => repeated(count, (n) => `${2 * n}-${2 * n} `);
    const switches = `BO_ 1 M: 8 A
 SG_ P M : 0|16@1+ (1,0) [0|0] "" A
 SG_ Q m0M : 16|24@1+ (1,0) [0|0] "" A
 SG_ C m0 : 40|8@1+ (1,0) [0|0] "" A
SG_MUL_VAL_ 1 Q P ${values(5000)};
SG_MUL_VAL_ 1 C Q ${values(90_000)};
`;
    expect(codesOf(switches)).toEqual(['overlap_check_incomplete']);
  });
});
