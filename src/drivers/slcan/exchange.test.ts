import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatHex } from '../../frame/hex-bytes.ts';
import { ackTimeoutUs, Exchange, type Reply } from './exchange.ts';

const timeoutUs = 100_000;

let received: string[];
let exchange: Exchange;
const say = (text: string, nowUs = 0) => exchange.receive(Buffer.from(text, 'latin1'), nowUs);
const ask = (text: string, isAnswer?: (line: string) => boolean) => {
  const replies: Reply[] = [];
  const command = isAnswer ? { text, timeoutUs, isAnswer } : { text, timeoutUs };
  exchange.ask(command, 0, (reply) => replies.push(reply));
  return replies;
};
const isVersion = (line: string) => line.startsWith('V');

describe('the exchange with a device', () => {
  beforeEach(() => {
    received = [];
    exchange = new Exchange({
      frame: ({ id, data, length }) =>
        received.push(`${id.toString(16)}#${formatHex(data.subarray(0, length))}`),
      taken: () => received.push('taken'),
      refused: () => received.push('refused'),
      unanswered: (frames) => received.push(`${frames} unanswered`),
      state: ({ state }) => received.push(state),
      errors: (letters) => received.push(letters.join()),
    });
    exchange.stampDigits = 0;
  });

  it('gives a command its answer, whatever comes in between', () => {
    const replies = ask('V', isVersion);
    say('t1231AA\rsw012101\re1a\rV1013\r');
    expect(replies).toEqual([{ outcome: 'ok', text: 'V1013' }]);
    expect(received).toEqual(['123#AA', 'error_warning', 'a']);
    expect(exchange.malformed).toBe(0);
  });

  it.each([
    ['\r', 'ok'],
    ['\x07', 'refused'],
  ])('takes %j for the end of a command', (answer, outcome) => {
    const replies = ask('S6');
    say(answer);
    expect(replies).toEqual([{ outcome, text: '' }]);
  });

  it('does not take the answer of another command', () => {
    const replies = ask('V', isVersion);
    say('N1234\rF00\r\rI30A0\r');
    expect([replies, exchange.malformed]).toEqual([[], 4]);
    say('V1013\r');
    expect(replies).toHaveLength(1);
  });

  it('ends a command that is not answered in time', () => {
    const replies = ask('S6');
    expect(exchange.deadlineUs).toBe(timeoutUs);
    exchange.tick(timeoutUs - 1);
    expect(replies).toEqual([]);
    exchange.tick(timeoutUs);
    expect(replies).toEqual([{ outcome: 'silent', text: '' }]);
    expect(exchange.deadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes an answer that comes too late for no line that was garbled, but only once', () => {
    ask('F', (line) => line.startsWith('F'));
    exchange.tick(timeoutUs);
    say('F00\r');
    expect(exchange.malformed).toBe(0);
    say('F00\r');
    expect(exchange.malformed).toBe(1);
  });

  it('takes neither a garbled frame nor what comes much later for a late answer', () => {
    ask('V', (line) => line.length > 4);
    exchange.tick(timeoutUs);
    say('t123G11\r');
    expect(exchange.malformed).toBe(1);
    say('V1013\r', timeoutUs + 3_600_000_000);
    expect(exchange.malformed).toBe(2);
  });

  it('gives frames their answers in order, before and behind a command', () => {
    exchange.wrote(2, 0);
    const replies = ask('F', (line) => line.startsWith('F'));
    exchange.wrote(1, 0);
    say('z\r\x07');
    expect(received).toEqual(['taken', 'refused']);
    say('F04\r\r');
    expect(replies).toEqual([{ outcome: 'ok', text: 'F04' }]);
    expect([received, exchange.unansweredFrames]).toEqual([['taken', 'refused', 'taken'], 0]);
  });

  it('gives up all frames together once one has no answer in time', () => {
    exchange.wrote(3, 0);
    say('z\r', 600_000);
    exchange.tick(ackTimeoutUs);
    expect(received).toEqual(['taken']);
    exchange.tick(600_000 + ackTimeoutUs);
    expect(received).toEqual(['taken', '2 unanswered']);
    say('z\r');
    expect([received.length, exchange.malformed]).toEqual([2, 1]);
  });

  describe('whose answers were missed', () => {
    const quietUs = 10_000;
    const fence = (isAnswer?: (line: string) => boolean) => {
      const replies: Reply[] = [];
      exchange.wrote(4, 0);
      exchange.tick(ackTimeoutUs);
      const command = { text: 'V', timeoutUs, quietUs, ...(isAnswer && { isAnswer }) };
      exchange.ask(command, ackTimeoutUs, (reply) => replies.push(reply));
      return replies;
    };
    const afterUs = (us: number) => ackTimeoutUs + us;

    it('goes on behind its own answer alone, and quiet', () => {
      const replies = fence(isVersion);
      say('\x07\rz\rF00\rN1234\r', afterUs(1_000));
      expect(exchange.deadlineUs).toBe(afterUs(timeoutUs));
      say('V1013\r', afterUs(2_000));
      say('\x07', afterUs(10_000));
      exchange.tick(afterUs(12_000));
      expect(replies).toEqual([]);
      expect(exchange.deadlineUs).toBe(afterUs(20_000));
      exchange.tick(afterUs(20_000));
      expect(replies).toEqual([{ outcome: 'ok', text: 'V1013' }]);
      exchange.wrote(1, afterUs(20_000));
      say('z\r', afterUs(21_000));
      expect(received).toEqual(['4 unanswered', 'taken']);
    });

    it('goes on behind the last of its strays where it has no other answers', () => {
      const replies = fence();
      say('\x07', afterUs(1_000));
      say('\r\x07', afterUs(9_000));
      exchange.tick(afterUs(18_999));
      expect(replies).toEqual([]);
      exchange.tick(afterUs(19_000));
      expect(replies).toEqual([{ outcome: 'ok', text: '' }]);
    });

    it.each([
      ['says nothing', ''],
      ['is never quiet', 'V1013\r\x07'],
    ])('is given up in time where it %s', (_, said) => {
      const replies = fence(isVersion);
      for (let us = 0; us < timeoutUs; us += 5_000) {
        say(said, afterUs(us));
        exchange.tick(afterUs(us));
      }
      expect(replies).toEqual([]);
      exchange.tick(afterUs(timeoutUs));
      expect(replies).toEqual([{ outcome: 'silent', text: '' }]);
    });
  });

  it('counts answers that nothing was asked for', () => {
    say('\r\x07z\rZ\rhello\rt12\r');
    expect([received, exchange.malformed]).toEqual([[], 6]);
  });

  it('reads stamps only where it was told to', () => {
    exchange.stampDigits = 4;
    say('t1231AA0001\rt1231AA\rt1231AAFFFF\r');
    expect([received, exchange.malformed]).toEqual([['123#AA'], 2]);
  });

  describe('while it is found out who that is', () => {
    const settle = { quietUs: 10_000, limitUs: 300_000 };
    const clear = () => {
      const replies: Reply[] = [];
      exchange.isProbing = true;
      exchange.ask({ text: 'C', timeoutUs, settle }, 0, (reply) => replies.push(reply));
      return replies;
    };

    it('tells of no frame, whatever stamp that has, and takes none for an answer', () => {
      exchange.isProbing = true;
      const replies = ask('V', (line) => line.length > 4);
      say('t1231AA\rt1231AA0001\rT123456781AA00000001\rr1238\rb1231AAEA5F\r');
      expect([replies, received, exchange.malformed]).toEqual([[], [], 0]);
      expect(exchange.probeStats).toMatchObject({ frames: 5, words: 0 });
      exchange.isProbing = false;
      exchange.stampDigits = 0;
      say('t1231AA\r');
      expect(received).toEqual(['123#AA']);
    });

    it('waits until nothing comes any more, and has the answer that was among it', () => {
      const replies = clear();
      for (let us = 0; us < 200_000; us += 5_000) say('t1231AA0001\r', us);
      say('\x07', 200_000);
      exchange.tick(205_000);
      expect([replies, exchange.deadlineUs]).toEqual([[], 210_000]);
      exchange.tick(210_000);
      expect(replies).toEqual([{ outcome: 'ok', text: '' }]);
    });

    it.each([
      ['silent', 't1231AA0001\r', 10_000],
      ['silent', '', timeoutUs],
    ])('is %s where %j comes and then nothing', (outcome, said, untilUs) => {
      const replies = clear();
      if (said !== '') say(said, 0);
      exchange.tick(untilUs - 1);
      expect(replies).toEqual([]);
      exchange.tick(untilUs);
      expect(replies).toEqual([{ outcome, text: '' }]);
    });

    it('is unquiet where that has no end', () => {
      const replies = clear();
      for (let us = 0; us < 300_000; us += 5_000) say('\rA', us);
      exchange.tick(300_000);
      expect(replies).toEqual([{ outcome: 'unquiet', text: '' }]);
    });

    it('counts noise, words and bare answers', () => {
      clear();
      say('\x80\xfe\r\x07\rERROR\r\nC\rt12\r');
      expect(exchange.probeStats).toMatchObject({ noise: 2, answers: 2, words: 4, frames: 0 });
    });
  });

  it('tells a command that its line is gone', () => {
    const replies = ask('S6');
    exchange.end();
    expect(replies).toEqual([{ outcome: 'gone', text: '' }]);
  });

  it('hears every frame and counts every other line, however they are mixed and cut', () => {
    const good = fc.tuple(fc.nat(0x7ff), fc.uint8Array({ maxLength: 8 })).map(([id, data]) => ({
      text: `t${id.toString(16).toUpperCase().padStart(3, '0')}${data.length}${formatHex(data)}`,
      reported: `${id.toString(16)}#${formatHex(data)}`,
    }));
    // A line with a different first character is no frame, regardless of the rest.
    const bad = fc
      .tuple(
        fc.constantFrom('x', '?', 'Q', '\x00', '\xff', 'q'),
        fc.string({ unit: 'binary-ascii', maxLength: 300 }),
      )
      .map(([first, rest]) => ({
        text: first + rest.replace(/[\r\x07]/g, ''),
        reported: undefined,
      }));
    const cut = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(good, bad), { maxLength: 60 }),
        fc.infiniteStream(cut),
        (lines, cuts) => {
          received.length = 0;
          exchange.malformed = 0;
          const text = lines.map((line) => `${line.text}\r`).join('');
          for (let at = 0; at < text.length; ) {
            const size = cuts.next().value as number;
            say(text.slice(at, at + size));
            at += size;
          }
          expect(received).toEqual(
            lines.map(({ reported }) => reported).filter((reported) => reported !== undefined),
          );
          expect(exchange.malformed).toBe(
            lines.filter(({ reported }) => reported === undefined).length,
          );
        },
      ),
    );
  });
});
