import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { setUpTransmitBench, shareTransmitBench } from './support/transmit-bench.ts';

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0', { name: 'sender' });
  await own.open('SIM00001/2', { bus: 'can', name: 'classic' });
  await own.open('SIM00001/4', { name: 'master' });
  await own.open('SIM00001/5', { name: 'slave' });
  await own.create('tx-tasks', { channel: 'sender', id: 1, period_us: 1_000_000 });
}, null);

const refuse = async (body: unknown) => refusedOverHttp(await bench.post(`${api}/tx-tasks`, body));

/** Tasks without their counters. */
const settledTasks = async () =>
  (await bench.status('tx-tasks')).tx_tasks.map(
    ({ sent: _, failed: __, ...rest }: Record<string, unknown>) => rest,
  );

const good = { channel: 'sender', id: 0x123, data: '00', period_us: 10_000 };

/** A wrong field in an otherwise valid request, and the name in the error. */
const impossible: [request: object, field: string][] = [
  [{ id: undefined }, 'id'],
  [{ id: 0x800 }, 'id'],
  [{ id: -1 }, 'id'],
  [{ id: 1.5 }, 'id'],
  [{ id: '29x' }, 'id'],
  [{ id: null }, 'id'],
  [{ id: 0x2000_0000, extended: true }, 'id'],
  [{ extended: 'yes' }, 'extended'],
  [{ data: '001122334455667788' }, 'data'],
  [{ data: '0' }, 'data'],
  [{ data: 'XY' }, 'data'],
  [{ data: 'a\u0000b' }, 'data'],
  [{ data: [0] }, 'data'],
  [{ dlc: 2 }, 'dlc'],
  [{ dlc: 16 }, 'dlc'],
  [{ fd: true, data: '00'.repeat(9) }, 'data'],
  [{ brs: true }, 'brs'],
  [{ esi: true }, 'esi'],
  [{ type: 'remote', data: undefined, fd: true }, 'fd'],
  [{ type: 'remote' }, 'data'],
  [{ type: 'master-write' }, 'type'],
  [{ type: 'master-read' }, 'type'],
  [{ type: 'sync-break' }, 'type'],
  [{ checksum: 'classic' }, 'checksum'],
  [{ kind: 'lin_response', period_us: undefined }, 'kind'],
  [{ kind: 'sometimes' }, 'kind'],
  [{ period_us: undefined }, 'period_us'],
  [{ period_us: 99 }, 'period_us'],
  [{ period_us: 3_600_000_001 }, 'period_us'],
  [{ period_us: 1000.5 }, 'period_us'],
  [{ period_us: '10ms' }, 'period_us'],
  [{ count: -1 }, 'count'],
  [{ count: 2_147_483_648 }, 'count'],
  [{ count: 'all' }, 'count'],
  [{ pattern: 'sawtooth' }, 'pattern'],
  [{ pattern: 'increment_data', data: '' }, 'pattern'],
  [{ pattern: 'random_data', type: 'remote', data: undefined, dlc: 8 }, 'pattern'],
  [{ cycle_us: 5 }, 'cycle_us'],
  [{ period: '10ms' }, 'period'],
  [{ frame: '123#00' }, 'frame'],
];

describe('a task that cannot be', () => {
  it.each(impossible)(
    'is refused with the field at fault, and changes nothing: %j',
    async (request, field) => {
      const before = await settledTasks();
      const refused = await refuse({ ...good, ...request });
      expect(refused).toMatchObject({
        status: 400,
        code: 'invalid_argument',
        details: { field, channel: 'sender' },
      });
      expect(await settledTasks()).toEqual(before);
    },
  );

  it.each([
    [{ fd: true }, 'fd'],
    [{ fd: true, brs: true }, 'fd'],
  ])('is refused to a channel of classic CAN: %j', async (request, field) => {
    expect(await refuse({ ...good, ...request, channel: 'classic' })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field, channel: 'classic', selector_kind: 'name' },
    });
  });

  it('is refused where a field stands twice', async () => {
    const text = JSON.stringify(good).replace('{', '{"period_us":500,');
    const headers = { 'content-type': 'application/json' };
    const path = `${api}/tx-tasks`;
    const answer = await ask({ port: bench.port, method: 'POST', path, headers, body: text });
    expect(refusedOverHttp(answer)).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'period_us' },
    });
  });

  it.each([
    ['SIM00001/1', 409, 'channel_not_open'],
    ['99', 409, 'channel_not_open'],
    ['nobody', 409, 'channel_not_open'],
    ['SIM00001/x', 400, 'invalid_channel_selector'],
    ['a/b/c', 400, 'invalid_channel_selector'],
  ])('is refused to the channel %s with %i %s', async (channel, status, code) => {
    const refused = await refuse({ ...good, channel });
    expect(refused).toMatchObject({ status, code, details: { channel } });
    const args = ['tx-task', 'add', channel, '123#00', '--period=1s'];
    const cli = refusedByCli(await bench.failure(...args));
    expect(cli).toMatchObject({ code, details: { channel } });
    expect(await bench.status('tx-tasks')).toMatchObject({ tx_tasks: [{ task_id: 'task-1' }] });
  });

  it.each([
    [[], 'channel', 2],
    [['sender', '123#00'], 'period_us', 2],
    [['sender', '123#00', '--period=10'], 'period', 2],
    [['sender', '123#00', '--period=10us'], 'period', 2],
    [['sender', '123#00', '--period=99us'], 'period', 2],
    [['sender', '123#00', '--period=1ms', '--period-us=1000'], 'period', 2],
    [['sender', '123#00', '--period-us=1e3'], 'period_us', 2],
    [['sender', '123#0', '--period=1ms'], 'frame', 2],
    [['sender', '123#00', '--id=5', '--period=1ms'], 'frame', 2],
    [['sender', '123#00', '--period=1ms', '--kind=none'], 'kind', 2],
    [['sender', '123#00', '--period=1ms', '--pattern=none'], 'pattern', 2],
    [['sender', '123#00', '--period=1ms', '--count=-1'], 'count', 2],
  ] as [string[], string, number][])(
    'is refused on the command line: %j',
    async (args, field, exit) => {
      const refused = refusedByCli(await bench.failure('tx-task', 'add', ...args));
      const channel = args[0] === undefined ? {} : { channel: args[0] };
      expect(refused).toMatchObject({
        exit,
        code: 'invalid_argument',
        details: { field, ...channel },
      });
      expect(await settledTasks()).toHaveLength(1);
    },
  );

  it.each(['task-99', 'x', '..', 'task-1 '])('cannot be removed: %s', async (taskId) => {
    const path = `tx-tasks/${encodeURIComponent(taskId)}`;
    if (taskId !== '..') {
      expect(refusedOverHttp(await bench.delete(path))).toEqual({
        status: 404,
        code: 'task_not_found',
        details: { task_id: taskId },
      });
    }
    const cli = refusedByCli(await bench.failure('tx-task', 'remove', taskId));
    expect(cli).toEqual({ exit: 1, code: 'task_not_found', details: { task_id: taskId } });
    expect(await settledTasks()).toHaveLength(1);
  });

  it('is refused to a LIN slave, which cannot begin by itself', async () => {
    expect(await refuse({ channel: 'slave', id: 1, data: '00', period_us: 1000 })).toMatchObject({
      status: 409,
      code: 'channel_cannot_send',
      details: { channel: 'slave', reason: 'not_master' },
    });
  });
});

describe('more tasks than there may be', () => {
  itLong('are refused at the published limit, until one is removed', async () => {
    const own = await setUpTransmitBench(0, 1);
    const { tx_tasks: limit } = (await own.status('capabilities')).limits;
    const request = { channel: '0', id: 1, period_us: 3_600_000_000, count: 1 };
    for (let count = 0; count < limit; count++) await own.create('tx-tasks', request);
    expect(refusedOverHttp(await own.post(`${api}/tx-tasks`, request))).toMatchObject({
      status: 409,
      code: 'capacity_exceeded',
      details: { limit, channel: '0' },
    });
    expect((await own.status('tx-tasks')).tx_tasks).toHaveLength(limit);
    await own.end('tx-tasks/task-7');
    expect(await own.create('tx-tasks', request)).toMatchObject({ task_id: `task-${limit + 1}` });
  });
});
