import { describe, expect, it } from 'vitest';
import { readRequest, writeRegisterRequest } from '../pdu/make-request.ts';
import { encoderOf } from './testing/scripted-transport.ts';
import { SessionRig } from './testing/session-rig.ts';

const frame = encoderOf('rtu');
const hex = (unit: number, ...pdu: number[]): string =>
  Buffer.from(frame(unit, pdu)).toString('hex');

const readOne = hex(1, 3, 0, 0, 0, 1);
const firstProbe = hex(1, 8, 0, 0, 0, 1);

/** A line on which unit 1 has just missed a read of one register, with a time-out of 200 ms. */
const late = (tuning?: { lateMs?: number; probe?: boolean }) => {
  const rig = new SessionRig('rtu');
  rig.transport.accepts(rig.clock);
  const given = rig.ask(1, undefined, 200, tuning);
  rig.advanceMs(201);
  expect(given.ending).toBe('modbus_timeout');
  const hear = (unit: number, ...pdu: number[]): void => {
    rig.transport.last.receive(frame(unit, pdu));
    rig.advanceMs(3);
  };
  const writtenSince = (count: number): string[] => rig.written.slice(count);
  return { rig, hear, writtenSince };
};

/** The same, and unit 1 has missed a probe as well. */
const mute = (tuning?: { lateMs?: number }) => {
  const { rig, hear, writtenSince } = late(tuning);
  const probing = rig.ask(1, undefined, 200, tuning);
  rig.advanceMs(200);
  expect(probing.error?.details).toMatchObject({ reason: 'resynchronising' });
  expect(writtenSince(1)).toEqual([firstProbe]);
  return { rig, hear, writtenSince };
};

describe('a unit that let a probe pass', () => {
  it('is left alone for one time-out, in which others are served', () => {
    const { rig, hear, writtenSince } = mute();
    const [waiting, other] = [rig.ask(1, undefined, 200), rig.ask(2, undefined, 200)];
    rig.advanceMs(3);
    expect(writtenSince(2)).toEqual([hex(2, 3, 0, 0, 0, 1)]);
    hear(2, 3, 2, 0, 9);
    expect(other.registers).toEqual([9]);
    rig.advanceMs(190);
    expect(writtenSince(3)).toEqual([]);
    rig.advanceMs(10);
    expect(writtenSince(3)).toEqual([readOne]);
    expect(waiting.endings).toBe(0);
  });

  it('is not probed again, but read once more than it owes answers', () => {
    const { rig, hear, writtenSince } = mute();
    rig.advanceMs(200);
    const read = rig.ask(1, undefined, 200);
    rig.advanceMs(3);
    // This may be the response to the abandoned read.
    hear(1, 3, 2, 0x66, 0x66);
    expect(read.endings).toBe(0);
    hear(1, 3, 2, 0, 8);
    expect(read.registers).toEqual([8]);
    expect(writtenSince(2)).toEqual([readOne, readOne]);
    // In that case, the last response is still pending. After it, the link is usable.
    expect(rig.session.units()).toMatchObject([{ unit: 1, state: 'late' }]);
    hear(1, 3, 2, 0, 8);
    expect(rig.session.units()).toMatchObject([{ unit: 1, state: 'healthy' }]);
    const next = rig.ask(1, undefined, 200);
    rig.advanceMs(3);
    hear(1, 3, 2, 0, 9);
    expect(next.registers).toEqual([9]);
  });

  it('is healthy as soon as it answers something of another form', () => {
    const { rig, hear } = mute();
    const other = rig.ask(1, readRequest('input', 0, 1), 200);
    rig.advanceMs(3);
    hear(1, 4, 2, 0, 5);
    expect(other.registers).toEqual([5]);
    const read = rig.ask(1, undefined, 200);
    rig.advanceMs(3);
    hear(1, 3, 2, 0, 8);
    expect(read.registers).toEqual([8]);
  });

  it('is probed again once it has answered a probe after all', () => {
    const { rig, hear, writtenSince } = mute();
    hear(1, 3, 2, 0x66, 0x66);
    hear(1, 0x88, 1);
    rig.ask(1, undefined, 200);
    rig.advanceMs(203);
    rig.ask(1, undefined, 200);
    rig.advanceMs(3);
    expect(writtenSince(2)).toEqual([readOne, hex(1, 8, 0, 0, 0, 2)]);
  });

  it('is left alone for as long as it is told to', () => {
    const { rig, writtenSince } = mute({ lateMs: 1500 });
    const waiting = rig.ask(1, undefined, 2000);
    rig.advanceMs(1490);
    expect(writtenSince(2)).toEqual([]);
    rig.advanceMs(13);
    expect(writtenSince(2)).toEqual([readOne]);
    expect(waiting.endings).toBe(0);
  });

  it('is not waited for by those who are ready to wait for less, and says until when', () => {
    const { rig } = mute({ lateMs: 5000 });
    const refused = rig.ask(1, undefined, 200);
    rig.advanceMs(3);
    expect(refused.error).toMatchObject({
      code: 'busy',
      details: { unit: 1, reason: 'resynchronising', retry_in_ms: expect.any(Number) },
    });
    expect(refused.error?.row.retryable).toBe(true);
  });

  it('costs a poll no more than its own time-outs for a single answer that was lost', () => {
    const { rig, hear } = mute();
    const periodMs = 200;
    const answered: boolean[] = [];
    for (let poll = 0; poll < 10; poll++) {
      const read = rig.ask(1, undefined, periodMs);
      for (let ms = 0; ms < periodMs; ms += 20) {
        const asked = rig.written.length;
        rig.advanceMs(17);
        if (rig.written.length > asked || read.endings === 0) hear(1, 3, 2, 0, poll);
        else rig.advanceMs(3);
      }
      answered.push(read.registers?.[0] === poll);
    }
    expect(answered.slice(2)).toEqual(answered.slice(2).map(() => true));
  });
});

describe('a unit that owes an answer', () => {
  it('is asked at once what is answered in another form, and its late answer is known', () => {
    const { rig, hear, writtenSince } = late();
    const read = rig.ask(1, readRequest('holding', 0, 2), 200);
    rig.advanceMs(3);
    expect(writtenSince(1)).toEqual([hex(1, 3, 0, 0, 0, 2)]);
    hear(1, 3, 2, 0x66, 0x66);
    expect(read.endings).toBe(0);
    hear(1, 3, 4, 0, 1, 0, 2);
    expect(read.registers).toEqual([1, 2]);
  });

  it.each([
    ['another value', writeRegisterRequest(5, 2)],
    ['another address', writeRegisterRequest(6, 1)],
  ])('is written %s at once after a write was given up', (_, next) => {
    const rig = new SessionRig('rtu');
    rig.transport.accepts(rig.clock);
    rig.ask(1, writeRegisterRequest(5, 1), 200);
    rig.advanceMs(201);
    const write = rig.ask(1, next, 200);
    rig.advanceMs(3);
    rig.transport.last.receive(frame(1, [6, 0, 5, 0, 1]));
    expect(write.endings).toBe(0);
    rig.transport.last.receive(frame(1, [6, 0, next.address, 0, next.value]));
    expect(write.ending).toBe('written');
  });

  it('does not have an exception taken for an answer that may be for what was given up', () => {
    const { rig, hear } = late();
    const read = rig.ask(1, readRequest('holding', 0, 2), 200);
    rig.advanceMs(3);
    hear(1, 0x83, 6);
    expect(read.error).toMatchObject({
      code: 'modbus_bad_reply',
      details: { wrong: 'exception', received: '018306' },
    });
  });

  it('is not probed where that is turned off, but left alone and then trusted', () => {
    const { rig, hear, writtenSince } = late({ probe: false });
    const read = rig.ask(1, undefined, 200, { probe: false });
    rig.advanceMs(190);
    expect(writtenSince(1)).toEqual([]);
    rig.advanceMs(13);
    expect(writtenSince(1)).toEqual([readOne]);
    hear(1, 3, 2, 0, 8);
    expect(read.registers).toEqual([8]);
  });

  it('is not written the same again while that could be confirmed by the first', () => {
    const rig = new SessionRig('rtu');
    rig.transport.accepts(rig.clock);
    const write = writeRegisterRequest(5, 1);
    rig.ask(1, write, 200);
    rig.advanceMs(201);
    rig.ask(1, write, 200);
    rig.advanceMs(200);
    expect(rig.written.slice(1)).toEqual([firstProbe]);
    const again = rig.ask(1, write, 300);
    rig.advanceMs(203);
    // A write is sent once, regardless of later replies.
    expect(rig.written.slice(2)).toEqual([rig.written[0]]);
    rig.transport.last.receive(frame(1, [6, 0, 5, 0, 1]));
    expect(again.ending).toBe('written');
  });

  it('keeps owing when the port hangs up meanwhile', () => {
    const rig = new SessionRig('rtu');
    rig.transport.accepts(rig.clock);
    const broken = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.lose();
    expect(broken.ending).toBe('modbus_unreachable');
    rig.ask(1);
    rig.advanceMs(3);
    expect(rig.transport.last.written).toEqual([firstProbe]);
  });
});
