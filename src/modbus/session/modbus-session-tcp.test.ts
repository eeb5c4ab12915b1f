import { describe, expect, it } from 'vitest';
import { writeRegisterRequest } from '../pdu/make-request.ts';
import { unreachable } from '../transport/unreachable.ts';
import { SessionRig } from './testing/session-rig.ts';

const connected = (options?: { queueLimit: number }): SessionRig => {
  const rig = new SessionRig('tcp', options);
  rig.transport.accepts(rig.clock);
  return rig;
};

/** The response to a read of one register: transaction, unit, value. */
const answer = (transaction: number, unit: number, value: number): string => {
  const frame = Buffer.alloc(11);
  frame.writeUInt16BE(transaction, 0);
  frame.writeUInt16BE(5, 4);
  frame.set([unit, 3, 2], 6);
  frame.writeUInt16BE(value, 9);
  return frame.toString('hex');
};

describe('a session over TCP', () => {
  it('connects for the first request and reads its answer', () => {
    const rig = connected();
    expect(rig.transport.links).toHaveLength(0);
    const read = rig.ask(7);
    expect(rig.session.state).toBe('connecting');
    rig.advanceMs(1);
    expect(rig.session.state).toBe('open');
    expect(rig.written).toEqual(['000100000006070300000001']);
    rig.transport.last.receive(answer(1, 7, 0x1234));
    expect(read.registers).toEqual([0x1234]);
    expect(rig.session.isIdle).toBe(true);
  });

  it('has one request under way at a time, in the order they came', () => {
    const rig = connected();
    const reads = [1, 2, 3].map((unit) => rig.ask(unit));
    rig.advanceMs(1);
    for (const [index, read] of reads.entries()) {
      expect(rig.written).toHaveLength(index + 1);
      expect(rig.session.queueLength).toBe(2 - index);
      rig.transport.last.receive(answer(index + 1, index + 1, 100 + index));
      expect(read.registers).toEqual([100 + index]);
    }
  });

  it('numbers transactions one after the other, and begins again after 65535', () => {
    const rig = connected();
    rig.ask(1);
    rig.advanceMs(1);
    const { written } = rig.transport.last;
    for (let transaction = 1; transaction <= 0x10001; transaction++) {
      const next = rig.ask(1);
      written.length = 0;
      rig.transport.last.receive(answer(transaction & 0xffff, 1, 5));
      if (next.endings > 0 || written.length !== 1) break;
    }
    expect(rig.session.counters.counts).toMatchObject({ responses: 0x10001, protocol_errors: 0 });
    expect(written[0]).toMatch(/^0002/);
    expect(rig.transport.links).toHaveLength(1);
  });

  it('puts a chunked answer together', () => {
    const rig = connected();
    const read = rig.ask(1);
    rig.advanceMs(1);
    for (const byte of Buffer.from(answer(1, 1, 9), 'hex')) {
      expect(read.endings).toBe(0);
      rig.transport.last.receive(Uint8Array.of(byte));
    }
    expect(read.registers).toEqual([9]);
  });

  it('tells an exception with its code and name, and keeps the connection', () => {
    const rig = connected();
    const read = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive('000100000003018302');
    expect(read.error).toMatchObject({
      code: 'modbus_exception',
      details: { unit: 1, exception: 2, name: 'illegal_data_address' },
    });
    expect(rig.session.state).toBe('open');
    expect(rig.session.counters.record()).toMatchObject({ exceptions: 1, protocol_errors: 0 });
  });

  it.each([
    ['another transaction', answer(2, 1, 5), 'transaction'],
    ['another unit', answer(1, 2, 5), 'unit'],
    ['another function', '00010000000501040200ff', 'function'],
    ['another length', '000100000007010304000100ff', 'length'],
    ['another protocol', '000100010005010302000a', 'protocol'],
    ['an impossible length', '00010000ffff010302000a', 'length'],
  ])('closes the connection for an answer of %s', (_, bytes, wrong) => {
    const rig = connected();
    const read = rig.ask(1);
    const next = rig.ask(1);
    rig.advanceMs(1);
    const [first] = rig.transport.links;
    first?.receive(bytes);
    expect(read.error).toMatchObject({
      code: 'modbus_bad_reply',
      details: { unit: 1, wrong, received: expect.stringMatching(/^([0-9A-F]{2})+$/) },
    });
    expect(first?.isClosed).toBe(true);
    expect(rig.session.counters.counts.protocol_errors).toBe(1);
    rig.advanceMs(1);
    expect(rig.transport.links).toHaveLength(2);
    rig.transport.last.receive(answer(2, 1, 77));
    expect(next.registers).toEqual([77]);
    expect(rig.session.counters.record()).toMatchObject({ reconnects: 1, failures: 1 });
  });

  it('closes the connection when a write is answered with other values', () => {
    const rig = connected();
    const write = rig.ask(1, writeRegisterRequest(3, 4));
    rig.advanceMs(1);
    rig.transport.last.receive('000100000006010600030005');
    expect(write.error?.details).toMatchObject({ wrong: 'value', received: '010600030005' });
  });

  it('closes the connection at a time-out, so that the late answer reaches no caller', () => {
    const rig = connected();
    const slow = rig.ask(1);
    const next = rig.ask(1);
    rig.advanceMs(1000);
    const [first] = rig.transport.links;
    expect(slow.error).toMatchObject({
      code: 'modbus_timeout',
      details: { unit: 1, timeout_ms: 1000 },
    });
    expect(first?.isClosed).toBe(true);
    rig.advanceMs(1);
    first?.receive(answer(1, 1, 1));
    rig.transport.last.receive(answer(2, 1, 2));
    expect(next.registers).toEqual([2]);
    expect(rig.session.counters.counts.timeouts).toBe(1);
  });

  it('lets a dead unit hold up the others no longer than its time-out', () => {
    const rig = connected();
    rig.ask(9, undefined, 200);
    const other = rig.ask(1);
    rig.advanceMs(202);
    expect(rig.transport.links).toHaveLength(2);
    rig.transport.last.receive(answer(2, 1, 6));
    expect(other.registers).toEqual([6]);
  });

  it('closes the connection when something comes that was not asked for', () => {
    const rig = connected();
    const read = rig.ask(1);
    rig.advanceMs(1);
    const first = rig.transport.last;
    first.receive(answer(1, 1, 3) + answer(1, 1, 3));
    expect(read.registers).toEqual([3]);
    expect(first.isClosed).toBe(true);
    const next = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(2, 1, 4));
    expect(next.registers).toEqual([4]);
  });

  it('sends nothing more before it has seen all that came', () => {
    const rig = connected();
    const reads = [rig.ask(1), rig.ask(1)];
    rig.advanceMs(1);
    // The second one forges the response to a request that has not been sent.
    rig.transport.last.receive(answer(1, 1, 3) + answer(2, 1, 666));
    expect(reads[0]?.registers).toEqual([3]);
    expect(reads[1]?.endings).toBe(0);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(2, 1, 4));
    expect(reads[1]?.registers).toEqual([4]);
  });

  it('fails what is under way when the peer closes, and reconnects at once for the next', () => {
    const rig = connected();
    const broken = rig.ask(1);
    const next = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.lose();
    expect(broken.error).toMatchObject({
      code: 'modbus_unreachable',
      details: { reason: 'closed_by_peer' },
    });
    rig.advanceMs(1);
    rig.transport.last.receive(answer(2, 1, 8));
    expect(next.registers).toEqual([8]);
  });

  it('reconnects without an error when an idle connection was closed', () => {
    const rig = connected();
    rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1, 1, 8));
    rig.transport.last.lose(unreachable('peer', 'ECONNRESET'));
    expect(rig.session.state).toBe('closed');
    const read = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(2, 1, 9));
    expect(read.registers).toEqual([9]);
  });

  it('takes units from 0 to 255 and names the field for others', () => {
    const rig = connected();
    for (const unit of [0, 248, 255]) rig.ask(unit);
    for (const unit of [-1, 256, 1.5]) {
      expect(() => rig.ask(unit)).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ field: 'unit' }) }),
      );
    }
    expect(rig.session.counters.counts.requests).toBe(3);
  });

  it('refuses more than may wait, and takes them again once there is room', () => {
    const rig = connected({ queueLimit: 2 });
    const first = rig.ask(1);
    rig.ask(1);
    rig.ask(1);
    expect(() => rig.ask(1)).toThrow(
      expect.objectContaining({
        code: 'capacity_exceeded',
        details: { endpoint: 'tcp:scripted', limit: 2 },
      }),
    );
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1, 1, 8));
    expect(first.ending).toBe('registers');
    expect(() => rig.ask(1)).not.toThrow();
  });

  it('counts bytes, requests and round trips', () => {
    const rig = connected();
    rig.ask(1);
    rig.advanceMs(1);
    rig.clock.advanceUs(500);
    rig.transport.last.receive(answer(1, 1, 8));
    expect(rig.session.counters.record()).toMatchObject({
      requests: 1,
      responses: 1,
      bytes_in: 11,
      bytes_out: 12,
      reconnects: 0,
      last_error: null,
      round_trip_us: { count: 1, max: 500 },
    });
  });
});
