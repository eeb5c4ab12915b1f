import { describe, expect, it } from 'vitest';
import { codesOf, messageOf, readText, signalOf, signalsOf } from './testing/read-text.ts';

const signal = 'SG_ X : 0|8@1+ (1,0) [0|0] "" A';

describe('a message', () => {
  it('is read with its length and sender', () => {
    expect(messageOf('BO_ 100 Engine : 6 ECU')).toMatchObject({
      name: 'Engine',
      id: 100,
      extended: false,
      length: 6,
      senders: ['ECU'],
      signals: [],
    });
  });

  it('has nobody as sender when the file says so', () => {
    expect(messageOf('BO_ 100 M: 8 Vector__XXX').senders).toEqual([]);
  });

  it('is extended when bit 31 of its number is set', () => {
    expect(messageOf('BO_ 2566844926 M: 8 A')).toMatchObject({ id: 0x18fef1fe, extended: true });
  });

  it('is taken as extended, with a warning, when its number only fits that', () => {
    const text = 'BO_ 2048 M: 8 A';
    expect(messageOf(text)).toMatchObject({ id: 0x800, extended: true });
    expect(codesOf(text)).toEqual(['id_without_mark']);
    expect(codesOf('BO_ 2047 M: 8 A')).toEqual([]);
  });

  it('keeps 29 bits of a number that has more', () => {
    const text = 'BO_ 4294967295 M: 8 A';
    expect(messageOf(text)).toMatchObject({ id: 0x1fffffff, extended: true });
    expect(codesOf(text)).toEqual(['id_without_mark']);
  });

  it('is known by the 32 bits of a number that was written with a sign', () => {
    const text = 'BO_ -2147483392 M: 8 A\nCM_ BO_ 2147483904 "same";';
    expect(messageOf(text)).toMatchObject({ id: 0x100, extended: true, comment: 'same' });
    expect(codesOf(text)).toEqual(['id_negative']);
  });

  it('may lack its sender', () => {
    const text = 'BO_ 1 M: 8\nBO_ 2 N: 8 A\n';
    expect(readText(text).database.messages.map(({ senders }) => senders)).toEqual([[], ['A']]);
    expect(codesOf(text)).toEqual(['sender_missing']);
  });

  it('gets further senders from BO_TX_BU_, each once', () => {
    expect(messageOf('BO_ 1 M: 8 A\nBO_TX_BU_ 1 : A,B, C;').senders).toEqual(['A', 'B', 'C']);
    expect(messageOf('BO_ 1 M: 8 Vector__XXX\nBO_TX_BU_ 1 : B;').senders).toEqual(['B']);
  });

  it('is left out when it only collects signals without a message', () => {
    const text = `BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 Vector__XXX\n ${signal}
CM_ SG_ 3221225472 X "c";\nVAL_ 3221225472 X 0 "a" ;\nBO_ 5 M: 8 A`;
    expect(readText(text).database.messages.map(({ name }) => name)).toEqual(['M']);
    expect(codesOf(text)).toEqual([]);
  });

  it('stays beside another one of the same number or name, and both are reported', () => {
    const text = `BO_ 5 M: 8 A\n ${signal}\nBO_ 5 N: 8 A\n ${signal}\nBO_ 2147483653 M: 8 A
CM_ SG_ 5 X "both";`;
    const { messages } = readText(text).database;
    expect(messages.map(({ name, extended }) => [name, extended])).toEqual([
      ['M', false],
      ['N', false],
      ['M#2', true],
    ]);
    expect(messages.map(({ signals }) => signals[0]?.comment)).toEqual(['both', 'both', undefined]);
    expect(codesOf(text)).toEqual(['id_repeated', 'name_repeated']);
  });
});

describe('a signal', () => {
  it('is read with all its parts', () => {
    expect(
      signalOf(' SG_ Torque : 23|12@0- (0.5,-10) [-1034|1013.5] "N m" Gateway, Dash,Vector__XXX'),
    ).toMatchObject({
      name: 'Torque',
      startBit: 23,
      length: 12,
      byteOrder: 'motorola',
      kind: 'signed',
      factor: '0.5',
      offset: '-10',
      minimum: '-1034',
      maximum: '1013.5',
      unit: 'N m',
      receivers: ['Gateway', 'Dash'],
      isSwitch: false,
      multiplexing: null,
    });
  });

  it('needs no blanks between its parts', () => {
    expect(signalOf('SG_ X:0|8@1+(1,0)[0|0]""A')).toMatchObject({ name: 'X', receivers: ['A'] });
  });

  it('may be spread by tabs, line ends and comments', () => {
    const text = '\tSG_\tX // name\r\n : 0 | 8 @ 1 + ( 1 , 0 ) [ 0 | 0 ]\r\n"" A,\r\n B';
    expect(signalOf(text)).toMatchObject({ length: 8, receivers: ['A', 'B'] });
  });

  it.each([
    ['.25', '0.25'],
    ['1.', '1'],
    ['007', '7'],
    ['+5', '5'],
    ['-.5E3', '-0.5E3'],
    ['3.4E+038', '3.4E+038'],
    ['1.50', '1.50'],
    ['18446744073709551615', '18446744073709551615'],
  ])('with the factor %s has it as %s', (written, kept) => {
    expect(signalOf(`SG_ X : 0|8@1+ (${written},0) [0|0] "" A`).factor).toBe(kept);
  });

  it('has no limits when both are exactly 0', () => {
    const limits = (text: string) => {
      const { minimum, maximum } = signalOf(`SG_ X : 0|8@1+ (1,0) [${text}] "" A`);
      return [minimum, maximum];
    };
    expect(limits('0|0')).toEqual([null, null]);
    expect(limits('0.0|0.0')).toEqual(['0.0', '0.0']);
    expect(limits('0|1')).toEqual(['0', '1']);
    expect(limits('-1.#INF|1.#INF')).toEqual([null, null]);
    expect(limits('nan|5')).toEqual([null, null]);
  });

  it.each([
    ['', []],
    ['A B', ['A', 'B']],
    ['A ,B', ['A', 'B']],
    ['A,', ['A']],
    ['Vector__XXX', []],
  ])('with the receivers “%s” has them all', (written, receivers) => {
    const signals = signalsOf(` SG_ X : 0|8@1+ (1,0) [0|0] "" ${written}\n ${signal}`);
    expect(signals.map((each) => each.receivers)).toEqual([receivers, ['A']]);
  });

  it('does not take a statement that nobody knows for receivers', () => {
    const text = `BO_ 1 M: 8 A\n ${signal}\nFUTURE_ 1 2;\nBO_ 2 N: 8 A`;
    expect(readText(text).database.messages).toHaveLength(2);
    expect(messageOf(text).signals[0]?.receivers).toEqual(['A']);
    expect(codesOf(text)).toEqual(['statement_unknown']);
  });

  it.each(['1ST', '64_BIT', 'Über', 'A-B', '温度', '1E5'])(
    'may be called %s, with a warning',
    (name) => {
      const text = `BO_ 1 M: 8 A\n SG_ ${name} : 0|8@1+ (1,0) [0|0] "" A\nCM_ SG_ 1 ${name} "c";`;
      expect(messageOf(text).signals).toMatchObject([{ name, comment: 'c' }]);
      expect(new Set(codesOf(text))).toEqual(new Set(['name_irregular']));
    },
  );

  it('is left out when it has no bits', () => {
    expect(codesOf('BO_ 1 M: 8 A\n SG_ X : 0|0@1+ (1,0) [0|0] "" A')).toEqual(['length_zero']);
  });

  it('is left out when it stands before the first message', () => {
    expect(codesOf(`${signal}\nBO_ 1 M: 8 A`)).toEqual(['signal_without_message']);
  });

  it('does not move to another message when its own cannot be read', () => {
    const text = `BO_ 1 M: 8 A\nBO_ 2 : 8 A\n ${signal}\nBO_ 3 N: 8 A\n ${signal}`;
    expect(readText(text).database.messages.map(({ signals }) => signals.length)).toEqual([0, 1]);
    expect(codesOf(text)).toEqual(['syntax']);
  });

  it('is a float where SIG_VALTYPE_ says so and the length allows it', () => {
    const text = `BO_ 1 M: 8 A
 SG_ F : 0|32@1- (1,0) [0|0] "" A\n SG_ N : 32|16@1- (1,0) [0|0] "" A
BO_ 2 N: 8 A\n SG_ D : 0|64@1- (1,0) [0|0] "" A
SIG_VALTYPE_ 1 F : 1;\nSIG_VALTYPE_ 1 N : 1;\nSIG_VALTYPE_ 2 D 2;`;
    const { messages } = readText(text).database;
    expect(messages.flatMap(({ signals }) => signals.map(({ kind }) => kind))).toEqual([
      'float32',
      'signed',
      'float64',
    ]);
    expect(codesOf(text)).toEqual(['value_type_mismatch']);
  });
});
