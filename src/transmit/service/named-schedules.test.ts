import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import type { Channel } from '../../bench/channel.ts';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { protectedId } from '../../frame/lin.ts';
import { LinRig } from './testing/lin-rig.ts';
import { scheduleNetwork } from './testing/schedule-network.ts';

type LinChannel = Extract<Channel['hardware'], { bus: 'lin' }>;

const linOf = ({ hardware }: Channel): LinChannel => hardware as LinChannel;

let rig: LinRig;
let master: Channel;
let slave: Channel;

beforeEach(async () => {
  rig = new LinRig();
  rig.attach(scheduleNetwork);
  master = await rig.openNode(4);
  slave = await rig.openNode(5);
});

const respond = (node: Channel, id: number, ...data: number[]): void =>
  linOf(node).setResponse(id, frameFlag.enhancedChecksum, Uint8Array.from(data), 0, data.length);

const send = (data: string, timeout_ms = 1000) =>
  rig.sender.send(
    { channel: master, text: 'SIM00001/4', kind: 'serial', resolved: null },
    {
      channel: 'SIM00001/4',
      type: 'master-write',
      id: 9,
      data,
      count: 1,
      cycle_us: 0,
      timeout_ms,
    },
  );

const refusalOrNull = (sent: Promise<unknown>): Promise<string | null> =>
  sent.then(
    () => null,
    (thrown) => thrown.code,
  );

/** Times from the start of the schedule, in milliseconds of the slot's grid. */
const slotsOf = (node: Channel, slotUs = 10_000): string[] => {
  const heard = rig.received(node);
  const firstUs = heard[0]?.atUs ?? 0;
  return heard.map(
    ({ atUs, id, data }) => `${Math.floor((atUs - firstUs) / slotUs)} ${id} ${data}`,
  );
};

describe('a schedule table', () => {
  it('sends frames of the master with initial values and reads those of slaves', async () => {
    respond(slave, 3, 0x2a, 0xff);
    const record = await rig.startTable('Normal');
    expect(record).toMatchObject({
      schedule_id: 'schedule-1',
      channel: 'SIM00001/4',
      database: 'doors',
      table: 'Normal',
      next_table: null,
    });
    rig.clock.advanceUs(40_000);
    expect(slotsOf(slave)).toEqual(['0 1 01FC', '2 1 01FC']);
    expect(rig.received(master).map(({ id, data }) => `${id} ${data}`)).toEqual([
      '3 2AFF',
      '3 2AFF',
    ]);
    expect(await rig.record()).toMatchObject({ sent: 5, failed: 0, missed: 0, unanswered: 0 });
  });

  it('keeps its grid for a minute', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(60_000_000);
    const times = rig.received(slave).map(({ atUs }) => atUs);
    const firstUs = times[0] ?? 0;
    expect(times.every((atUs, index) => atUs === firstUs + index * 20_000)).toBe(true);
    expect(await rig.record()).toMatchObject({
      cycles: 3000,
      missed: 0,
      unanswered: 3000,
      lateness_us: { max: 0 },
    });
  });

  it('publishes new values together in the next frames, until the next change', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(5000);
    const record = await rig.change({ signals: { Speed: '7', Lamp: 'On' } });
    expect(record.signals).toEqual(
      expect.arrayContaining([
        { signal: 'Speed', value: '7', raw: '7', unit: '', label: null },
        expect.objectContaining({ signal: 'Lamp', raw: '1', label: 'On' }),
      ]),
    );
    rig.clock.advanceUs(20_000);
    await rig.change({ signals: { Lamp: 'Off' } });
    rig.clock.advanceUs(20_000);
    expect(slotsOf(slave)).toEqual(['0 1 01FC', '2 1 07FD', '4 1 07FC']);
  });

  it('keeps its values when the thread that encodes them is replaced', async () => {
    await rig.startTable('Normal');
    await rig.change({ signals: { Speed: '7' } });
    rig.databases.pop();
    const { signals } = await rig
      .newSchedules()
      .change({ schedule_id: 'schedule-1', signals: { Lamp: 'On' } }, {});
    expect(signals).toEqual(
      expect.arrayContaining([expect.objectContaining({ signal: 'Speed', value: '7' })]),
    );
    rig.clock.advanceUs(5000);
    expect(slotsOf(slave)).toEqual(['0 1 07FD']);
  });

  it('changes nothing if one signal is refused', async () => {
    await rig.startTable('Normal');
    const refused = [
      [{ Speed: '7', Lamp: '9' }, 'invalid_argument', 'signals.Lamp'],
      [{ Speed: '7', Spedd: '1' }, 'signal_not_found', 'signals.Spedd'],
      [{ Speed: '7', State: '1' }, 'signal_not_writable', 'signals.State'],
    ] as const;
    for (const [signals, code, field] of refused) {
      const refusal = await refusalOf(rig.change({ table: 'Sporadic', signals }));
      expect(refusal).toMatchObject({ code, details: { field } });
    }
    rig.clock.advanceUs(25_000);
    expect(slotsOf(slave)).toEqual(['0 1 01FC', '2 1 01FC']);
    expect(await rig.record()).toMatchObject({ table: 'Normal', next_table: null });
  });

  it('switches with the next slot', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(12_000);
    expect(await rig.change({ table: 'Diagnose' })).toMatchObject({
      table: 'Normal',
      next_table: 'Diagnose',
    });
    rig.clock.advanceUs(10_000);
    expect(await rig.record()).toMatchObject({ table: 'Diagnose', next_table: null });
  });

  it('sends a sporadic frame once for each change, by priority', async () => {
    await rig.startTable('Sporadic');
    rig.clock.advanceUs(25_000);
    // Speed is in both frames of the slot. The next Command slot sends the change of Command.
    await rig.change({ signals: { Speed: '9' } });
    rig.clock.advanceUs(40_000);
    expect(slotsOf(slave)).toEqual(['0 1 01FC', '2 1 09FC', '3 2 0009', '4 1 09FC']);
    expect(await rig.record()).toMatchObject({ empty: 3 });
  });

  it('runs the collision table once, then the entry after the event-triggered frame', async () => {
    respond(slave, 6, protectedId(4), 0x11);
    respond(slave, 4, protectedId(4), 0x11);
    respond(slave, 5, protectedId(5), 0x22);
    await rig.startTable('Events');
    rig.clock.advanceUs(18_000);
    expect(await rig.record()).toMatchObject({ collisions: 0, collision_table: null });
    respond(master, 6, protectedId(5), 0x22);
    rig.clock.advanceUs(14_000);
    expect(await rig.record()).toMatchObject({ collisions: 1, collision_table: 'Resolve' });
    linOf(master).clearResponse(6);
    linOf(slave).clearResponse(6);
    rig.clock.advanceUs(43_000);
    const ids = rig.received(master).map(({ id, data }) => `${id} ${data}`);
    expect(ids).toEqual(['6 C411', '4 C411', '5 8522']);
    expect(slotsOf(slave).map((text) => text.slice(0, 3))).toEqual(['0 1', '4 1', '6 1']);
    expect(await rig.record()).toMatchObject({
      collision_table: null,
      unanswered: 0,
      collisions: 1,
    });
  });

  it('sends a master request once when it was set, and polls the answer', async () => {
    linOf(slave).setResponse(61, 0, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 0, 8);
    await rig.startTable('Diagnose');
    rig.clock.advanceUs(30_000);
    expect(rig.received(slave)).toEqual([]);
    await rig.change({ signals: { MasterReqB0: '33', MasterReqB1: '1', MasterReqB2: '182' } });
    rig.clock.advanceUs(60_000);
    expect(rig.received(slave).map(({ id, data }) => `${id} ${data}`)).toEqual([
      '60 2101B60000000000',
    ]);
    expect(rig.received(master).map(({ id }) => id)).toEqual([61, 61, 61]);
  });

  it('sends node configuration commands', async () => {
    await rig.startTable('Configure');
    rig.clock.advanceUs(29_000);
    expect(rig.received(slave).map(({ id, data }) => `${id} ${data}`)).toEqual([
      '60 0106B04F4A414821',
      '60 2101B6FFFFFFFFFF',
    ]);
  });

  it('counts slots that the daemon missed, and stays on the grid', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(9000);
    rig.clock.spendUs(32_000);
    rig.clock.advanceUs(24_000);
    expect(await rig.record()).toMatchObject({ missed: 3, lateness_us: { max: 31_000 } });
    expect(slotsOf(slave).at(-1)).toMatch(/^6 1 /);
  });

  it('ends with its channel', async () => {
    await rig.startTable('Normal');
    await rig.close(master);
    rig.clock.advanceUs(100_000);
    expect(await rig.schedules.list()).toEqual([]);
  });

  it('sends nothing after it was stopped, and shows its final counters', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(25_000);
    const final = await rig.schedules.stop('schedule-1', {});
    expect(final).toMatchObject({ schedule_id: 'schedule-1', sent: 3 });
    expect(final.signals).toContainEqual(expect.objectContaining({ signal: 'Speed' }));
    rig.clock.advanceUs(100_000);
    expect(rig.received(slave)).toHaveLength(2);
    expect(await refusalOf(rig.schedules.stop('schedule-1', {}))).toMatchObject({
      code: 'schedule_not_found',
    });
  });
});

describe('a schedule on a bus that is busy for longer than a slot', () => {
  it('drops the frame of a slot that is over, and continues on the grid', async () => {
    const busy = Array.from({ length: linOf(master).txDepth }, () => send('0102030405060708'));
    await rig.startTable('Tight');
    await rig.change({ signals: { Speed: '7' } });
    rig.clock.advanceUs(8000);
    const late = await rig.record();
    expect(late).toMatchObject({ failed: 1, last_error: { code: 'hardware_timeout' } });
    // It was not sent, so its signals are still new.
    expect(late.frames[0]).toMatchObject({ message: 'Command', changed: true });
    rig.clock.advanceUs(47_000);
    await Promise.all(busy);
    const [first, ...later] = rig.received(slave).filter(({ id }) => id === 1);
    expect(first?.data).toBe('07FC');
    expect(later.length).toBeGreaterThan(2);
    const firstUs = later[0]?.atUs ?? 0;
    expect(later.every(({ atUs }, index) => atUs === firstUs + 10_000 * index)).toBe(true);
    expect(await rig.record()).toMatchObject({ failed: 1, missed: 0 });
  });
});

describe('what cannot start', () => {
  it.each([
    ['Nromal', 'schedule_table_not_found', { field: 'table', table: 'Nromal' }],
    ['Zero', 'invalid_argument', { field: 'table', reason: 'slot_too_short' }],
    ['Empty', 'invalid_argument', { field: 'table', reason: 'no_slots' }],
  ])('is table %s', async (table, code, details) => {
    expect(await rig.refusedStart(table)).toMatchObject({ code, details });
    expect(await rig.schedules.list()).toEqual([]);
  });

  it('is a second schedule on a channel', async () => {
    await rig.startTable('Normal');
    expect(await rig.refusedStart('Normal')).toMatchObject({
      code: 'already_running',
      details: { schedule_id: 'schedule-1' },
    });
  });

  it('is a schedule on a slave', async () => {
    expect(await rig.refusedStart('Normal', { channel: 'SIM00001/5' })).toMatchObject({
      code: 'channel_cannot_send',
      details: { reason: 'not_master' },
    });
  });

  it('is a schedule on a CAN channel', async () => {
    await rig.open(0);
    const refused = {
      code: 'invalid_argument',
      details: { field: 'channel', reason: 'not_on_bus', channel: 'SIM00001/0' },
    };
    expect(await rig.refusedStart('Normal', { channel: 'SIM00001/0' })).toMatchObject(refused);
    // No LDF can be attached to it, so the table is not what is wrong.
    rig.databases.pop();
    expect(await rig.refusedStart('Normal', { channel: 'SIM00001/0' })).toMatchObject(refused);
  });

  it('is a schedule beside a cyclic task, and the reverse', async () => {
    const task = { channel: 'SIM00001/4', id: 9, data: '00', period_us: 50_000 };
    const { task_id } = await rig.addTask(task);
    expect(await rig.refusedStart('Normal')).toMatchObject({
      code: 'busy',
      details: { field: 'channel', task_id },
    });
    rig.txTasks.remove(task_id);
    await rig.startTable('Normal');
    expect(await rig.refusedTask(task)).toMatchObject({
      code: 'busy',
      details: { field: 'channel', schedule_id: 'schedule-1' },
    });
    expect(
      await rig.addTask({
        ...task,
        channel: 'SIM00001/5',
        kind: 'lin_response',
        period_us: undefined,
      } as never),
    ).toMatchObject({ kind: 'lin_response' });
  });
});

describe('a message beside a schedule', () => {
  it('waits for the rest of a slot that fits it', async () => {
    await rig.startTable('Normal');
    rig.clock.advanceUs(1000);
    const sent = send('0102');
    rig.clock.advanceUs(9000);
    await expect(sent).resolves.toMatchObject({ accepted: 1 });
    rig.clock.advanceUs(20_000);
    const heard = rig.received(slave);
    expect(heard.map(({ id }) => id)).toEqual([1, 9, 1]);
    expect((heard[2]?.atUs ?? 0) - (heard[0]?.atUs ?? 0)).toBe(20_000);
    expect((heard[1]?.atUs ?? 0) - (heard[0]?.atUs ?? 0)).toBeLessThan(10_000 - 3333);
  });

  it('times out if no slot has room for it, and the schedule is not disturbed', async () => {
    await rig.startTable('Tight');
    const sent = refusalOf(send('0102030405060708', 100));
    rig.clock.advanceUs(200_000);
    expect(await sent).toMatchObject({ code: 'hardware_timeout', details: { reason: 'no_slot' } });
    const times = rig.received(slave).map(({ atUs }) => atUs);
    expect(times.every((atUs, index) => atUs === (times[0] ?? 0) + index * 10_000)).toBe(true);
    expect(new Set(rig.received(slave).map(({ id }) => id))).toEqual(new Set([1]));
  });

  it('never moves a slot, whatever is sent and whenever', async () => {
    const random = seededRandom(8);
    await rig.startTable('Normal');
    const sends: Promise<unknown>[] = [];
    for (let step = 0; step < 300; step++) {
      const length = 1 + Math.floor(random() * 8);
      if (random() < 0.5) sends.push(refusalOrNull(send('5A'.repeat(length), 60)));
      rig.clock.advanceUs(Math.floor(random() * 9000));
      await Promise.resolve();
    }
    rig.clock.advanceUs(200_000);
    const outcomes = await Promise.all(sends);
    expect(new Set(outcomes)).toEqual(new Set([null, 'hardware_timeout']));
    const heard = rig.received(slave);
    expect(heard.filter(({ id }) => id === 9).length).toBe(
      outcomes.filter((outcome) => outcome === null).length,
    );
    const own = heard.filter(({ id }) => id === 1).map(({ atUs }) => atUs);
    expect(own.every((atUs, index) => atUs === (own[0] ?? 0) + index * 20_000)).toBe(true);
    expect(await rig.record()).toMatchObject({ failed: 0, missed: 0 });
  });

  it('is sent when the schedule ends', async () => {
    await rig.startTable('Tight');
    const sent = send('0102030405060708');
    rig.clock.advanceUs(20_000);
    await rig.schedules.stop('SIM00001/4', {});
    rig.clock.advanceUs(20_000);
    await expect(sent).resolves.toMatchObject({ accepted: 1 });
    expect(rig.received(slave).at(-1)).toMatchObject({ id: 9, data: '0102030405060708' });
  });

  it('takes turns with others in the same rest', async () => {
    const longer = scheduleNetwork.replaceAll('delay 15 ms', 'delay 60 ms');
    rig.databases.pop();
    rig.attach(longer);
    await rig.startTable('Diagnose');
    rig.clock.advanceUs(1000);
    const all = [send('01'), send('02'), send('03')];
    rig.clock.advanceUs(58_000);
    await Promise.all(all);
    expect(rig.received(slave).map(({ data }) => data)).toEqual(['01', '02', '03']);
  });
});
