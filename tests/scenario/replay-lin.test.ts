import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { type Answered, reuseTransmitBench, type TransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();

const enhanced = 1 << 8;

const traceOf = (...lines: string[]): string =>
  [
    'date Thu Jan 1 12:00:00.000 am 2026',
    'base hex  timestamps absolute',
    'Begin TriggerBlock Thu Jan 1 12:00:00.000 am 2026',
    ...lines.map((line) => `   ${line}`),
    'End TriggerBlock',
    '',
  ].join('\n');

const setUpLin = async (): Promise<TransmitBench> => {
  const bench = await setUp();
  await bench.open('SIM00001/4', { name: 'master' });
  await bench.open('SIM00001/5', { name: 'slave' });
  return bench;
};

const play = async (bench: TransmitBench, request: object): Promise<Answered> => {
  await bench.create('replay', { file: 'lin.asc', ...request });
  return bench.until('replay', ({ state }) => state !== 'running');
};

const read = (bench: TransmitBench, id: number) =>
  bench.send({ channel: 'master', type: 'master-read', id });

const answer = async (bench: TransmitBench, id: number): Promise<string | null> =>
  (await read(bench, id)).json().response?.data ?? null;

const expectSilence = async (bench: TransmitBench, id: number): Promise<void> => {
  expect(refusedOverHttp(await read(bench, id))).toMatchObject({
    code: 'hardware_timeout',
    details: { reason: 'no_response' },
  });
};

/** The second of these is an hour later, so the replay runs until it is stopped. */
const waiting = traceOf(
  '0.100000 L1 21              Rx     2 01 02  checksum = 9B  CSM = enhanced',
  '0.150000 L1 21              Rx     2 03 04  checksum = 97  CSM = enhanced',
  '3600.000000 L1 22              Rx     1 FF  checksum = 00  CSM = classic',
);

describe('a replay on a LIN master', () => {
  it('sends every frame with its data behind its own header, and counts the rest', async () => {
    const bench = await setUpLin();
    bench.write(
      'lin.asc',
      traceOf(
        '0.100000 L1 21              Rx     2 01 02  checksum = 9B  CSM = enhanced',
        '0.130000 L1 3C              Tx     8 01 02 03 04 05 06 07 08  checksum = DB  CSM = classic',
        '0.160000 L1 22 TransmErr',
        '0.190000 L2 23              Rx     1 AA  checksum = 55  CSM = classic',
        '0.200000 1  123             Rx   d 1 01',
        '0.220000 L1 24              Tx     1 FF  checksum = 9A  CSM = enhanced',
      ),
    );
    const record = await play(bench, { channels: { 1: 'master' } });
    expect(record).toMatchObject({
      state: 'finished',
      frames_sent: 3,
      frames_skipped: 3,
      skipped: { no_response: 1, unmapped_channel: 1, not_on_bus: 1 },
    });
    const received = await bench.received('slave', 3);
    expect(received).toMatchObject([
      { bus: 'lin', id: 0x21, data: '0102', flags: enhanced, status: 0 },
      { bus: 'lin', id: 0x3c, data: '0102030405060708', flags: 0, status: 0 },
      { bus: 'lin', id: 0x24, data: 'FF', flags: enhanced, status: 0 },
    ]);
  });

  it('is told apart from CAN of the same number where both are sent', async () => {
    const bench = await setUpLin();
    await bench.open('SIM00001/0', { name: 'tester' });
    await bench.open('SIM00001/1', { name: 'monitor' });
    bench.write(
      'lin.asc',
      traceOf(
        '0.100000 1  123             Rx   d 2 11 22',
        '0.130000 Li 21              Rx     2 01 02  checksum = 9B  CSM = enhanced',
        '0.160000 1  124             Rx   d 1 33',
      ),
    );
    const info = await bench.json('trace', 'info', 'lin.asc');
    expect(info.channels).toMatchObject([
      { channel: 1, bus: 'can', events: 2 },
      { channel: 1, bus: 'lin', events: 1 },
    ]);
    const record = await play(bench, { channels: { 1: 'tester', L1: 'master' } });
    expect(record).toMatchObject({ state: 'finished', frames_sent: 3, frames_skipped: 0 });
    expect(await bench.received('monitor', 2)).toMatchObject([{ id: 0x123 }, { id: 0x124 }]);
    expect(await bench.received('slave', 1)).toMatchObject([{ id: 0x21, data: '0102' }]);
  });

  it('plays back what was logged on its own bench', async () => {
    const bench = await setUpLin();
    await bench.create('logging', { file: 'lin.asc', channels: ['slave'], overwrite: true });
    for (let id = 1; id <= 5; id++) {
      await bench.send({ channel: 'master', id, data: `0${id}`.repeat(id), checksum: 'enhanced' });
    }
    await bench.received('slave', 5);
    expect(await bench.end('logging')).toMatchObject({ frames: 5 });
    const before = await bench.newest();
    const { number } = await bench.show('slave');
    const record = await play(bench, { channels: { [`${number}`]: 'master' }, speed: 2 });
    expect(record).toMatchObject({ state: 'finished', frames_sent: 5, frames_skipped: 0 });
    const frames = (await bench.received('slave', 5, before)).map(({ id, data }) => [id, data]);
    expect(frames).toEqual([1, 2, 3, 4, 5].map((id) => [id, `0${id}`.repeat(id)]));
  });
});

describe('a replay on a LIN slave', () => {
  it('answers headers with the data from its time on, and no more once it has ended', async () => {
    const bench = await setUpLin();
    bench.write('lin.asc', waiting);
    await bench.create('replay', { file: 'lin.asc', channels: { 1: 'slave' } });
    await eventually(async () => (await answer(bench, 0x21)) === '0304');
    await expectSilence(bench, 0x22);
    expect(await bench.status('replay')).toMatchObject({ state: 'running', frames_sent: 2 });
    expect(await bench.end('replay')).toMatchObject({ state: 'finished', stopped: true });
    await expectSilence(bench, 0x21);
  });

  it('gives the response of a task back when it ends', async () => {
    const bench = await setUpLin();
    bench.write('lin.asc', waiting);
    const task = { channel: 'slave', kind: 'lin_response', id: 0x21, data: 'AA' };
    await bench.create('tx-tasks', task);
    expect(await answer(bench, 0x21)).toBe('AA');
    await bench.create('replay', { file: 'lin.asc', channels: { 1: 'slave' } });
    await bench.until('replay', ({ frames_sent }) => frames_sent === 2);
    await bench.end('replay');
    expect(await bench.status('tx-tasks')).toMatchObject({ tx_tasks: [{ state: 'running' }] });
    expect(await answer(bench, 0x21)).toBe('AA');
  });

  it('fails when the slave is closed, and clears its responses', async () => {
    const bench = await setUpLin();
    bench.write('lin.asc', waiting);
    await bench.create('replay', { file: 'lin.asc', channels: { 1: 'slave' } });
    await bench.until('replay', ({ frames_sent }) => frames_sent === 2);
    await bench.remove('slave');
    expect(await bench.status('replay')).toMatchObject({
      state: 'failed',
      error: { code: 'channel_not_open', details: { channel: 'SIM00001/5' } },
    });
    await bench.open('SIM00001/5', { name: 'slave' });
    await expectSilence(bench, 0x21);
  });
});
