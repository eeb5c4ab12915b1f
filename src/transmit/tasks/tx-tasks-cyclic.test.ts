import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../bench/channel.ts';
import { canOf } from '../../bench/testing/table-rig.ts';
import { TransmitRig, withoutOffload } from '../testing/transmit-rig.ts';

const channel = 'SIM00001/0';
let rig: TransmitRig;
let zero: Channel;
let one: Channel;
beforeEach(async () => {
  rig = new TransmitRig();
  zero = await rig.open(0);
  one = await rig.open(1);
});

const inSoftware = () => withoutOffload(zero);
const ids = () => rig.received(one).map(({ id }) => id);

/** Blocks the thread for this long, starting this long from now. */
const blockAt = (afterUs: number, forUs: number): void => {
  const block = rig.scheduler.createTask('block', () => {
    rig.clock.advanceUs(forUs);
    return undefined;
  });
  block.scheduleAt(rig.clock.monotonicUs() + afterUs);
};

describe.each(['the device', 'the daemon'])('a cyclic task that runs in %s', (where) => {
  beforeEach(() => {
    if (where === 'the daemon') inSoftware();
  });

  it('sends every frame at its time, for minutes, without drift', async () => {
    const { task_id, offloaded } = await rig.addTask({
      channel,
      id: 0x123,
      data: 'CAFE',
      period_us: 123_457,
    });
    expect(offloaded).toBe(where === 'the device');
    rig.clock.advanceUs(180_000_000);
    const received = rig.received(one);
    const sent = Math.floor(180_000_000 / 123_457) + 1;
    const firstUs = received[0]?.atUs ?? 0;
    expect(received.map(({ atUs }) => atUs)).toEqual(
      Array.from({ length: sent }, (_, k) => firstUs + k * 123_457),
    );
    expect(received.every(({ id, data }) => id === 0x123 && data === 'CAFE')).toBe(true);
    expect(rig.task(task_id)).toMatchObject({ sent, failed: 0, missed: 0, state: 'running' });
  });

  it('finishes after its count, and stays listed until it is removed', async () => {
    const { task_id } = await rig.addTask({ channel, id: 1, period: '1ms', count: 5 });
    expect(rig.task(task_id).state).toBe('running');
    rig.clock.advanceUs(100_000);
    expect(rig.received(one)).toHaveLength(5);
    expect(rig.task(task_id)).toMatchObject({ state: 'finished', sent: 5, count: 5 });
    expect(rig.txTasks.remove(task_id)).toMatchObject({ state: 'finished', sent: 5 });
    expect(rig.txTasks.list()).toEqual([]);
  });

  it('sends nothing more once it is removed', async () => {
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 1_000 });
    rig.clock.advanceUs(10_500);
    expect(rig.txTasks.remove(task_id)).toMatchObject({ task_id, state: 'running', sent: 11 });
    rig.clock.advanceUs(10_000);
    expect(rig.received(one)).toHaveLength(11);
    await expect(async () => rig.txTasks.remove(task_id)).rejects.toMatchObject({
      code: 'task_not_found',
      details: { task_id },
    });
  });

  it('goes in the order of creation with others that are due together', async () => {
    for (const [id, period_us] of [
      [5, 10_000],
      [3, 20_000],
      [4, 10_000],
      [1, 40_000],
    ] as const) {
      await rig.addTask({ channel, id, period_us });
    }
    rig.clock.advanceUs(45_000);
    expect(ids()).toEqual([5, 3, 4, 1, 5, 4, 5, 3, 4, 5, 4, 5, 3, 4, 1]);
  });

  it('fails while its channel is bus off, and goes on when that is over', async () => {
    rig.driver.faults.bitErrors(0, 32);
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    rig.clock.advanceUs(105_000);
    expect(zero.state).toBe('bus_off');
    const during = rig.task(task_id);
    expect(during).toMatchObject({
      state: 'running',
      last_error: { code: 'channel_cannot_send', message: expect.stringContaining('bus off') },
    });
    expect(during.failed).toBeGreaterThan(5);
    canOf(zero).recover();
    rig.clock.advanceUs(100_000);
    const after = rig.task(task_id);
    expect(rig.received(one).length).toBeGreaterThan(8);
    expect(after.last_error).toEqual(during.last_error);
    expect((after.sent ?? 0) + (after.failed ?? 0)).toBe(21);
  });

  it('fails while its device is gone, and keeps its times when it is back', async () => {
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000, count: 20 });
    rig.clock.advanceUs(45_000);
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(50_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 5,
      failed: 5,
      missed: 0,
      last_error: { code: 'hardware_error' },
    });
    rig.driver.faults.returnDevice();
    rig.clock.advanceUs(1_000_000);
    expect(rig.task(task_id)).toMatchObject({ state: 'finished', sent: 20, failed: 5 });
    const times = rig.received(one).map(({ atUs }) => atUs);
    const firstUs = times[0] ?? 0;
    const turns = [0, 1, 2, 3, 4, ...Array.from({ length: 15 }, (_, i) => 10 + i)];
    expect(times).toEqual(turns.map((turn) => firstUs + turn * 10_000));
  });

  it('survives changes of settings, and fails where it cannot send', async () => {
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    const configure = (change: object) => rig.table.configure(channel, change, rig.benchSource);
    rig.clock.advanceUs(25_000);
    await configure({ mode: 'listen_only' });
    rig.clock.advanceUs(50_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 3,
      failed: 5,
      last_error: { code: 'channel_cannot_send', message: expect.stringContaining('listen-only') },
    });
    await configure({ mode: 'normal' });
    rig.clock.advanceUs(26_000);
    expect(rig.task(task_id)).toMatchObject({ sent: 6, failed: 5 });
    expect(rig.received(one)).toHaveLength(6);
  });

  it('is refused on a channel that only listens, alone and with others', async () => {
    await rig.table.configure(channel, { mode: 'listen_only' }, rig.benchSource);
    const error = {
      code: 'channel_cannot_send',
      details: expect.objectContaining({ reason: 'listen_only' }),
    };
    const request = { channel, id: 1, period_us: 10_000 };
    await expect(rig.addTask(request)).rejects.toMatchObject(error);
    expect(rig.txTasks.list()).toEqual([]);
  });

  it('counts what finds no room in the queue, and goes on', async () => {
    await rig.close(one);
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 1_000 });
    rig.clock.advanceUs(1_200_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 1024,
      failed: 177,
      last_error: { code: 'hardware_timeout' },
    });
    one = await rig.open(1);
    rig.clock.advanceUs(1_000_000);
    expect(rig.task(task_id).sent).toBeGreaterThan(1100);
  });
});

describe('cyclic tasks on the bench thread', () => {
  it('tell how late their frames were', async () => {
    inSoftware();
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    blockAt(10_000, 4_000);
    rig.clock.advanceUs(95_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 10,
      missed: 0,
      lateness_us: { count: 10, p50: 1, p99: 4_000, max: 4_000 },
    });
  });

  it('miss the times that went by, and never send in a bunch', async () => {
    inSoftware();
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    blockAt(15_000, 40_000);
    rig.clock.advanceUs(95_000);
    const firstUs = rig.received(one)[0]?.atUs ?? 0;
    const [, , late, ...rest] = rig.received(one).map(({ atUs }) => atUs - firstUs);
    expect(late).toBe(55_000);
    expect(rest).toEqual([60_000, 70_000, 80_000, 90_000]);
    expect(rig.task(task_id)).toMatchObject({
      sent: 7,
      missed: 3,
      lateness_us: { count: 7, max: 35_000 },
    });
  });

  it('miss nothing behind their last frame', async () => {
    inSoftware();
    blockAt(0, 50_000);
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000, count: 1 });
    rig.clock.advanceUs(100_000);
    expect(rig.task(task_id)).toMatchObject({ state: 'finished', sent: 1, missed: 0 });
  });

  it('have no lateness where the device sends', async () => {
    const { lateness_us } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    expect(lateness_us).toBeNull();
  });

  it('take over when the device has no slot left, and for patterns', async () => {
    const offloaded: boolean[] = [];
    for (let id = 0; id < 10; id++) {
      offloaded.push((await rig.addTask({ channel, id, period: '100ms' })).offloaded);
    }
    expect(offloaded).toEqual([...Array(8).fill(true), false, false]);
    rig.txTasks.remove('task-1');
    const counting = { channel, id: 0x7f0, data: '00', period: '100ms' } as const;
    expect(await rig.addTask({ ...counting, pattern: 'increment_data' })).toMatchObject({
      offloaded: false,
    });
    expect(await rig.addTask(counting)).toMatchObject({ offloaded: true });
  });

  it('send what their patterns make, frame by frame', async () => {
    const base = { channel, period_us: 1_000, count: 3 } as const;
    await rig.addTask({ ...base, frame: '010#FFFE', pattern: 'increment_data' });
    await rig.addTask({ ...base, frame: '7FF#', pattern: 'increment_id' });
    await rig.addTask({ ...base, frame: '020##100000000', pattern: 'random_data' });
    rig.clock.advanceUs(10_000);
    const texts = rig.received(one).map(({ id, data }) => `${id.toString(16)}#${data}`);
    expect(texts.filter((text) => text.startsWith('10#'))).toEqual([
      '10#FFFE',
      '10#FFFF',
      '10#0000',
    ]);
    expect(texts.filter((text) => text.endsWith('#'))).toEqual(['7ff#', '0#', '1#']);
    expect(new Set(texts.filter((text) => text.startsWith('20#'))).size).toBe(3);
  });

  it('repeat a frame of a pattern that was refused, so that no value is left out', async () => {
    await rig.addTask({
      channel,
      id: 1,
      data: '00',
      period_us: 10_000,
      pattern: 'increment_data',
    });
    rig.clock.advanceUs(25_000);
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(30_000);
    rig.driver.faults.returnDevice();
    rig.clock.advanceUs(30_000);
    expect(rig.received(one).map(({ data }) => data)).toEqual(['00', '01', '02', '03', '04', '05']);
  });

  it('leave the thread in between when very many are due together', async () => {
    inSoftware();
    for (let id = 0; id < 200; id++) {
      await rig.addTask({ channel, id, period_us: 100_000 });
    }
    const passes: number[] = [];
    const other = rig.scheduler.createTask('other', () => {
      passes.push(zero.stats().tx_pending);
      return passes.length < 3 ? rig.clock.monotonicUs() : undefined;
    });
    other.scheduleAt(rig.clock.monotonicUs());
    rig.clock.advanceUs(3);
    expect(passes[0]).toBeLessThanOrEqual(64);
    expect(passes.at(-1)).toBeGreaterThan(64);
    rig.clock.advanceUs(90_000);
    expect(ids()).toEqual(Array.from({ length: 200 }, (_, id) => id));
  });

  it('survive a driver that throws', async () => {
    inSoftware();
    const hardware = canOf(zero);
    const { send } = hardware;
    const { task_id } = await rig.addTask({ channel, id: 1, period_us: 10_000 });
    hardware.send = () => {
      throw new TypeError('broken');
    };
    rig.clock.advanceUs(15_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 0,
      failed: 2,
      last_error: { code: 'internal_error' },
    });
    hardware.send = send;
    rig.clock.advanceUs(20_000);
    expect(rig.task(task_id).sent).toBe(2);
  });

  it('leave nothing behind with the scheduler when they are gone', async () => {
    inSoftware();
    const before = rig.scheduler.scheduledTasks;
    const { task_id } = await rig.addTask({ channel, id: 1, period: '1s' });
    expect(rig.scheduler.scheduledTasks).toBe(before + 1);
    rig.txTasks.remove(task_id);
    expect(rig.scheduler.scheduledTasks).toBe(before);
  });
});
