import { describe, expect, it } from 'vitest';
import {
  readRequest,
  writeCoilRequest,
  writeRegisterRequest,
} from '../../modbus/pdu/make-request.ts';
import {
  readBits,
  readRegisters,
  writeBits,
  writeRegisters,
} from '../../modbus/server/testing/held-data.ts';
import { RecordedExchange } from '../../modbus/session/testing/session-rig.ts';
import { rule } from '../engine/testing/rules.ts';
import type { WriteStep } from '../modbus/task-writes.ts';
import { RecordedOwner, startPolls, UnitRig } from './testing/unit-rig.ts';

const holding = (poll: number, address: number, periodMs = 100) => ({
  poll,
  periodMs,
  request: readRequest('holding', address, 2),
});

const register = (address: number, value: number): WriteStep => ({
  kind: 'write',
  request: writeRegisterRequest(address, value),
});

/** Sets bit 0 of a register, and leaves the others. */
const bit: WriteStep = {
  kind: 'read_modify_write',
  reads: [{ kind: 'read_registers', function: 3, address: 20, count: 1 }],
  address: 20,
  masks: Uint16Array.of(1),
  words: Uint16Array.of(1),
};

describe('polls of a unit', () => {
  it('begin at the start, and tell registers and bits with the time of the answer', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    writeRegisters(rig.model(), 'holding', 4, Uint16Array.of(7, 0xffff));
    writeBits(rig.model(), 'discrete', 0, [true, false, true]);
    startPolls(link, [
      holding(0, 4),
      { poll: 1, periodMs: 150, request: readRequest('discrete', 0, 3) },
    ]);
    rig.advanceMs(210);
    expect(owner.take()).toEqual([
      ['opened'],
      ['polled', 0, [7, 0xffff], 2],
      ['polled', 1, [1, 0, 1], 3],
      ['polled', 0, [7, 0xffff], 101],
      ['polled', 1, [1, 0, 1], 151],
      ['polled', 0, [7, 0xffff], 201],
    ]);
  });

  it('tell of exceptions, which are answers', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    startPolls(link, [{ poll: 3, periodMs: 100, request: readRequest('holding', 65_535, 1) }]);
    rig.units.set(1, refusing());
    rig.advanceMs(10);
    expect(owner.take('refused', 'polled')).toEqual([['refused', 3, 2]]);
    expect(link.state()).toEqual({ connected: true, error: null });
  });

  it(rule('poll missed', 'count the periods that they skip'), () => {
    const rig = new UnitRig('tcp', []);
    const { link, owner } = rig.link(1, undefined, 350);
    startPolls(link, [holding(0, 0)]);
    rig.advanceMs(310);
    expect(owner.take('missed')).toEqual([
      ['missed', 1],
      ['missed', 1],
      ['missed', 1],
    ]);
  });

  it('do not suffer from a silent unit on the same link', () => {
    const rig = new UnitRig('rtu', [1]);
    const live = rig.link(1);
    const silent = rig.link(2);
    startPolls(live.link, [holding(0, 0, 200)]);
    startPolls(silent.link, [holding(0, 0, 200)]);
    rig.advanceMs(10_000);
    expect(live.owner.take('polled').length).toBeGreaterThan(45);
    expect(live.owner.take('lost')).toEqual([]);
    expect(silent.owner.take('lost', 'polled')).toEqual([]);
    expect([live.link.state(), silent.link.state()]).toEqual([
      { connected: true, error: null },
      { connected: false, error: 'modbus_timeout' },
    ]);
    expect(rig.transport.links).toHaveLength(1);
  });
});

const refusing = () => {
  const { units } = new UnitRig();
  const unit = units.get(1);
  if (!unit) throw new Error('has no unit');
  unit.ask = (pdu) => `${(Number.parseInt(pdu.slice(0, 2), 16) | 0x80).toString(16)}02`;
  return unit;
};

describe('the state of a unit', () => {
  it('is connected with its first answer, and not before', () => {
    const rig = new UnitRig();
    const { link } = rig.link();
    startPolls(link, [holding(0, 0)]);
    expect(link.state()).toEqual({ connected: false, error: null });
    rig.advanceMs(1);
    expect(link.state()).toEqual({ connected: false, error: null });
    rig.advanceMs(1);
    expect(link.state()).toEqual({ connected: true, error: null });
  });

  it('is that of the link where nothing is polled, unless the unit was silent last', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    link.start();
    expect(link.state()).toEqual({ connected: false, error: null });
    rig.advanceMs(2);
    expect(link.state()).toEqual({ connected: true, error: null });
    const [unit] = rig.units.values();
    rig.units.clear();
    link.submit(0, [register(1, 1)]);
    rig.advanceMs(200);
    expect(link.state()).toEqual({ connected: false, error: 'modbus_timeout' });
    rig.units.set(1, unit ?? refusing());
    link.submit(0, [register(1, 1)]);
    rig.advanceMs(200);
    expect(link.state()).toEqual({ connected: true, error: null });
    expect(owner.take('settled').map(([, , error]) => error)).toEqual(['modbus_timeout', null]);
  });

  it('tells that what came was no answer', () => {
    const rig = new UnitRig();
    const { link } = rig.link();
    const unit = refusing();
    unit.ask = () => '0402ffff';
    rig.units.set(1, unit);
    startPolls(link, [holding(0, 0)]);
    rig.advanceMs(10);
    expect(link.state()).toEqual({ connected: false, error: 'modbus_bad_reply' });
  });
});

describe('a link that is lost', () => {
  it('is told at once, and made again for polls and without them', () => {
    for (const polls of [[holding(0, 0)], []]) {
      const rig = new UnitRig();
      const { link, owner } = rig.link();
      startPolls(link, polls);
      rig.advanceMs(50);
      owner.take();
      rig.isRemoved();
      expect(owner.take()).toEqual([['lost', 'modbus_unreachable']]);
      expect(link.state()).toEqual({ connected: false, error: 'modbus_unreachable' });
      rig.advanceMs(20_000);
      expect([owner.take(), link.state().error]).toEqual([[], 'modbus_unreachable']);
      rig.connects();
      rig.advanceMs(6000);
      expect(owner.take('opened')).toEqual([['opened']]);
      expect(link.state()).toEqual({ connected: true, error: null });
    }
  });

  it(
    rule(
      'several units',
      'is told to every endpoint that leads there, and they share one connection',
    ),
    () => {
      const rig = new UnitRig('tcp', [1, 2]);
      const [one, two] = [rig.link(1), rig.link(2)];
      startPolls(one.link, [holding(0, 0)]);
      two.link.start();
      rig.advanceMs(50);
      expect(rig.transport.links).toHaveLength(1);
      rig.isRemoved();
      expect([one.owner.take('lost'), two.owner.take('lost')]).toEqual([
        [['lost', 'modbus_unreachable']],
        [['lost', 'modbus_unreachable']],
      ]);
    },
  );

  it('takes no groups until it is made again', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    link.start();
    rig.advanceMs(5);
    rig.isRemoved();
    expect(link.submit(0, [register(1, 1)])).toBe('modbus_unreachable');
    rig.advanceMs(3000);
    expect(link.submit(0, [register(1, 1)])).toBe('modbus_unreachable');
    rig.connects();
    rig.advanceMs(6000);
    expect(link.submit(0, [register(1, 1)])).toBeNull();
    rig.advanceMs(5);
    expect(owner.take('settled').map(([, task, error]) => [task, error])).toEqual([[0, null]]);
    expect([...readRegisters(rig.model(), 'holding', 1, 1)]).toEqual([1]);
  });

  it(rule('unreachable peer', 'takes a group before it was tried, which then fails'), () => {
    const rig = new UnitRig();
    rig.transport.refuses(rig.clock);
    const { link, owner } = rig.link();
    link.start();
    expect(link.submit(4, [register(1, 1)])).toBeNull();
    rig.advanceMs(5);
    expect(owner.take()).toEqual([
      ['lost', 'modbus_unreachable'],
      ['settled', 4, 'modbus_unreachable', 1],
    ]);
  });

  it('is known from the start where others have tried it', () => {
    const rig = new UnitRig();
    rig.transport.refuses(rig.clock);
    const first = rig.link();
    first.link.start();
    rig.advanceMs(400);
    const second = rig.link(2);
    second.link.start();
    rig.advanceMs(0);
    expect(second.owner.take()).toEqual([['lost', 'modbus_unreachable']]);
    expect(second.link.submit(0, [register(1, 1)])).toBe('modbus_unreachable');
  });

  it('does not start over a serial port that cannot be opened', async () => {
    const rig = new UnitRig('rtu');
    rig.transport.refuses(rig.clock, 'EACCES');
    const refused = rig.link().link.open();
    rig.advanceMs(5);
    await expect(refused).rejects.toMatchObject({ code: 'modbus_unreachable' });
    rig.connects();
    const opened = rig.link().link.open();
    rig.advanceMs(200);
    await expect(opened).resolves.toBeUndefined();
    const tcp = new UnitRig('tcp');
    tcp.transport.refuses(tcp.clock);
    await expect(tcp.link().link.open()).resolves.toBeUndefined();
  });
});

describe('a group of writes', () => {
  it('is one turn on the link, whatever else waits for it', () => {
    const rig = new UnitRig();
    const { link, owner, session } = rig.link();
    writeRegisters(rig.model(), 'holding', 20, Uint16Array.of(0xfff0));
    link.start();
    rig.advanceMs(5);
    const before = new RecordedExchange(1, readRequest('holding', 0, 1), 1000);
    session.submit(before);
    expect(link.submit(7, [register(2, 5), bit, register(3, 6)])).toBeNull();
    const reader = new RecordedExchange(1, readRequest('holding', 20, 1), 1000);
    session.submit(reader);
    rig.advanceMs(20);
    expect(rig.requests.map(([, pdu]) => pdu)).toEqual([
      '0300000001',
      '0600020005',
      '0300140001',
      '060014fff1',
      '0600030006',
      '0300140001',
    ]);
    expect(reader.registers).toEqual([0xfff1]);
    expect(owner.take('started', 'settled')).toEqual([
      ['started', 7, 6],
      ['settled', 7, null, 10],
    ]);
  });

  it('tells its owner nothing while it is submitted, and when it got the link afterwards', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    link.start();
    rig.advanceMs(5);
    owner.take();
    link.submit(1, [register(2, 5)]);
    expect([rig.written.length, owner.take()]).toEqual([1, []]);
    rig.advanceMs(1);
    expect(owner.take()).toEqual([
      ['started', 1, 5],
      ['settled', 1, null, 6],
    ]);
    // A group that is given up at the end was also sent.
    rig.units.clear();
    link.submit(1, [register(2, 6)]);
    rig.advanceMs(1);
    link.stop();
    link.release();
    expect(owner.take()).toEqual([['started', 1, 6]]);
  });

  it(rule('unread words', 'ends with the first exception, and writes nothing after it'), () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    const unit = rig.units.get(1) ?? refusing();
    const ask = unit.ask.bind(unit);
    unit.ask = (pdu) => (pdu.startsWith('03') ? '8304' : ask(pdu));
    link.start();
    link.submit(1, [register(2, 5), bit, register(3, 6)]);
    rig.advanceMs(2000);
    expect(owner.take('settled')).toEqual([['settled', 1, 'modbus_exception', 3]]);
    expect([...readRegisters(rig.model(), 'holding', 2, 2)]).toEqual([5, 0]);
    expect(link.state()).toEqual({ connected: true, error: null });
  });

  it('ends with silence, and writes nothing after it', () => {
    const rig = new UnitRig('tcp', []);
    const { link, owner } = rig.link();
    link.start();
    link.submit(1, [register(2, 5), register(9, 9)]);
    rig.advanceMs(5000);
    expect(owner.take('settled')).toEqual([['settled', 1, 'modbus_timeout', 100]]);
    expect(rig.requests).toHaveLength(1);
  });

  it('is refused where the queue of the link is full', () => {
    const rig = new UnitRig('tcp', []);
    const { link, session } = rig.link();
    link.start();
    rig.advanceMs(5);
    for (let i = 0; i <= 1024; i++) {
      session.submit(new RecordedExchange(1, readRequest('holding', 0, 1), 1000));
    }
    expect(link.submit(1, [register(2, 5)])).toBe('queue_full');
  });

  it('writes coils', () => {
    const rig = new UnitRig();
    const { link } = rig.link();
    link.start();
    link.submit(1, [{ kind: 'write', request: writeCoilRequest(3, true) }]);
    rig.advanceMs(5);
    expect(readBits(rig.model(), 'coil', 3, 1)).toEqual([true]);
  });
});

describe('the end of a link', () => {
  it('lets groups end that were accepted, and polls no more', () => {
    const rig = new UnitRig();
    const { link, owner } = rig.link();
    startPolls(link, [holding(0, 0, 2)]);
    rig.advanceMs(20);
    expect(link.submit(0, [register(1, 1), register(2, 2)])).toBeNull();
    link.stop();
    owner.take();
    expect(link.submit(1, [register(9, 9)])).toBe('modbus_unreachable');
    const asked = rig.requests.length;
    rig.advanceMs(1000);
    expect(owner.take().map(([name, task]) => [name, task])).toEqual([
      ['started', 0],
      ['settled', 0],
    ]);
    expect(rig.requests.length - asked).toBeLessThanOrEqual(2);
    // The poll did not cause the disconnection.
    expect(rig.transport.links).toHaveLength(1);
    link.release();
    expect(rig.scheduler.scheduledTasks).toBe(0);
    expect(rig.pool.sessions()).toEqual([]);
  });

  it('takes out what is queued and under way, so that nothing is written later', () => {
    for (const ms of [0, 1, 2, 3]) {
      const rig = new UnitRig();
      const other = rig.link(1);
      const { link, owner } = rig.link(1);
      other.link.start();
      link.start();
      link.submit(0, [register(1, 1), register(2, 2), register(3, 3)]);
      link.submit(1, [register(4, 4)]);
      rig.advanceMs(ms);
      link.stop();
      link.release();
      owner.take();
      const written = rig.written.length;
      rig.advanceMs(10_000);
      expect(rig.written.length).toBe(written);
      expect(owner.take()).toEqual([]);
      // The session stays open for the other user.
      expect(other.link.submit(0, [register(5, 5)])).toBeNull();
      rig.advanceMs(1000);
      expect([...readRegisters(rig.model(), 'holding', 4, 2)]).toEqual([0, 5]);
    }
  });

  it('gives the session back once', () => {
    const rig = new UnitRig();
    const one = rig.link(1, new RecordedOwner());
    const two = rig.link(2, new RecordedOwner());
    startPolls(one.link, [holding(0, 0)]);
    two.link.start();
    one.link.release();
    one.link.release();
    expect(rig.pool.sessions()).toMatchObject([{ users: 1 }]);
  });
});
