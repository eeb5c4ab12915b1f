import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../bench/channel.ts';
import { TransmitRig } from '../testing/transmit-rig.ts';

const channel = 'SIM00001/0';
let rig: TransmitRig;
let zero: Channel;
let one: Channel;
beforeEach(async () => {
  rig = new TransmitRig();
  zero = await rig.open(0);
  one = await rig.open(1, { bus: 'can' });
});

describe('the record of a task', () => {
  it('tells all about it', async () => {
    const createdAtUs = rig.clock.unixUs();
    const record = await rig.addTask({
      channel: 'powertrain',
      frame: '18FF50E5##3CAFE',
      period: '2.5ms',
      count: 7,
    });
    expect(record).toEqual({
      task_id: 'task-1',
      kind: 'cyclic',
      channel: 'powertrain',
      selector_kind: 'network',
      resolved: 'SIM00001/0',
      selector: 'SIM00001/0',
      slot: 0,
      type: 'data',
      id: 0x18ff50e5,
      extended: true,
      fd: true,
      brs: true,
      esi: true,
      dlc: 2,
      data: 'CAFE',
      message: null,
      database: null,
      signals: null,
      checksum: null,
      period_us: 2_500,
      count: 7,
      pattern: 'fixed',
      state: 'running',
      offloaded: true,
      sent: 1,
      failed: 0,
      missed: 0,
      lateness_us: null,
      last_error: null,
      created_at_us: createdAtUs,
    });
  });

  it('stands in the list in the order of creation, under an id that is never used again', async () => {
    const request = { channel, id: 1, period: '1s' };
    for (let i = 0; i < 3; i++) await rig.addTask(request);
    rig.txTasks.remove('task-2');
    await rig.addTask({ ...request, type: 'remote', dlc: 4 });
    expect(rig.txTasks.list()).toMatchObject([
      { task_id: 'task-1' },
      { task_id: 'task-3' },
      { task_id: 'task-4', type: 'remote', dlc: 4, data: '' },
    ]);
  });
});

describe('a change that cannot be', () => {
  it.each([
    [{ period_us: 5_000 }, 'period_us'],
    [{ period: '5ms' }, 'period'],
    [{ enabled: false, period_us: 5_000 }, 'enabled'],
    [{ data: 'BB' }, 'data'],
  ])('is refused for a task that the device sends: %j', async (change, field) => {
    const { task_id } = await rig.addTask({ channel, id: 1, data: 'AA', period_us: 10_000 });
    expect(rig.task(task_id).offloaded).toBe(true);
    expect(() => rig.txTasks.change(task_id, change)).toThrow(
      expect.objectContaining({
        code: 'unsupported_by_hardware',
        details: expect.objectContaining({ field }),
      }),
    );
  });

  it('leaves everything as it was', async () => {
    const request = { channel, id: 1, data: 'AA', period_us: 10_000, offload: false };
    const { task_id } = await rig.addTask(request);
    const before = rig.task(task_id);
    const change = { enabled: false, period_us: 5_000, data: 'BBCC' };
    expect(() => rig.txTasks.change(task_id, change)).toThrow('data must have 1 bytes');
    expect(rig.task(task_id)).toEqual(before);
  });
});

describe('tasks added together', () => {
  const all = (requests: readonly object[]) =>
    rig.txTasks.addAll(
      channel,
      requests.map((request) => ({
        ...{ channel, kind: 'cyclic', count: 0, pattern: 'fixed', offload: false, data: 'AA' },
        ...{ id: 1, period_us: 10_000 },
        ...request,
      })),
      rig.benchSource,
    );

  it('spread their first frames over equal periods', async () => {
    await all([{ id: 1 }, { id: 2, period_us: 4_000 }, { id: 3 }]);
    rig.clock.advanceUs(6_000);
    expect(rig.received(one).map(({ id }) => id)).toEqual([1, 2, 2, 3]);
  });

  it.each([
    ['one is wrong', [{ id: 1 }, { id: 0x800 }]],
    ['they are too many', Array.from({ length: 1025 }, (_, id) => ({ id }))],
  ])('are refused together if %s, and none sends', async (_why, requests) => {
    await expect(all(requests)).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid_argument|capacity_exceeded)$/),
    });
    rig.clock.advanceUs(100_000);
    expect([rig.txTasks.list(), rig.received(one)]).toEqual([[], []]);
  });
});

describe('a task that cannot be', () => {
  const good = { channel, id: 1, data: 'AA', period_us: 10_000 };

  it.each([
    ['no period', { period_us: undefined }, 'period_us', 'missing'],
    ['too short a period', { period_us: 99 }, 'period_us', 'out_of_range'],
    ['half a microsecond', { period_us: 100.5 }, 'period_us', 'out_of_range'],
    [
      'a period with a unit, too short',
      { period_us: undefined, period: '99us' },
      'period',
      'out_of_range',
    ],
    ['a period that is no time', { period_us: undefined, period: 'soon' }, 'period', 'invalid'],
    ['two periods', { period: '10ms' }, 'period', 'exclusive'],
    ['a negative count', { count: -1 }, 'count', 'out_of_range'],
    ['an identifier too large', { id: 0x800 }, 'id', 'out_of_range'],
    ['two frames', { frame: '123#' }, 'frame', 'exclusive'],
    ['data to count without data', { data: '', pattern: 'increment_data' }, 'pattern', 'no_data'],
    ['a LIN header', { type: 'master-read' }, 'type', 'not_on_bus'],
  ])('is refused for %s', async (_what, more, field, reason) => {
    const entries = Object.entries({ ...good, ...more }).filter(([, value]) => value !== undefined);
    const request = Object.fromEntries(entries) as typeof good;
    const refusal = await rig.refusedTask(request);
    expect(refusal).toMatchObject({
      code: 'invalid_argument',
      details: { field, channel, selector_kind: 'serial' },
    });
    if (reason !== 'invalid') expect(refusal.details.reason).toBe(reason);
    expect(rig.txTasks.list()).toEqual([]);
    rig.clock.advanceUs(100_000);
    expect(rig.received(one)).toEqual([]);
  });

  it('is refused for a frame that its channel does not have', async () => {
    expect(await rig.refusedTask({ ...good, channel: 'SIM00001/1', fd: true })).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'fd', channel: 'SIM00001/1' },
    });
  });

  it.each([
    ['SIM00001/2', 'channel_not_open', 'serial'],
    ['77', 'channel_not_open', 'slot'],
    ['spare', 'network_unbound', 'network'],
    ['plc', 'network_unbound', 'network'],
    ['/', 'invalid_channel_selector', 'serial'],
  ])('is refused for the channel %s', async (text, code, selector_kind) => {
    expect(await rig.refusedTask({ ...good, channel: text })).toMatchObject({
      code,
      details: { channel: text, selector_kind },
    });
  });

  it('is refused when there are too many, before anything is set up', async () => {
    for (let i = 0; i < 1024; i++) await rig.addTask({ ...good, count: 1 });
    rig.clock.advanceUs(500_000);
    expect(rig.txTasks.list()).toHaveLength(1024);
    const { length } = rig.received(one);
    expect(await rig.refusedTask(good)).toMatchObject({
      code: 'capacity_exceeded',
      details: { limit: 1024, channel },
    });
    rig.clock.advanceUs(500_000);
    expect(rig.received(one)).toHaveLength(length);
    rig.txTasks.remove('task-9');
    expect(await rig.addTask(good)).toMatchObject({ task_id: 'task-1025' });
  });

  it('is refused where the channel begins to close while it is looked up', async () => {
    const lookingUp = rig.refusedTask(good);
    void rig.close(zero);
    expect(await lookingUp).toMatchObject({ code: 'channel_not_open', details: { channel } });
    expect(rig.txTasks.list()).toEqual([]);
  });
});

describe('a channel that is closed', () => {
  it('takes its tasks with it, finished ones too, and leaves those of others', async () => {
    await rig.addTask({ channel, id: 1, period_us: 10_000 });
    await rig.addTask({ channel, id: 2, period_us: 10_000, pattern: 'increment_id' });
    await rig.addTask({ channel, id: 3, period_us: 10_000, count: 1 });
    await rig.addTask({ channel: 'SIM00001/1', id: 4, period_us: 10_000 });
    rig.clock.advanceUs(50_000);
    await rig.close(zero);
    expect(rig.txTasks.list().map(({ task_id }) => task_id)).toEqual(['task-4']);
    zero = await rig.open(0);
    rig.clock.advanceUs(50_000);
    expect(new Set(rig.received(zero).map(({ id }) => id))).toEqual(new Set([4]));
    expect(rig.defects).toEqual([]);
  });
});
