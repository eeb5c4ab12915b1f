import { describe, expect, it } from 'vitest';
import { readText } from './testing/read-text.ts';
import { writeDbc } from './testing/write-dbc.ts';

const text = `BU_: A
BO_ 1 Engine: 8 A
 SG_ Speed : 0|8@1+ (1,0) [0|0] "" A
 SG_ Speed : 8|8@1+ (2,0) [0|0] "" A
 SG_ Mux M : 16|8@1+ (1,0) [0|0] "" A
 SG_ Temp m1 : 24|8@1+ (1,0) [0|0] "" A
 SG_ Temp m2 : 32|8@1+ (1,0) [0|0] "" A
 SG_ Temp#2 : 40|8@1+ (1,0) [0|0] "" A
BO_ 2 Engine: 8 A
 SG_ Speed : 0|8@1+ (1,0) [0|0] "" A
BO_ 3 Engine#2: 8 A
BO_ 4 Engine: 8 A
CM_ SG_ 1 Speed "fast";
VAL_ 1 Speed 1 "one" ;
BA_DEF_ SG_ "SPN" INT 0 524287;
BA_ "SPN" SG_ 1 Speed 84;
`;

describe('a name that a file has more than once', () => {
  const { database, diagnostics } = readText(text);
  const [engine] = database.messages;

  it('is that of the first, and later ones get names that nothing else has', () => {
    expect(database.messages.map(({ name }) => name)).toEqual([
      'Engine',
      'Engine#3',
      'Engine#2',
      'Engine#4',
    ]);
    expect(engine?.signals.map(({ name }) => name)).toEqual([
      'Speed',
      'Speed#2',
      'Mux',
      'Temp',
      'Temp#3',
      'Temp#2',
    ]);
  });

  it('is told with the name that was made', () => {
    const repeated = diagnostics.filter(({ code }) => code === 'name_repeated');
    expect(
      repeated.map(({ code, line, message, action }) => [code, line, message, action]),
    ).toEqual([
      [
        'name_repeated',
        4,
        'Signal Speed of Engine occurs more than once',
        'the first one is used; this one is renamed Speed#2',
      ],
      [
        'name_repeated',
        7,
        'Signal Temp of Engine occurs more than once',
        'the first one is used; this one is renamed Temp#3',
      ],
      [
        'name_repeated',
        9,
        'Message Engine occurs more than once',
        'the first one is used; this one is renamed Engine#3',
      ],
      [
        'name_repeated',
        12,
        'Message Engine occurs more than once',
        'the first one is used; this one is renamed Engine#4',
      ],
    ]);
  });

  it('shares what statements say about it, since they have no other name', () => {
    const [first, second] = engine?.signals ?? [];
    for (const signal of [first, second]) {
      expect(signal).toMatchObject({ comment: 'fast', values: [{ raw: 1n, text: 'one' }] });
    }
    expect(engine?.signals.filter(({ name }) => name.startsWith('Temp'))).toMatchObject([
      { multiplexing: { switch: 'Mux', ranges: [{ from: 1n, to: 1n }] } },
      { multiplexing: { switch: 'Mux', ranges: [{ from: 2n, to: 2n }] } },
      { multiplexing: null },
    ]);
  });

  it('stands in the file again when that is written, and reads back the same', () => {
    const written = new TextDecoder().decode(writeDbc(database));
    expect(written.match(/SG_ Speed :/g)).toHaveLength(3);
    expect(written.match(/BO_ \d+ Engine:/g)).toHaveLength(3);
    expect(written.match(/^CM_ SG_ 1 Speed /gm)).toHaveLength(1);
    expect(written).not.toMatch(/Speed#2|Engine#3/);
    expect(readText(written).database).toEqual(database);
  });

  it('is made of the long one where the file has that', () => {
    const long = `BO_ 1 M: 8 A
 SG_ X : 0|8@1+ (1,0) [0|0] "" A
 SG_ Y : 8|8@1+ (1,0) [0|0] "" A
BA_DEF_ SG_ "SystemSignalLongSymbol" STRING ;
BA_ "SystemSignalLongSymbol" SG_ 1 X "Long";
BA_ "SystemSignalLongSymbol" SG_ 1 Y "Long";
`;
    expect(readText(long).database.messages[0]?.signals.map(({ name }) => name)).toEqual([
      'Long',
      'Long#2',
    ]);
  });
});
