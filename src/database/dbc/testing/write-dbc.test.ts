import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../base/testing/long.ts';
import type { Message } from '../../model.ts';
import { readDbc } from '../read-dbc.ts';
import { arbitraryDatabase } from './arbitrary-database.ts';
import { readText } from './read-text.ts';
import { writeDbc } from './write-dbc.ts';

const written = (text: string): string =>
  new TextDecoder().decode(writeDbc(readText(text).database));

describe('a written file', () => {
  it('reads back as the same database, whatever that holds', () => {
    fc.assert(
      fc.property(arbitraryDatabase, (database) => {
        const { database: again, diagnostics } = readDbc(writeDbc(database));
        expect(again).toEqual(database);
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { seed: 42, numRuns: cases(40, 200) },
    );
  });

  it('says in attributes what only the model knew', () => {
    const facts = fc.record({
      fd: fc.boolean(),
      brs: fc.boolean(),
      extended: fc.boolean(),
      cycleTimeMs: fc.option(fc.constantFrom(1, 2.5, 100)),
      initialRaw: fc.option(fc.constantFrom('0', '-5', '18446744073709551615', '0.5')),
    });
    const withFacts = fc.tuple(arbitraryDatabase, facts).map(([database, each]) => ({
      ...database,
      specifics: {
        bitTiming: null,
        attributeDefinitions: [],
        relationAttributes: [],
        environmentVariables: [],
        signalGroups: [],
      },
      messages: database.messages.map((message) => ({
        ...message,
        fd: each.fd || message.length > 8,
        brs: (each.fd || message.length > 8) && each.brs,
        cycleTimeMs: each.cycleTimeMs,
        attributes: {},
        signals: message.signals.map((signal) => ({
          ...signal,
          initialRaw: each.initialRaw,
          attributes: {},
        })),
      })),
    }));
    const reported = (messages: readonly Message[]) =>
      messages.map(({ fd, brs, cycleTimeMs, signals }) => ({
        fd,
        brs,
        cycleTimeMs,
        initial: signals.map(({ initialRaw }) => initialRaw),
      }));
    fc.assert(
      fc.property(withFacts, (database) => {
        const again = readDbc(writeDbc(database)).database;
        expect(reported(again.messages)).toEqual(reported(database.messages));
      }),
      { seed: 43, numRuns: cases(20, 100) },
    );
  });

  it('corrects attributes that the model has left behind', () => {
    const { database } = readText(`BO_ 1 M: 8 A\nBA_DEF_ BO_ "VFrameFormat" INT 0 15;
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 9;\nBA_DEF_DEF_ "GenMsgCycleTime" 50;`);
    const messages = database.messages.map((message) => ({
      ...message,
      fd: true,
      brs: true,
      cycleTimeMs: null,
    }));
    const again = readDbc(writeDbc({ ...database, messages })).database;
    expect(again.messages[0]).toMatchObject({
      fd: true,
      brs: true,
      cycleTimeMs: null,
      attributes: { VFrameFormat: { number: '14' }, GenMsgCycleTime: { number: '0' } },
    });
  });

  it('holds names of at most 32 characters, each once', () => {
    const long = 'ANameThatGoesOnAndOnWithoutAnyEndIn';
    const text = written(`BU_: ${long}Sight ${long}View
BO_ 1 M: 8 ${long}View\n SG_ X : 0|8@1+ (1,0) [0|0] "" ${long}Sight`);
    expect(text).toContain(
      'BU_: ANameThatGoesOnAndOnWithoutAnyEn ANameThatGoesOnAndOnWithout_0000\r\n',
    );
    expect(text).toContain('BO_ 1 M: 8 ANameThatGoesOnAndOnWithout_0000\r\n');
    expect(text).toContain(
      `BA_ "SystemNodeLongSymbol" BU_ ANameThatGoesOnAndOnWithoutAnyEn "${long}Sight";`,
    );
  });

  it('names a default by its text, and by its index where the text comes twice', () => {
    const definition = 'BO_ 1 M: 8 A\nBA_DEF_ "E" ENUM "a","b","b";\n';
    expect(written(`${definition}BA_DEF_DEF_ "E" "b";`)).toContain('BA_DEF_DEF_ "E" "b";');
    expect(written(`${definition}BA_DEF_DEF_ "E" 2;`)).toContain('BA_DEF_DEF_ "E" 2;');
  });

  it('writes ranges only where marks do not suffice', () => {
    const signals = `BO_ 1 M: 8 A\n SG_ S M : 0|8@1+ (1,0) [0|0] "" A
 SG_ X m3 : 8|8@1+ (1,0) [0|0] "" A\n`;
    expect(written(signals)).not.toContain('SG_MUL_VAL_ 1');
    expect(written(signals)).toContain(' SG_ X m3 : 8|8@1+');
    expect(written(`${signals}SG_MUL_VAL_ 1 X S 3-4, 6-6;`)).toContain(
      'SG_MUL_VAL_ 1 X S 3-4, 6-6;',
    );
  });

  it('keeps a backslash from escaping the closing quote', () => {
    const { database } = readText('BO_ 1 M: 8 A');
    const again = readDbc(writeDbc({ ...database, comment: 'C:\\' })).database;
    expect(again.comment).toBe('C:\\ ');
  });
});
