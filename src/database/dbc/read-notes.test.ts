import { describe, expect, it } from 'vitest';
import { codesOf, messageOf, readText } from './testing/read-text.ts';

const message = 'BU_: A B\nBO_ 1 M: 8 A\n SG_ X : 0|8@1- (1,0) [0|0] "" A\n';
const signalWith = (text: string) => messageOf(message + text).signals[0];

describe('comments', () => {
  it('belong to the database, nodes, messages, signals and environment variables', () => {
    const { database } = readText(`CM_ SG_ 1 X "early";\n${message}
EV_ V: 0 [0|1] "" 0 1 DUMMY_NODE_VECTOR0 A;
CM_ "one ";\nCM_ "two";\nCM_ BU_ B "node";\nCM_ BO_ 1 "message";\nCM_ EV_ V "variable";`);
    expect(database.comment).toBe('one two');
    expect(database.nodes.map(({ comment }) => comment)).toEqual([null, 'node']);
    expect(database.messages[0]?.comment).toBe('message');
    expect(database.messages[0]?.signals[0]?.comment).toBe('early');
    expect(database.specifics.environmentVariables[0]?.comment).toBe('variable');
  });

  it('hold quotes, semicolons, line ends and backslashes', () => {
    const text = 'CM_ BO_ 1 "a \\"b\\"; // c\r\nBO_ \\n d\\\\ e";';
    expect(messageOf(`${message}${text}`).comment).toBe('a "b"; // c\r\nBO_ \\n d\\\\ e');
  });

  it('of a bare number belong to the message', () => {
    expect(messageOf(`${message}CM_ 1 "bare";`).comment).toBe('bare');
    expect(codesOf(`${message}CM_ 1 "bare";`)).toEqual(['comment_without_kind']);
  });

  it('that name no signal are left out', () => {
    expect(codesOf(`${message}CM_ SG_ 1 "which?";`)).toEqual(['comment_without_signal']);
  });

  it('about things that are not there are reported', () => {
    const text = `${message}CM_ SG_ 1 Y "a";\nCM_ BO_ 2 "b";\nCM_ BU_ C "c";\nCM_ EV_ V "d";`;
    expect(codesOf(text)).toEqual(Array(4).fill('reference_unknown'));
  });
});

describe('texts of values', () => {
  it('are exact for integers of any size and spelling', () => {
    const text = 'VAL_ 1 X -1 "a" 0x10 "b" 2.0 "c" 18446744073709551615 "d" 1.5 "e" ;';
    expect(signalWith(text)?.values).toEqual([
      { raw: -1n, text: 'a' },
      { raw: 16n, text: 'b' },
      { raw: 2n, text: 'c' },
      { raw: 18446744073709551615n, text: 'd' },
    ]);
    expect(codesOf(message + text)).toEqual([
      'value_out_of_range',
      'number_hexadecimal',
      'integer_with_fraction',
      'value_not_whole',
    ]);
  });

  it('count once for a value, the last one', () => {
    expect(signalWith('VAL_ 1 X 1 "a" 0 "b" 1 "c";')?.values).toEqual([
      { raw: 1n, text: 'c' },
      { raw: 0n, text: 'b' },
    ]);
  });

  it('of signed signals may be written without their sign', () => {
    expect(codesOf(`${message}VAL_ 1 X 255 "minus one" ;`)).toEqual([]);
    expect(codesOf(`${message}VAL_ 1 X 256 "too much" ;`)).toEqual(['value_out_of_range']);
    expect(codesOf(`${message}VAL_ 1 X -129 "too little" ;`)).toEqual(['value_out_of_range']);
  });

  it('also come as tables of their own', () => {
    const { valueTables } = readText(`${message}VAL_TABLE_ T 1 "On" 0 "Off" ;`).database;
    expect(valueTables).toEqual([
      {
        name: 'T',
        values: [
          { raw: 1n, text: 'On' },
          { raw: 0n, text: 'Off' },
        ],
      },
    ]);
  });
});

describe('attributes', () => {
  const definitions = `BA_DEF_ BO_ "Send" ENUM "Cyclic","Filler","Filler","Event";
BA_DEF_ BO_ "Count" INT 0 65535;\nBA_DEF_ BO_ "Note" STRING ;\nBA_DEF_ BO_ "Scale" FLOAT 0 1;\n`;
  const attributesWith = (text: string) => messageOf(message + text).attributes;

  it('have the type of their definition, wherever that stands', () => {
    const text = `BA_ "Send" BO_ 1 3;\nBA_ "Count" BO_ 1 1.5E+001;\nBA_ "Note" BO_ 1 "7";
BA_ "Scale" BO_ 1 -.5;\n${definitions}`;
    expect(attributesWith(text)).toEqual({
      Send: { kind: 'choice', index: 3, text: 'Event' },
      Count: { kind: 'number', number: '15' },
      Note: { kind: 'text', text: '7' },
      Scale: { kind: 'number', number: '-0.5' },
    });
  });

  it('name a choice by index or by text', () => {
    expect(attributesWith(`${definitions}BA_ "Send" BO_ 1 "Event";`).Send).toMatchObject({
      index: 3,
    });
    expect(attributesWith(`${definitions}BA_ "Send" BO_ 1 "Filler";`).Send).toMatchObject({
      index: 1,
    });
  });

  it('that do not fit their definition are kept and reported', () => {
    const text = `${definitions}BA_ "Send" BO_ 1 9;\nBA_ "Count" BO_ 1 "many";`;
    expect(attributesWith(text)).toEqual({
      Send: { kind: 'number', number: '9' },
      Count: { kind: 'text', text: 'many' },
    });
    expect(codesOf(message + text)).toEqual(['attribute_mismatch', 'attribute_mismatch']);
  });

  it('without a definition are kept as they are, and reported once', () => {
    const text = 'BA_ "Own" BO_ 1 5;\nBA_ "Own" SG_ 1 X "t";';
    expect(attributesWith(text)).toEqual({ Own: { kind: 'number', number: '5' } });
    expect(codesOf(message + text)).toEqual(['attribute_undefined']);
  });

  it('may have any name, even one that objects inherit', () => {
    const attributes = attributesWith('BA_ "__proto__" BO_ 1 5;\nBA_ "toString" BO_ 1 6;');
    expect(Object.keys(attributes)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
    expect(Object.keys(attributesWith(''))).toEqual([]);
  });

  it('are defined with limits, choices and defaults', () => {
    const text = `BA_DEF_ BO_ "Send" ENUM "A","B";\nBA_DEF_DEF_ "Send" "B";
BA_DEF_ "Size" HEX 0 255;\nBA_DEF_DEF_ "Size" 16;\nBA_DEF_ SG_ "Free" INT;
BA_DEF_REL_ BU_SG_REL_ "Timeout" INT 0 100;\nBA_DEF_DEF_REL_ "Timeout" 5;`;
    expect(readText(message + text).database.specifics.attributeDefinitions).toMatchObject([
      { owner: 'message', name: 'Send', default: { kind: 'choice', index: 1, text: 'B' } },
      { owner: 'database', name: 'Size', minimum: '0', maximum: '255', type: 'HEX' },
      { owner: 'signal', name: 'Free', minimum: null, maximum: null, default: null },
      { owner: 'node_signal', name: 'Timeout', default: { kind: 'number', number: '5' } },
    ]);
  });

  it('hang on relations between a node and what it receives', () => {
    const text = `EV_ V: 0 [0|1] "" 0 1 DUMMY_NODE_VECTOR0 A;
BA_REL_ "T" BU_SG_REL_ B SG_ 1 X 7;\nBA_REL_ "T" BU_BO_REL_ B 1 8;\nBA_REL_ "T" BU_EV_REL_ B V 9;
BA_DEF_REL_ BU_SG_REL_ "T" INT 0 9;`;
    const { relationAttributes } = readText(message + text).database.specifics;
    expect(relationAttributes.map(({ node, target }) => [node, target])).toEqual([
      ['B', { kind: 'signal', message: { id: 1, extended: false }, signal: 'X' }],
      ['B', { kind: 'message', message: { id: 1, extended: false } }],
      ['B', { kind: 'environment_variable', variable: 'V' }],
    ]);
  });
});

describe('what attributes say about messages and signals', () => {
  it('is their cycle time, their own or the default', () => {
    const definition = 'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 9;\n';
    const cycle = (text: string) => messageOf(message + definition + text).cycleTimeMs;
    expect(cycle('')).toBeNull();
    expect(cycle('BA_DEF_DEF_ "GenMsgCycleTime" 50;')).toBe(50);
    expect(cycle('BA_DEF_DEF_ "GenMsgCycleTime" 50;\nBA_ "GenMsgCycleTime" BO_ 1 0;')).toBeNull();
    expect(cycle('BA_ "GenMsgCycleTime" BO_ 1 20;')).toBe(20);
  });

  it('is the raw value that a signal starts with', () => {
    expect(signalWith('')?.initialRaw).toBeNull();
    expect(signalWith('BA_ "GenSigStartValue" SG_ 1 X 1.5E3;')?.initialRaw).toBe('1.5E3');
    expect(signalWith('BA_ "GenSigStartValue" SG_ 1 X "12";')?.initialRaw).toBe('12');
    expect(
      signalWith('BA_DEF_ SG_ "GenSigStartValue" INT 0 9;\nBA_DEF_DEF_ "GenSigStartValue" 3;')
        ?.initialRaw,
    ).toBe('3');
  });

  it('is a name longer than 32 characters', () => {
    const long = 'x'.repeat(40);
    const text = `BA_ "SystemSignalLongSymbol" SG_ 1 X "${long}";
BA_ "SystemMessageLongSymbol" BO_ 1 "M${long}";\nBA_ "SystemNodeLongSymbol" BU_ A "A${long}";`;
    const { nodes, messages } = readText(message + text).database;
    expect(nodes[0]?.name).toBe(`A${long}`);
    expect(messages[0]).toMatchObject({
      name: `M${long}`,
      senders: [`A${long}`],
      attributes: {},
      signals: [{ name: long, receivers: [`A${long}`], attributes: {} }],
    });
  });
});

describe('frame kinds', () => {
  const kindOf = (length: number, text: string) => {
    const { fd, brs } = messageOf(`BO_ 1 M: ${length} A\n${text}`);
    return { fd, brs };
  };
  const brs = 'BA_DEF_ BO_ "CANFD_BRS" ENUM "0","1";\n';

  it('come from VFrameFormat, by the label of the file or by number', () => {
    const list = 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","StandardCAN_FD";\n';
    expect(kindOf(8, `${list}BA_ "VFrameFormat" BO_ 1 1;`)).toEqual({ fd: true, brs: true });
    expect(kindOf(8, `${list}BA_ "VFrameFormat" BO_ 1 0;`)).toEqual({ fd: false, brs: false });
    const plain = 'BA_DEF_ BO_ "VFrameFormat" INT 0 15;\n';
    expect(kindOf(8, `${plain}BA_ "VFrameFormat" BO_ 1 14;`).fd).toBe(true);
    expect(kindOf(8, `${plain}BA_ "VFrameFormat" BO_ 1 1;`).fd).toBe(false);
  });

  it('come from the bus where messages say nothing', () => {
    expect(kindOf(8, 'BA_ "BusType" "CAN FD";').fd).toBe(true);
    expect(kindOf(8, 'BA_ "BusType" "CAN";').fd).toBe(false);
  });

  it('come from the length where nothing else says it, with a warning', () => {
    expect(kindOf(12, '').fd).toBe(true);
    expect(codesOf('BO_ 1 M: 12 A')).toEqual(['length_needs_fd']);
    const j1939 = 'BA_DEF_ BO_ "VFrameFormat" INT 0 15;\nBA_DEF_DEF_ "VFrameFormat" 3;';
    expect(kindOf(12, j1939).fd).toBe(false);
    expect(kindOf(1785, '').fd).toBe(false);
  });

  it('switch the bit rate as CANFD_BRS says', () => {
    expect(kindOf(64, `${brs}BA_DEF_DEF_ "CANFD_BRS" "0";`)).toEqual({ fd: true, brs: false });
    expect(kindOf(64, `${brs}BA_ "CANFD_BRS" BO_ 1 1;`)).toEqual({ fd: true, brs: true });
  });
});

describe('other statements', () => {
  it('declare environment variables', () => {
    const { environmentVariables } = readText(`${message}
EV_ V: 1 [-5|5.5] "bar" 1.5 7 DUMMY_NODE_VECTOR2 A, B;\nEV_ S: 0 [0|0] "" 0 8 DUMMY_NODE_VECTOR8001 Vector__XXX;
EV_ D: 0 [0|0] "" 0 9 DUMMY_NODE_VECTOR0 A;\nENVVAR_DATA_ D: 5;\nVAL_ V 1 "one" ;
BA_ "SystemEnvVarLongSymbol" EV_ S "Sentence";`).database.specifics;
    expect(environmentVariables).toMatchObject([
      {
        name: 'V',
        type: 'float',
        minimum: '-5',
        maximum: '5.5',
        unit: 'bar',
        initial: '1.5',
        number: 7,
        access: 'write',
        nodes: ['A', 'B'],
        dataSize: null,
        values: [{ raw: 1n, text: 'one' }],
      },
      { name: 'Sentence', type: 'string', access: 'read', nodes: [] },
      { name: 'D', type: 'data', dataSize: 5 },
    ]);
  });

  it('group signals', () => {
    const { signalGroups } = readText(`${message}SIG_GROUP_ 1 G 2 : X Y;`).database.specifics;
    expect(signalGroups).toEqual([
      { message: { id: 1, extended: false }, name: 'G', repetitions: 2, signals: ['X', 'Y'] },
    ]);
  });

  it('begin the file or are missing', () => {
    expect(readText('BO_ 1 M: 8 A').database).toMatchObject({ version: null, nodes: [] });
    const text = `\uFEFFVERSION "v"\nNS_ :\nNS_DESC_\n\tCM_\n\tFUTURE_\nBS_: 500 : 1 , 2\n${message}`;
    const { database } = readText(text);
    expect(database).toMatchObject({ version: 'v', specifics: { bitTiming: { baudRate: '500' } } });
    expect(codesOf(text)).toEqual([]);
  });

  it('are left out where the format only reserves them', () => {
    const text = `${message}SGTYPE_ T : 8@1+ (1,0) [0|0] "" 0;\nCAT_DEF_ 1 "x" 2;\nFILTER 1;\nBO_ 2 N: 8 A`;
    expect(codesOf(text)).toEqual(Array(3).fill('statement_unknown'));
    expect(readText(text).database.messages).toHaveLength(2);
  });

  it('report a node that is listed twice', () => {
    expect(codesOf('BU_: A B\n A\nBO_ 1 M: 8 A')).toEqual(['name_repeated']);
  });
});
