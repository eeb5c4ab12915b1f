import { describe, expect, it } from 'vitest';
import { readRequest, writeRegisterRequest } from '../pdu/make-request.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { GoodResponse } from './exchange.ts';
import { RecordedExchange, SessionRig } from './testing/session-rig.ts';

const connected = (): SessionRig => {
  const rig = new SessionRig('tcp');
  rig.transport.accepts(rig.clock);
  return rig;
};

const answer = (transaction: number): string =>
  `00${transaction.toString(16).padStart(2, '0')}00000005010302002a`;

describe('cancelling', () => {
  it('takes an exchange out of the queue', () => {
    const rig = connected();
    const [, second, third] = [rig.ask(1), rig.ask(1), rig.ask(1)];
    rig.advanceMs(1);
    expect(rig.session.cancel(second as RecordedExchange)).toBe(true);
    expect(second?.ending).toBe('operation_cancelled');
    rig.transport.last.receive(answer(1));
    rig.transport.last.receive(answer(2));
    expect(third?.registers).toEqual([42]);
    expect(rig.session.counters.counts).toMatchObject({ requests: 3, responses: 2, failures: 1 });
  });

  it('ends one under way at once, and its connection with it', () => {
    const rig = connected();
    const [first, second] = [rig.ask(1, undefined, 10_000), rig.ask(2)];
    rig.advanceMs(1);
    rig.session.cancel(first);
    expect(first.ending).toBe('operation_cancelled');
    expect(rig.transport.links[0]?.isClosed).toBe(true);
    rig.advanceMs(1);
    rig.transport.last.receive('00020000000502030200ff');
    expect(second.registers).toEqual([255]);
    expect(first.endings).toBe(1);
    expect(rig.session.counters.counts).toMatchObject({ requests: 2, responses: 1, failures: 1 });
  });

  it('frees the link when the request has not been sent', () => {
    const rig = new SessionRig('tcp');
    const [first, second] = [rig.ask(1), rig.ask(1)];
    rig.session.cancel(first);
    rig.transport.last.open();
    rig.transport.last.receive(answer(1));
    expect(second.registers).toEqual([42]);
  });

  it('does nothing to an exchange that has ended', () => {
    const rig = connected();
    const read = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1));
    expect(rig.session.cancel(read)).toBe(false);
    expect(read.endings).toBe(1);
  });
});

describe('closing', () => {
  it('ends everything once, and leaves no deadline behind', () => {
    const rig = connected();
    const reads = [rig.ask(1), rig.ask(1), rig.ask(1)];
    rig.advanceMs(1);
    rig.session.close();
    expect(reads.map(({ ending }) => ending)).toEqual(Array(3).fill('operation_cancelled'));
    expect(reads.map(({ endings }) => endings)).toEqual([1, 1, 1]);
    expect(rig.transport.last.isClosed).toBe(true);
    expect(rig.scheduler.scheduledTasks).toBe(0);
    expect(() => rig.ask(1)).toThrow(expect.objectContaining({ code: 'operation_cancelled' }));
  });

  it('may happen while an answer is being told', () => {
    const rig = connected();
    const [first, second] = [rig.ask(1), rig.ask(1)];
    first.onEnd = () => rig.session.close();
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1));
    expect([first.ending, first.endings]).toEqual(['registers', 1]);
    expect([second.ending, second.endings]).toEqual(['operation_cancelled', 1]);
    expect(rig.written).toHaveLength(1);
  });
});

/** Reads a register and writes its value plus one. */
class Increment extends RecordedExchange {
  override answered(response: GoodResponse): undefined;
  override answered(response: GoodResponse): ModbusRequest | undefined {
    if (response.kind !== 'registers') return super.answered(response);
    return writeRegisterRequest(0, 0x2b);
  }
}

describe('an exchange of several requests', () => {
  const increment = (rig: SessionRig): Increment => {
    const exchange = new Increment(1, readRequest('holding', 0, 1), 1000);
    rig.session.submit(exchange);
    return exchange;
  };

  it('keeps the link in between', () => {
    const rig = connected();
    const change = increment(rig);
    const other = rig.ask(9);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1));
    expect(rig.written[1]).toBe('00020000000601060000002b');
    expect(change.endings).toBe(0);
    rig.transport.last.receive('00020000000601060000002b');
    expect(change.ending).toBe('written');
    expect(rig.written[2]).toMatch(/^000300000006090300/);
    expect(other.endings).toBe(0);
    expect(rig.session.counters.counts).toMatchObject({ requests: 3, responses: 2 });
  });

  it('does not go on after a failure', () => {
    const rig = connected();
    const change = increment(rig);
    rig.advanceMs(1);
    rig.transport.last.receive('000100000003018304');
    expect(change.ending).toBe('modbus_exception');
    expect(rig.written).toHaveLength(1);
  });

  it('does not go on when it was given up', () => {
    const rig = connected();
    const change = increment(rig);
    rig.advanceMs(1);
    rig.session.cancel(change);
    rig.transport.last.receive(answer(1));
    rig.advanceMs(10);
    expect(rig.written).toHaveLength(1);
    expect(change.endings).toBe(1);
  });

  it('has a time-out of its own for each', () => {
    const rig = connected();
    const change = increment(rig);
    rig.advanceMs(1);
    rig.advanceMs(900);
    rig.transport.last.receive(answer(1));
    rig.advanceMs(900);
    expect(change.endings).toBe(0);
    rig.advanceMs(100);
    expect(change.ending).toBe('modbus_timeout');
  });
});
