import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { api, channelPath, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { accepted, reuseTransmitBench, type TransmitBench } from './support/transmit-bench.ts';

const setUp = reuseTransmitBench();
const tester = 'SIM00001/0';
const neighbour = 'SIM00001/1';
const recoverPath = channelPath(tester, '/recover');

const stateOf = async (bench: TransmitBench): Promise<string> => (await bench.show(tester)).state;

/** The cyclic task of the bench. */
const onlyTask = async (bench: TransmitBench): Promise<{ sent: number; state: string }> =>
  (await bench.status('tx-tasks')).tx_tasks[0];

const hasSent = (bench: TransmitBench, frames: number): Promise<void> =>
  eventually(async () => (await onlyTask(bench)).sent >= frames);

/**
 * A channel with a cyclic task, driven to bus off by a neighbour with a wrong bit rate that is
 * then corrected.
 */
const setUpBusOff = async (settings: object = {}) => {
  const bench = await setUp();
  await bench.open(tester, settings);
  await bench.open(neighbour);
  await bench.create('tx-tasks', {
    channel: tester,
    kind: 'cyclic',
    id: 0x100,
    data: '01',
    period_us: 10_000,
  });
  await hasSent(bench, 3);
  const [first] = await bench.events(tester);
  await bench.change(neighbour, { bitrate: 250_000 });
  await eventually(async () => (await stateOf(bench)) === 'bus_off');
  await bench.change(neighbour, { bitrate: 500_000 });
  /** The channel keeps its identity and events, and its task continues to send. */
  const expectGoesOn = async (): Promise<void> => {
    expect((await bench.events(tester))[0]).toEqual(first);
    const { sent } = await onlyTask(bench);
    await hasSent(bench, sent + 3);
    expect(await onlyTask(bench)).toMatchObject({ state: 'running' });
  };
  return { bench, expectGoesOn };
};

describe('a channel that is bus off', () => {
  it('is recovered over HTTP, with its history and its tasks', async () => {
    const { bench, expectGoesOn } = await setUpBusOff();
    const before = await bench.show(tester);
    const answer = await ask({ port: bench.port, method: 'POST', path: recoverPath });
    expect(accepted(answer, 200)).toEqual({ ...before, state: 'open' });
    await expectGoesOn();
    expect(accepted(await bench.post(recoverPath, {}), 200)).toEqual({ ...before, state: 'open' });
  });

  it('is recovered on the command line', async () => {
    const { bench, expectGoesOn } = await setUpBusOff();
    expect(await bench.json('channel', 'recover', tester)).toMatchObject({ state: 'open' });
    await expectGoesOn();
  });

  it('is back on the bus once its settings are applied again', async () => {
    const { bench, expectGoesOn } = await setUpBusOff();
    const { bitrate } = await bench.show(tester);
    expect(await bench.change(tester, { bitrate })).toMatchObject({ state: 'open', bitrate });
    await expectGoesOn();
  });

  it('comes back on its own after restart_ms', async () => {
    const { bench, expectGoesOn } = await setUpBusOff();
    expect(await bench.change(tester, { restart_ms: 20 })).toMatchObject({
      state: 'bus_off',
      restart_ms: 20,
    });
    await eventually(async () => (await stateOf(bench)) === 'open');
    await expectGoesOn();
  });
});

describe('restart_ms', () => {
  it('is set when a channel is opened, and changed on its own', async () => {
    const bench = await setUp();
    const opened = await bench.json('channel', 'open', tester, '--restart-ms=100');
    expect(opened).toMatchObject({ restart_ms: 100 });
    const args = ['channel', 'configure', tester, '--restart-ms=0'];
    expect(await bench.json(...args)).toEqual({ ...opened, restart_ms: 0 });
    await bench.remove(tester);
    expect(await bench.open(tester, { restart_ms: 5 })).toMatchObject({ restart_ms: 5 });
  });

  it('is refused on LIN with its name, on both faces', async () => {
    const bench = await setUp();
    const details = { field: 'restart_ms', setting: 'restart_ms' };
    const body = { channel: 'SIM00001/4', restart_ms: 100 };
    const refused = { code: 'unsupported_by_hardware', details };
    const overHttp = refusedOverHttp(await bench.post(`${api}/channels`, body));
    expect(overHttp).toMatchObject({ ...refused, status: 422 });
    const args = ['channel', 'open', 'SIM00001/4', '--restart-ms=100'];
    expect(refusedByCli(await bench.failure(...args))).toMatchObject(refused);
    expect((await bench.status('channels')).channels).toEqual([]);
  });
});
