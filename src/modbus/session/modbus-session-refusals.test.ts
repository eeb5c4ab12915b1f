import { describe, expect, it } from 'vitest';
import type { ModbusSession } from './modbus-session.ts';
import { SessionRig } from './testing/session-rig.ts';

const answer = (transaction: number): string =>
  `00${transaction.toString(16).padStart(2, '0')}00000005010302002a`;

const refusing = (): SessionRig => {
  const rig = new SessionRig('tcp');
  rig.transport.refuses(rig.clock);
  return rig;
};

describe('a session whose endpoint cannot be reached', () => {
  it('fails all that wait with the reason', () => {
    const rig = refusing();
    const reads = [rig.ask(1), rig.ask(2), rig.ask(3)];
    rig.advanceMs(1);
    for (const read of reads) {
      expect(read.error).toMatchObject({
        code: 'modbus_unreachable',
        details: { endpoint: 'tcp:scripted', reason: 'ECONNREFUSED' },
      });
    }
    expect(rig.transport.links).toHaveLength(1);
    expect(rig.session.state).toBe('backing_off');
    expect(rig.session.isIdle).toBe(true);
  });

  it('fails requests at once while it waits, but never inside of the call', () => {
    const rig = refusing();
    rig.ask(1);
    rig.advanceMs(1);
    const read = rig.ask(1);
    expect(read.endings).toBe(0);
    rig.clock.advanceUs(1);
    expect(read.error).toMatchObject({
      code: 'modbus_unreachable',
      details: { reason: 'ECONNREFUSED', retry_in_ms: 100 },
    });
    expect(rig.transport.links).toHaveLength(1);
  });

  it('waits twice as long after each failure, up to five seconds', () => {
    const rig = refusing();
    const attempts: number[] = [];
    const { onConnect } = rig.transport;
    rig.transport.onConnect = (link) => {
      attempts.push(rig.clock.monotonicUs() / 1000);
      onConnect(link);
    };
    for (let ms = 0; ms < 30_000; ms += 10) {
      if (rig.session.isIdle) rig.ask(1);
      rig.advanceMs(10);
    }
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(pauses.slice(0, 6)).toEqual([110, 210, 410, 810, 1610, 3210]);
    expect(new Set(pauses.slice(6))).toEqual(new Set([5010]));
  });

  it('forgets its failures once it has connected', () => {
    const rig = refusing();
    rig.ask(1);
    rig.advanceMs(150);
    rig.transport.accepts(rig.clock);
    const read = rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive(answer(1));
    expect(read.registers).toEqual([42]);
    rig.transport.last.lose();
    rig.transport.refuses(rig.clock);
    rig.ask(1);
    rig.advanceMs(1);
    const again = rig.ask(1);
    rig.clock.advanceUs(1);
    expect(again.error?.details).toMatchObject({ retry_in_ms: 100 });
  });

  it('goes on connecting for exchanges with a longer time-out than the first', () => {
    const rig = new SessionRig('tcp');
    const [first, second] = [rig.ask(1, undefined, 300), rig.ask(1, undefined, 5000)];
    const third = rig.ask(1, undefined, 100);
    rig.advanceMs(299);
    expect([first.endings, third.endings]).toEqual([0, 0]);
    rig.advanceMs(1);
    for (const { error } of [first, third]) {
      expect(error?.details).toMatchObject({ reason: 'connect_timeout' });
    }
    rig.transport.last.open();
    rig.transport.last.receive(answer(1));
    expect(second.registers).toEqual([42]);
    expect(rig.transport.links).toHaveLength(1);
  });

  it('gives up a connection attempt at the time-out of the last that waits', () => {
    const rig = new SessionRig('tcp');
    const [first, second] = [rig.ask(1, undefined, 300), rig.ask(1, undefined, 5000)];
    rig.advanceMs(4999);
    expect([first.endings, second.endings]).toEqual([1, 0]);
    expect(rig.session.state).toBe('connecting');
    rig.advanceMs(1);
    expect(second.error?.details).toMatchObject({ reason: 'connect_timeout' });
    expect(rig.transport.last.isClosed).toBe(true);
    expect(rig.session.state).toBe('backing_off');
    expect(rig.session.counters.counts).toMatchObject({ requests: 2, failures: 2 });
  });

  it('gives up a connection attempt that no caller waits for any more', () => {
    const rig = new SessionRig('tcp');
    rig.session.cancel(rig.ask(1));
    expect(rig.transport.last.isClosed).toBe(true);
    expect(rig.session.state).toBe('closed');
  });

  it('does not let a caller that comes back at once keep the thread', () => {
    const rig = refusing();
    let tries = 0;
    const again = (session: ModbusSession): void => {
      const exchange = rig.ask(1);
      exchange.onEnd = () => {
        tries += 1;
        again(session);
      };
    };
    again(rig.session);
    rig.advanceMs(1);
    // The failure of the attempt, and then one in each turn of the scheduler.
    expect(tries).toBe(2);
    rig.clock.advanceUs(1);
    expect(tries).toBe(3);
  });
});
