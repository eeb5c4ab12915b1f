import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { reuseTransmitBench, type TransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

const setUpLin = async (): Promise<TransmitBench> => {
  const bench = await setUp();
  await bench.open('SIM00001/4', { name: 'master' });
  await bench.open('SIM00001/5', { name: 'slave' });
  return bench;
};

const read = (bench: TransmitBench, id: number, more: object = {}) =>
  bench.send({ channel: 'master', type: 'master-read', id, ...more });

const response = { channel: 'slave', kind: 'lin_response' };

const expectSilence = async (bench: TransmitBench, id: number): Promise<void> => {
  expect(refusedOverHttp(await read(bench, id))).toMatchObject({
    status: 504,
    code: 'hardware_timeout',
    details: { reason: 'no_response' },
  });
};

describe('a LIN response', () => {
  it('is given to every header with its identifier, and to no other', async () => {
    const bench = await setUpLin();
    const made = await bench.create('tx-tasks', { ...response, id: 0x21, data: '01 02' });
    expect(made).toMatchObject({
      task_id: expect.stringMatching(/^task-\d+$/),
      kind: 'lin_response',
      type: null,
      id: 0x21,
      dlc: 2,
      data: '0102',
      checksum: 'enhanced',
      period_us: null,
      count: 0,
      state: 'running',
      offloaded: true,
      sent: 0,
      lateness_us: null,
    });
    for (let time = 0; time < 3; time++) {
      expect((await read(bench, 0x21)).json()).toMatchObject({
        accepted: 1,
        response: { id: 0x21, dlc: 2, data: '0102', checksum_model: 'enhanced' },
      });
    }
    await expectSilence(bench, 0x22);
    expect((await bench.status('tx-tasks')).tx_tasks).toEqual([{ ...made, sent: 3 }]);
  });

  it('is over when its task is removed', async () => {
    const bench = await setUpLin();
    const { task_id } = await bench.create('tx-tasks', { ...response, id: 0x21, data: '01' });
    await bench.create('tx-tasks', { ...response, id: 0x22, data: '02' });
    expect(await bench.end(`tx-tasks/${task_id}`)).toMatchObject({ task_id, id: 0x21 });
    await expectSilence(bench, 0x21);
    expect((await read(bench, 0x22)).json().response).toMatchObject({ data: '02' });
    await bench.create('tx-tasks', { ...response, id: 0x21, data: '0304' });
    expect((await read(bench, 0x21)).json().response).toMatchObject({ data: '0304' });
  });

  it('is over when its channel is closed', async () => {
    const bench = await setUpLin();
    await bench.create('tx-tasks', { ...response, id: 0x21, data: '01' });
    await bench.remove('slave');
    expect(await bench.status('tx-tasks')).toEqual({ tx_tasks: [] });
    await bench.open('SIM00001/5', { name: 'slave' });
    await expectSilence(bench, 0x21);
  });

  it('is given by a command line task as well, also in short notation', async () => {
    const bench = await setUpLin();
    const kind = '--kind=lin_response';
    await bench.json('tx-task', 'add', 'slave', '21#0102030405060708', kind);
    await bench.json(
      'tx-task',
      'add',
      'slave',
      kind,
      '--id=0x05',
      '--data=AA',
      '--checksum=classic',
    );
    const args = ['message', 'send', 'master', '--type=master-read'];
    expect(await bench.json(...args, '--id=0x21')).toMatchObject({
      response: { data: '0102030405060708', dlc: 8, checksum_model: 'enhanced' },
    });
    // The master expects the enhanced checksum, and uses the classic one only on request.
    const { response: received } = await bench.json<{ response: object }>(
      ...args,
      '--id=5',
      '--checksum=classic',
    );
    expect(received).toMatchObject({ data: 'AA', checksum_model: 'classic', checksum: 0x55 });
  });

  it('is given once for an identifier: a second task is refused and the first stays', async () => {
    const bench = await setUpLin();
    const { task_id } = await bench.create('tx-tasks', { ...response, id: 0x21, data: '01' });
    const refused = refusedOverHttp(
      await bench.post(`${api}/tx-tasks`, {
        ...response,
        channel: 'SIM00001/5',
        id: 0x21,
        data: '02',
      }),
    );
    expect(refused).toMatchObject({
      status: 409,
      code: 'already_exists',
      details: { field: 'id', task_id, channel: 'SIM00001/5' },
    });
    const cli = await bench.failure('tx-task', 'add', 'slave', '21#02', '--kind=lin_response');
    expect(refusedByCli(cli)).toMatchObject({
      exit: 1,
      code: 'already_exists',
      details: { channel: 'slave' },
    });
    expect((await read(bench, 0x21)).json().response).toMatchObject({ data: '01' });
    expect((await bench.status('tx-tasks')).tx_tasks).toHaveLength(1);
  });

  it.each([
    [{ id: 0x40, data: '00' }, 'id'],
    [{ data: '00' }, 'id'],
    [{ id: 1 }, 'data'],
    [{ id: 1, data: '00'.repeat(9) }, 'data'],
    [{ id: 1, data: '00', dlc: 3 }, 'dlc'],
    [{ id: 1, data: '00', period_us: 1000 }, 'period_us'],
    [{ id: 1, data: '00', count: 3 }, 'count'],
    [{ id: 1, data: '00', pattern: 'increment_data' }, 'pattern'],
    [{ id: 1, data: '00', type: 'remote' }, 'type'],
    [{ id: 1, data: '00', type: 'master-write' }, 'type'],
    [{ id: 1, data: '00', offload: false }, 'offload'],
    [{ id: 1, data: '00', extended: true }, 'extended'],
    [{ id: 1, data: '00', fd: true }, 'fd'],
    [{ id: 0x3d, data: '00', checksum: 'enhanced' }, 'checksum'],
  ])('is refused with the field at fault: %j', async (change, field) => {
    const bench = await setUpLin();
    const answer = await bench.post(`${api}/tx-tasks`, { ...response, ...change });
    expect(refusedOverHttp(answer)).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field, channel: 'slave' },
    });
    expect(await bench.status('tx-tasks')).toEqual({ tx_tasks: [] });
    await expectSilence(bench, 1);
  });
});

describe('a cyclic task of a LIN master', () => {
  it('sends to the slaves, counts data and identifiers, and leaves diagnostic ones alone', async () => {
    const bench = await setUpLin();
    const base = { channel: 'master', period_us: 20_000 };
    const task = { ...base, id: 0x3a, data: 'FE', pattern: 'increment_id', count: 4 };
    expect(await bench.create('tx-tasks', task)).toMatchObject({
      type: 'master-write',
      offloaded: false,
      checksum: 'enhanced',
    });
    const ids = (await bench.received('slave', 4)).map(({ id }) => id);
    expect(ids).toEqual([0x3a, 0x3b, 0, 1]);
    const before = await bench.newest();
    await bench.create('tx-tasks', {
      ...base,
      id: 7,
      data: 'FE',
      pattern: 'increment_data',
      count: 3,
    });
    const data = (await bench.received('slave', 3, before)).map((event) => event.data);
    expect(data).toEqual(['FE', 'FF', '00']);
    const refused = await bench.post(`${api}/tx-tasks`, {
      ...task,
      id: 0x3c,
      data: '00'.repeat(8),
    });
    expect(refusedOverHttp(refused)).toMatchObject({ details: { field: 'pattern' } });
    await eventually(async () =>
      (await bench.status('tx-tasks')).tx_tasks.every(
        ({ state }: { state: string }) => state === 'finished',
      ),
    );
  });
});
