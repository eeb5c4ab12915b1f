import { describe, expect, it } from 'vitest';
import { readText } from './testing/read-text.ts';
import { writeDbc } from './testing/write-dbc.ts';

const formats = '"StandardCAN","ExtendedCAN","reserved","J1939PG"';
const speed = 0x18fe_f1fe + 0x8000_0000;
const request = 0x18ea_00fe + 0x8000_0000;
const messages = `BO_ ${speed} Speed: 8 A\nBO_ ${request} Request: 3 A\nBO_ 5 Short: 8 A\n`;

const pgnsOf = (text: string): (number | null)[] =>
  readText(messages + text).database.messages.map(({ pgn }) => pgn ?? null);

describe('a message of a J1939 database', () => {
  it.each([
    [
      'the default of a list',
      `BA_DEF_ BO_ "VFrameFormat" ENUM ${formats};\nBA_DEF_DEF_ "VFrameFormat" "J1939PG";`,
    ],
    [
      'the default of a list by its index',
      `BA_DEF_ BO_ "VFrameFormat" ENUM ${formats};\nBA_DEF_DEF_ "VFrameFormat" 3;`,
    ],
    [
      'the default of a number',
      'BA_DEF_ BO_ "VFrameFormat" INT 0 15;\nBA_DEF_DEF_ "VFrameFormat" 3;',
    ],
    [
      'the default of a text',
      'BA_DEF_ BO_ "VFrameFormat" STRING ;\nBA_DEF_DEF_ "VFrameFormat" "J1939PG";',
    ],
    [
      'the protocol of the database',
      'BA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";',
    ],
    [
      'the default of the protocol',
      'BA_DEF_ "ProtocolType" STRING ;\nBA_DEF_DEF_ "ProtocolType" "ExtendedJ1939";',
    ],
  ])('is a parameter group by %s', (_name, text) => {
    expect(pgnsOf(text)).toEqual([0xfef1, 0xea00, null]);
  });

  it('is one or is none as it says itself, by index, text, or number outside of the list', () => {
    const list = `BA_DEF_ BO_ "VFrameFormat" ENUM ${formats};\nBA_DEF_DEF_ "VFrameFormat" "ExtendedCAN";\n`;
    expect(pgnsOf(list)).toEqual([null, null, null]);
    expect(pgnsOf(`${list}BA_ "VFrameFormat" BO_ ${speed} 3;`)).toEqual([0xfef1, null, null]);
    expect(pgnsOf(`${list}BA_ "VFrameFormat" BO_ ${speed} "J1939PG";`)).toEqual([
      0xfef1,
      null,
      null,
    ]);
    const short = 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN";\n';
    expect(pgnsOf(`${short}BA_ "VFrameFormat" BO_ ${speed} 3;`)).toEqual([0xfef1, null, null]);
    const protocol = 'BA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";\n';
    expect(pgnsOf(`${list}${protocol}`)).toEqual([null, null, null]);
  });

  it('is told of, without being something wrong', () => {
    const text = `${messages}BA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";`;
    expect(readText(text).diagnostics).toMatchObject([
      {
        severity: 'info',
        code: 'matched_by_pgn',
        line: 1,
        message: '2 messages are J1939 parameter groups',
      },
    ]);
  });

  it('is told of where it shares its group with another', () => {
    const other = 0x0cfe_f103 + 0x8000_0000;
    const text = `${messages}BO_ ${other} SpeedOfGearbox: 8 A\nBA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";`;
    const warning = readText(text).diagnostics.find(({ severity }) => severity === 'warning');
    expect(warning).toMatchObject({ code: 'pgn_repeated', line: 4 });
    expect(warning?.message).toContain('SpeedOfGearbox and Speed');
  });

  it('is written so that it reads back as one, also where the file never said so', () => {
    const { database } = readText(messages);
    const changed = {
      ...database,
      messages: database.messages.map((message) =>
        message.name === 'Speed' ? { ...message, pgn: 0xfef1 } : message,
      ),
    };
    const written = new TextDecoder().decode(writeDbc(changed));
    expect(readText(written).database.messages.map(({ pgn }) => pgn)).toEqual([
      0xfef1,
      undefined,
      undefined,
    ]);
  });
});
