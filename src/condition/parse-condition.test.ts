import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { maxConditionLength, parseCondition, parseConditionIn } from './parse-condition.ts';
import { conditionText } from './print-condition.ts';
import { termNames, terms } from './terms.ts';

const errorOf = (text: string): BusbarError => {
  try {
    parseCondition(text, 'trigger.start');
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new Error(`${text} is accepted`);
};

describe('A condition', () => {
  it.each(termNames.map((name) => [terms[name].example, terms[name].kind]))(
    'is written back as it was: %s',
    (text, kind) => {
      const condition = parseCondition(text, 'when');
      expect(condition.kind).toBe(kind);
      expect(conditionText(condition)).toBe(text);
    },
  );

  it.each([
    ['frame 123 or frame 124 and signal A.B = 1', 'frame 123 or frame 124 and signal A.B = 1'],
    ['(frame 123 or frame 124) and signal A.B == 1', '(frame 123 or frame 124) and signal A.B = 1'],
    ['not not signal A.B>=-1.5', 'not not signal A.B >= -1.5'],
    ['not (signal A.B = Off or silence 3C 1s)', 'not (signal A.B = Off or silence 3C 1s)'],
    ['(not signal A.B = Off) and error', 'not signal A.B = Off and error'],
    [
      'frame 123 within 50ms of (frame 124 within 1s of error)',
      'frame 123 within 50ms of (frame 124 within 1s of error)',
    ],
    ['not signal A.B = 1 within 5ms of error', 'not signal A.B = 1 within 5ms of error'],
    ['signal A.B = "in gear" on "my bus"', 'signal A.B = "in gear" on "my bus"'],
    ['signal A.B = "say \\"hi\\""', 'signal A.B = "say \\"hi\\""'],
    ['signal A.B = "12"', 'signal A.B = "12"'],
    ['frame 123 on SIM00001/0', 'frame 123 on SIM00001/0'],
    ['pdu', 'pdu'],
    ['pdu data 7f??22 id 7E8', 'pdu id 7E8 data 7F??22'],
    ['pdu j1939 pgn 0xFECA', 'pdu j1939 pgn 65226'],
    ['pdu status timeout', 'pdu status timeout'],
    ['  bus_off\n or\terror ', 'bus_off or error'],
  ])('needs no other text: %s', (text, written) => {
    expect(conditionText(parseCondition(text, 'when'))).toBe(written);
  });

  it.each([
    ['', 0, 'not, ( or one of frame, signal, change, error, bus_off, e2e_error, silence, pdu'],
    ['frames 123', 0, 'not, ( or one of frame'],
    ['frame', 5, 'an identifier'],
    ['frame 0123', 6, 'an identifier'],
    ['frame 12G', 6, 'an identifier'],
    ['frame "123"', 6, 'an identifier'],
    ['frame 123 data', 14, 'bytes in hex'],
    ['frame 123 data 1', 15, 'bytes in hex'],
    ['frame 123 frame', 10, 'and, or, within, or the end'],
    ['frame 123 or', 12, 'not, ( or one of'],
    ['signal Engine > 3', 7, 'a signal as Message.Signal'],
    ['signal A.B', 10, 'one of = != < <= > >='],
    ['signal A.B ! 3', 11, 'a word or one of'],
    ['signal A.B >', 12, 'a number or a label'],
    ['signal A.B = "x', 13, 'a closing quotation mark'],
    ['change A.', 7, 'a signal as Message.Signal'],
    ['e2e_error cabin', 10, 'a message of a gateway as instance/message'],
    ['silence 123', 11, 'a duration such as 100ms'],
    ['silence 123 100', 12, 'a duration such as 100ms'],
    ['silence 123 0ms', 12, 'a duration above 0 and up to 24h'],
    ['silence 123 25h', 12, 'a duration above 0 and up to 24h'],
    ['error on', 8, 'a channel'],
    ['pdu isotp pgn 3', 10, 'the end of the term or one of id, nrc, status, data'],
    ['pdu nrc 22 nrc 23', 11, 'the end of the term or one of pgn, id, status, data'],
    ['pdu nrc 222', 8, 'a negative response code'],
    ['pdu status good', 11, 'one of complete, lost'],
    ['pdu pgn 0x40000', 8, 'a parameter group'],
    ['(error', 6, 'and, or, within, or )'],
    ['error)', 5, 'and, or, within, or the end'],
    ['error and bus_off', 10, 'a state'],
    ['error and (signal A.B = 1 or frame 123)', 10, 'a state'],
    ['not error', 4, 'a state'],
    ['not (silence 123 1s or error)', 4, 'a state'],
    ['error within 5ms bus_off', 17, 'of'],
    ['error within 5ms', 16, 'of'],
    ['error within of bus_off', 13, 'a duration'],
    ['error within 5ms of error within 5ms of error', 26, 'and, or, within, or the end'],
  ])('that is wrong says where: %s', (text, offset, expected) => {
    const { code, message, details } = errorOf(text);
    expect(code).toBe('invalid_argument');
    expect(details).toMatchObject({ field: 'trigger.start', offset });
    expect(details.expected).toContain(expected);
    expect(message).toContain(`trigger.start: expected ${details.expected}`);
  });

  it('is bounded in length, nesting and terms', () => {
    const long = `error${' '.repeat(maxConditionLength)}`;
    expect(errorOf(long).details).toMatchObject({ offset: maxConditionLength });
    expect(parseCondition(long.slice(0, maxConditionLength), 'when').op).toBe('error');
    expect(errorOf('('.repeat(1000)).details).toMatchObject({ offset: 32 });
    expect(errorOf(`${'not '.repeat(1000)}error`).details).toMatchObject({ offset: 128 });
    const nested = (count: number): string => `${'('.repeat(count)}error${')'.repeat(count)}`;
    expect(parseCondition(nested(32), 'when').op).toBe('error');
    expect(parseCondition(`(error) or ${nested(32)}`, 'when').op).toBe('or');
    expect(errorOf(nested(33)).details).toMatchObject({
      offset: 32,
      expected: 'at most 32 levels of nesting',
    });
    const negated = (count: number): string => `${'not '.repeat(count)}signal A.B = 1`;
    expect(parseCondition(negated(32), 'when').op).toBe('not');
    expect(errorOf(negated(33)).details).toMatchObject({ offset: 128 });
    const terms = (count: number): string =>
      Array.from({ length: count }, () => 'error').join(' or ');
    expect(parseCondition(terms(64), 'when').op).toBe('or');
    expect(errorOf(terms(65)).details).toMatchObject({
      offset: 64 * 9,
      expected: 'at most 64 terms',
    });
  });

  it('can be a part of a text, and ends before what cannot belong to it', () => {
    const text = 'order frame 123 then frame 124 within 5ms of error within 5ms';
    const first = parseConditionIn(text, 'check', 6);
    expect(conditionText(first.condition)).toBe('frame 123');
    expect(first.next).toMatchObject({ text: 'then', at: 16 });
    const second = parseConditionIn(text, 'check', first.next.end);
    expect(conditionText(second.condition)).toBe('frame 124 within 5ms of error');
    expect(second.next).toMatchObject({ text: 'within', at: 51 });
  });
});
