import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../bench/channel.ts';
import type { LinChannel, LinReadOutcome } from '../../drivers/driver-channel.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { TransmitRig } from '../testing/transmit-rig.ts';

const linOf = ({ hardware }: Channel): LinChannel => {
  if (hardware.bus !== 'lin') throw new TypeError('This is a CAN channel');
  return hardware as LinChannel;
};

const master = 'SIM00001/4';
const slave = 'SIM00001/5';
let rig: TransmitRig;
let four: Channel;
let five: Channel;
beforeEach(async () => {
  rig = new TransmitRig();
  four = await rig.open(4);
  five = await rig.open(5);
});

/** The response to a master read on the simulated bus. */
const read = (id: number): string => {
  let answer = '';
  const done = (
    outcome: LinReadOutcome,
    _timestampUs: number,
    _checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void => {
    answer = `${outcome} ${formatHex(payload.subarray(offset, offset + length))}`.trim();
  };
  linOf(four).masterRead(id, 1 << 8, 0, done);
  rig.clock.advanceUs(100_000);
  return answer;
};

describe('a cyclic task on a LIN master', () => {
  it('writes its frame at every period', async () => {
    const { task_id, offloaded } = await rig.addTask({
      channel: master,
      id: 0x10,
      data: '0102',
      period_us: 20_000,
    });
    expect(offloaded).toBe(false);
    rig.clock.advanceUs(60_000_000);
    const times = rig.received(five).map(({ atUs }) => atUs);
    const firstUs = times[0] ?? 0;
    expect(times).toEqual(Array.from({ length: 3000 }, (_, k) => firstUs + k * 20_000));
    expect(rig.task(task_id)).toMatchObject({
      type: 'master-write',
      checksum: 'enhanced',
      sent: 3001,
      failed: 0,
    });
  });

  it('counts through identifiers without touching those of diagnostics', async () => {
    await rig.addTask({
      channel: master,
      frame: '3A#01',
      period_us: 20_000,
      count: 4,
      pattern: 'increment_id',
    });
    rig.clock.advanceUs(200_000);
    expect(rig.received(five).map(({ id }) => id)).toEqual([0x3a, 0x3b, 0, 1]);
  });

  it('fails while the bus has no power, and goes on afterwards', async () => {
    const { task_id } = await rig.addTask({
      channel: master,
      id: 1,
      data: '00',
      period: '20ms',
    });
    rig.clock.advanceUs(50_000);
    await rig.table.configure(master, { power: false }, rig.benchSource);
    rig.clock.advanceUs(100_000);
    expect(rig.task(task_id)).toMatchObject({
      sent: 3,
      failed: 5,
      last_error: { code: 'channel_cannot_send', message: expect.stringContaining('power') },
    });
    await rig.table.configure(master, { power: true }, rig.benchSource);
    rig.clock.advanceUs(100_000);
    expect(rig.task(task_id)).toMatchObject({ sent: 8, failed: 5 });
  });

  it('is refused on a slave, which could never send it', async () => {
    const request = { channel: slave, id: 1, data: '00', period_us: 10_000 };
    expect(await rig.refusedTask(request)).toMatchObject({
      code: 'channel_cannot_send',
      details: { reason: 'not_master', channel: slave },
    });
  });

  it.each(['master-read', 'sync-break'] as const)('is refused for a %s', async (type) => {
    const request = type === 'sync-break' ? { type } : { type, id: 1 };
    expect(await rig.refusedTask({ channel: master, ...request, period_us: 10_000 })).toMatchObject(
      {
        code: 'invalid_argument',
        details: { field: 'type', reason: 'not_in_task' },
      },
    );
  });
});

describe('a LIN response', () => {
  const response = { channel: slave, kind: 'lin_response', id: 0x21, data: 'CAFE' } as const;

  it('answers every header with its identifier, until it is removed', async () => {
    expect(read(0x21)).toBe('no_response');
    const record = await rig.addTask(response);
    expect(record).toMatchObject({
      kind: 'lin_response',
      type: null,
      id: 0x21,
      data: 'CAFE',
      checksum: 'enhanced',
      period_us: null,
      pattern: 'fixed',
      state: 'running',
      offloaded: true,
      sent: 0,
      failed: 0,
      missed: 0,
      lateness_us: null,
      last_error: null,
    });
    expect([read(0x21), read(0x21), read(0x22)]).toEqual([
      'answered CAFE',
      'answered CAFE',
      'no_response',
    ]);
    rig.txTasks.remove(record.task_id);
    expect(read(0x21)).toBe('no_response');
  });

  it('may be given in short, and on a master too', async () => {
    await rig.addTask({ channel: master, kind: 'lin_response', frame: '21#0102' });
    expect(read(0x21)).toBe('answered 0102');
  });

  it('is there once for an identifier of a channel', async () => {
    const { task_id } = await rig.addTask(response);
    expect(await rig.refusedTask({ ...response, data: '01' })).toMatchObject({
      code: 'already_exists',
      details: { field: 'id', id: 0x21, task_id, channel: slave },
    });
    expect(read(0x21)).toBe('answered CAFE');
    await rig.addTask({ ...response, id: 0x22 });
    await rig.addTask({ ...response, channel: master, id: 0x23 });
    rig.txTasks.remove(task_id);
    await rig.addTask({ ...response, data: '01' });
    expect(read(0x21)).toBe('answered 01');
  });

  it('is still given by a device that went away and came back', async () => {
    await rig.addTask(response);
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(1_000_000);
    rig.driver.faults.returnDevice();
    expect(read(0x21)).toBe('answered CAFE');
  });

  it.each([
    ['period_us', { period_us: 10_000 }],
    ['period', { period: '10ms' }],
    ['count', { count: 5 }],
    ['pattern', { pattern: 'increment_data' as const }],
  ])('takes no %s', async (field, more) => {
    expect(await rig.refusedTask({ ...response, ...more })).toMatchObject({
      code: 'invalid_argument',
      details: { field, channel: slave },
    });
    expect(rig.txTasks.list()).toEqual([]);
    expect(read(0x21)).toBe('no_response');
  });

  it('does not exist on CAN', async () => {
    await rig.open(0);
    const request = { ...response, channel: 'SIM00001/0' };
    expect(await rig.refusedTask(request)).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'kind', reason: 'not_on_bus' },
    });
  });

  it('ends with its channel', async () => {
    await rig.addTask(response);
    await rig.close(five);
    expect(rig.txTasks.list()).toEqual([]);
    five = await rig.open(5);
    expect(read(0x21)).toBe('no_response');
    await rig.addTask(response);
  });
});
