import { describe, expect, it } from 'vitest';
import { writeCoilRequest } from '../pdu/make-request.ts';
import { encoderOf } from './testing/scripted-transport.ts';
import { SessionRig } from './testing/session-rig.ts';

const opened = (kind: 'rtu' | 'ascii'): SessionRig => {
  const rig = new SessionRig(kind);
  rig.transport.accepts(rig.clock);
  return rig;
};

describe.each(['rtu', 'ascii'] as const)('a session over %s', (kind) => {
  const frame = encoderOf(kind);

  it('reads an answer', () => {
    const rig = opened(kind);
    const read = rig.ask(17);
    rig.advanceMs(1);
    rig.transport.last.receive(frame(17, [3, 2, 0x12, 0x34]));
    expect(read.registers).toEqual([0x1234]);
  });

  it('keeps the port open at a time-out, and waits for the end of what has begun to come', () => {
    const rig = opened(kind);
    const slow = rig.ask(1, undefined, 100);
    const next = rig.ask(2);
    rig.advanceMs(99);
    const late = frame(1, [3, 2, 0x66, 0x66]);
    rig.transport.last.receive(late.subarray(0, 3));
    rig.advanceMs(2);
    expect(slow.error).toMatchObject({ code: 'modbus_bad_reply', details: { wrong: 'length' } });
    rig.advanceMs(40);
    rig.transport.last.receive(late.subarray(3));
    rig.advanceMs(49);
    expect(rig.written).toHaveLength(1);
    rig.advanceMs(1);
    expect(rig.written).toHaveLength(2);
    rig.transport.last.receive(frame(2, [3, 2, 0, 7]));
    expect(next.registers).toEqual([7]);
    expect(rig.transport.links).toHaveLength(1);
  });

  it('waits no longer for silence than the time-out of the next, and goes on after that', () => {
    const rig = opened(kind);
    rig.ask(1, undefined, 10);
    const [second, third] = [rig.ask(2, undefined, 100), rig.ask(3)];
    for (let ms = 0; ms < 160; ms += 1) {
      rig.advanceMs(1);
      rig.transport.last.receive(Uint8Array.of(0));
    }
    // It received no request, so the silence is not its fault.
    expect(second.error).toMatchObject({
      code: 'modbus_unreachable',
      details: { reason: 'line_busy' },
    });
    expect(rig.written).toHaveLength(1);
    rig.advanceMs(50);
    rig.transport.last.receive(frame(3, [3, 2, 0, 7]));
    expect(third.registers).toEqual([7]);
    expect(rig.session.counters.counts).toMatchObject({ timeouts: 0, failures: 2, responses: 1 });
  });

  it('passes over what another unit says late', () => {
    const rig = opened(kind);
    rig.ask(1, undefined, 100);
    const read = rig.ask(2);
    rig.advanceMs(110);
    rig.transport.last.receive(frame(1, [3, 2, 0x66, 0x66]));
    expect(read.endings).toBe(0);
    rig.transport.last.receive(frame(2, [3, 2, 0, 7]));
    expect(read.registers).toEqual([7]);
    expect(rig.session.counters.counts.protocol_errors).toBe(1);
    // These are its last bytes.
    rig.ask(1);
    rig.advanceMs(3);
    expect(rig.written.at(-1)).toBe(Buffer.from(frame(1, [3, 0, 0, 0, 1])).toString('hex'));
  });

  it('does not take a copy in the same bytes for the next answer', () => {
    const rig = opened(kind);
    const [first, second] = [rig.ask(1), rig.ask(1)];
    rig.advanceMs(1);
    const copy = frame(1, [3, 2, 0, 7]);
    rig.transport.last.receive(Buffer.concat([copy, copy]));
    expect(first.registers).toEqual([7]);
    expect(second.endings).toBe(0);
    rig.advanceMs(20);
    rig.transport.last.receive(frame(1, [3, 2, 0, 8]));
    expect(second.registers).toEqual([8]);
  });

  it.each<[what: string, unit: number, pdu: readonly number[], wrong: string]>([
    ['of another function', 1, [4, 2, 0, 7], 'function'],
    ['of another length', 1, [3, 4, 0, 7, 0, 8], 'length'],
    ['of another unit that owes none', 2, [3, 2, 0, 7], 'unit'],
  ])('tells an answer %s as it came, and asks again once the line is silent', (...row) => {
    const [, unit, pdu, wrong] = row;
    const rig = opened(kind);
    const [read, next] = [rig.ask(1), rig.ask(1)];
    rig.advanceMs(1);
    rig.transport.last.receive(frame(unit, pdu));
    const received = Buffer.from([unit, ...pdu])
      .toString('hex')
      .toUpperCase();
    expect(read.error).toMatchObject({
      code: 'modbus_bad_reply',
      details: { unit: 1, wrong, received },
    });
    rig.advanceMs(49);
    expect(rig.written).toHaveLength(1);
    rig.advanceMs(1);
    expect(rig.written[1]).toBe(rig.written[0]);
    rig.transport.last.receive(frame(1, [3, 2, 0, 8]));
    expect(next.registers).toEqual([8]);
  });

  const damagedAt = (index: number, ...pdu: number[]): Uint8Array => {
    const damaged = frame(1, pdu);
    damaged[index] = (damaged[index] as number) ^ 1;
    return damaged;
  };

  it('tells a damaged answer as such, and asks again at once and without a probe', () => {
    // Noise in the data, the checksum and the unit.
    for (const index of kind === 'rtu' ? [4, 6, 0] : [10, 12, 2]) {
      const rig = opened(kind);
      const [read, next] = [rig.ask(1), rig.ask(1)];
      rig.advanceMs(1);
      const damaged = damagedAt(index, 3, 2, 0, 7);
      rig.transport.last.receive(damaged);
      rig.advanceMs(70);
      expect(read.error).toMatchObject({
        code: 'modbus_bad_reply',
        details: {
          wrong: 'checksum',
          received: Buffer.from(damaged).toString('hex').toUpperCase(),
        },
      });
      expect(rig.written[1]).toBe(rig.written[0]);
      rig.transport.last.receive(frame(1, [3, 2, 0, 8]));
      expect(next.registers).toEqual([8]);
      expect(rig.session.units()).toMatchObject([{ unit: 1, state: 'healthy', misses: 0 }]);
    }
  });

  it('tells what came within the time-out where nothing of it could be the answer', () => {
    const rig = opened(kind);
    const read = rig.ask(1, undefined, 300);
    rig.advanceMs(1);
    rig.transport.last.receive(Uint8Array.of(0xf8, 0x00, 0xfe));
    rig.advanceMs(298);
    expect(read.endings).toBe(0);
    rig.advanceMs(2);
    expect(read.error).toMatchObject({
      code: 'modbus_bad_reply',
      details: { wrong: 'garbage', received: 'F800FE', timeout_ms: 300 },
    });
    // It may have been noise, with the response still pending.
    expect(rig.session.units()).toMatchObject([{ unit: 1, state: 'late', misses: 1 }]);
  });

  it('refuses units that no device may have', () => {
    const rig = opened(kind);
    for (const unit of [0, 248, 255, -1, 1.5]) {
      expect(() => rig.ask(unit, writeCoilRequest(0, true))).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          details: expect.objectContaining({ field: 'unit', minimum: 1, maximum: 247 }),
        }),
      );
    }
    rig.ask(1);
    rig.ask(247);
  });

  describe('after a unit was given up', () => {
    const probe = Buffer.from(frame(1, [8, 0, 0, 0, 1])).toString('hex');

    /** Unit 1 has not answered, and another caller sends it a request. */
    const abandoned = (timeoutMs = 300) => {
      const rig = opened(kind);
      const [slow, next] = [rig.ask(1, undefined, 300), rig.ask(1, undefined, timeoutMs)];
      rig.advanceMs(303);
      expect(slow.ending).toBe('modbus_timeout');
      expect(rig.written.slice(1)).toEqual([probe]);
      const hear = (...pdu: number[]): void => {
        rig.transport.last.receive(frame(1, pdu));
        rig.advanceMs(3);
      };
      return { rig, next, hear };
    };

    it.each([
      ['repeats the number of a probe', [8, 0, 0, 0, 1]],
      ['refuses the probe', [0x88, 1]],
      ['has answered at last', [3, 2, 0, 7]],
    ])('asks it again once it %s', (_, pdu) => {
      const { rig, next, hear } = abandoned();
      hear(...pdu);
      expect(rig.written).toHaveLength(3);
      expect(next.endings).toBe(0);
      hear(3, 2, 0, 8);
      expect(next.registers).toEqual([8]);
      expect(rig.session.counters.counts).toMatchObject({ timeouts: 1, responses: 1 });
    });

    it('does not take what it says late for the next answer, however late', () => {
      const { rig, next, hear } = abandoned(10_000);
      rig.advanceMs(4000);
      hear(3, 2, 0, 7);
      expect(next.endings).toBe(0);
      hear(8, 0, 0, 0, 1);
      hear(3, 2, 0, 8);
      expect(next.registers).toEqual([8]);
    });

    it('probes one again that is known to answer, and takes echoes of earlier probes for nothing', () => {
      const { rig, next, hear } = abandoned();
      hear(8, 0, 0, 0, 1);
      rig.advanceMs(300);
      expect(next.ending).toBe('modbus_timeout');
      const third = rig.ask(1, undefined, 300);
      rig.advanceMs(300);
      expect(third.error).toMatchObject({ details: { reason: 'resynchronising' } });
      const fourth = rig.ask(1, undefined, 1000);
      rig.advanceMs(303);
      expect(rig.written).toHaveLength(5);
      hear(8, 0, 0, 0, 2);
      expect(rig.written).toHaveLength(5);
      hear(8, 0, 0, 0, 3);
      hear(3, 2, 0, 8);
      expect(fourth.registers).toEqual([8]);
    });

    it('lets others have the line when it does not answer a probe in its time', () => {
      const { rig, next } = abandoned();
      const other = rig.ask(2, undefined, 300);
      rig.advanceMs(300);
      expect(next.ending).toBe('busy');
      rig.advanceMs(3);
      rig.transport.last.receive(frame(2, [3, 2, 0, 9]));
      expect(other.registers).toEqual([9]);
    });

    it('says of a request that was never sent when the unit can be asked', () => {
      const { rig, next } = abandoned();
      rig.advanceMs(300);
      expect(next.error).toMatchObject({
        code: 'busy',
        message: 'Unit 1 was not polled: it is being resynchronised for another 300 ms',
        details: { unit: 1, reason: 'resynchronising', retry_in_ms: 300 },
      });
      const { until_us } = next.error?.details ?? {};
      expect((until_us as number) - Math.floor(rig.clock.unixUs())).toBeLessThanOrEqual(300_000);
      expect(rig.session.units()).toMatchObject([{ unit: 1, state: 'resynchronising' }]);
    });

    it('asks it without a probe once it has been silent for long', () => {
      const { rig, hear } = abandoned();
      rig.advanceMs(10_000);
      const late = rig.ask(1, undefined, 300);
      rig.advanceMs(3);
      hear(3, 2, 0, 8);
      expect(late.registers).toEqual([8]);
      expect(rig.written).toHaveLength(3);
    });

    it('lets a cancelled request have the rest of its time before it trusts the unit', () => {
      const rig = opened(kind);
      const patient = rig.ask(1, undefined, 60_000);
      rig.advanceMs(1);
      expect(rig.session.cancel(patient)).toBe(true);
      rig.advanceMs(30_000);
      rig.ask(1, undefined, 300);
      rig.advanceMs(3);
      expect(rig.written.slice(1)).toEqual([probe]);
    });
  });

  it('gives the line to others as soon as a silent unit has had its time', () => {
    const rig = opened(kind);
    rig.ask(9, undefined, 30);
    rig.ask(1);
    rig.advanceMs(33);
    expect(rig.written).toHaveLength(2);
  });

  it('opens the port again when it hung up', () => {
    const rig = opened(kind);
    const broken = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.lose();
    expect(broken.ending).toBe('modbus_unreachable');
    rig.ask(1);
    rig.advanceMs(1);
    expect(rig.transport.links).toHaveLength(2);
    expect(rig.transport.last.written).toHaveLength(1);
  });

  it('does not overwrite a frame that has not left yet', () => {
    const rig = opened(kind);
    const kept: Uint8Array[] = [];
    rig.ask(1, undefined, 100);
    rig.ask(2, undefined, 100);
    const link = rig.transport.last;
    const write = link.write.bind(link);
    link.write = (bytes) => {
      kept.push(bytes);
      write(bytes);
      link.bufferedBytes += bytes.length;
    };
    rig.advanceMs(200);
    expect(kept).toHaveLength(2);
    expect(kept.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(rig.written);
  });
});

describe('a session over rtu', () => {
  it('keeps the gap that RTU needs between an answer and the next request', () => {
    const rig = opened('rtu');
    const frame = encoderOf('rtu');
    rig.ask(1);
    rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(frame(1, [3, 2, 0, 7]));
    rig.clock.advanceUs(1999);
    expect(rig.written).toHaveLength(1);
    rig.clock.advanceUs(1);
    expect(rig.written).toHaveLength(2);
  });
});
