import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { api, type ChannelBench, type Refused, refusedOverHttp } from './support/channel-bench.ts';
import { reuseTransmitBench, setUpTransmitBench } from './support/transmit-bench.ts';

/** Longer than any test, so that only a stop ends the batch. */
const endless = { id: 0x100, count: 12_000, cycle_us: 5000 };
const endlessArgs = ['100#', '--count=2000000000', '--cycle-us=5000', '--format=json'];

const reuse = reuseTransmitBench();

const setUpPair = async (setUp = reuse): Promise<ChannelBench> => {
  const bench = await setUp();
  await bench.open('SIM00001/0', { name: 'sender' });
  await bench.open('SIM00001/1', { name: 'peer' });
  return bench;
};

const sent = async (bench: ChannelBench): Promise<number> =>
  (await bench.stats('sender')).tx_frames;

/** Waits until the running batch has sent more frames than now. */
const untilMoreIsSent = async (bench: ChannelBench): Promise<void> => {
  const before = await sent(bench);
  await eventually(async () => (await sent(bench)) > before + 2);
};

/** Waits until only our own frames have been sent for several batch cycles. */
const untilNothingIsSent = (bench: ChannelBench): Promise<void> =>
  eventually(async () => {
    const before = await sent(bench);
    await bench.send({ channel: 'sender', id: 0x7ff, count: 50, cycle_us: 1000 });
    await eventually(async () => (await bench.stats('sender')).tx_pending === 0);
    return (await sent(bench)) === before + 50;
  });

const expectCancelled = ({ details, ...refused }: Refused, reason: string): number => {
  expect(refused).toMatchObject({ code: 'operation_cancelled' });
  const accepted = Number(details.accepted);
  expect(details).toEqual({
    cancelled: true,
    reason,
    accepted,
    failed_index: accepted,
    channel: 'sender',
    selector_kind: 'name',
  });
  expect(accepted).toBeGreaterThan(2);
  return accepted;
};

describe('a batch', () => {
  it('counts what the port has accepted, and all of it reaches the peer in order', async () => {
    const bench = await setUpPair();
    const { slot } = await bench.show('sender');
    const fast = await bench.send({ channel: 'sender', id: 1, data: '01', count: 3000 });
    expect(fast.json()).toMatchObject({ accepted: 3000, slot });
    const timed = await bench.send({ channel: `${slot}`, id: 2, count: 20, cycle_us: 500 });
    expect(timed.json()).toMatchObject({ accepted: 20 });
    expect(await bench.json('message', 'send', 'sender', '003#', '--count=30')).toMatchObject({
      accepted: 30,
    });
    await eventually(async () => (await bench.stats('peer')).rx_frames === 3050);
    const ids = (await bench.events('peer')).map(({ id }) => id);
    expect(ids).toEqual([...Array(3000).fill(1), ...Array(20).fill(2), ...Array(30).fill(3)]);
  });

  it('lets other commands, other sends and other batches through', async () => {
    const bench = await setUpPair();
    const batch = runInBackground(bench, 'message', 'send', 'sender', ...endlessArgs);
    await untilMoreIsSent(bench);
    expect(await bench.json('health')).toMatchObject({ status: 'ok' });
    const { slot } = await bench.show('peer');
    expect(await bench.open('SIM00001/2')).toMatchObject({ slot: slot + 1 });
    expect(await bench.json('message', 'send', 'sender', '200#01')).toMatchObject({ accepted: 1 });
    const other = await bench.send({ channel: 'sender', id: 0x201, count: 10, cycle_us: 1000 });
    expect(other.json()).toMatchObject({ accepted: 10 });
    const back = await bench.send({ channel: 'peer', id: 0x202 });
    expect(back.json()).toMatchObject({ accepted: 1, slot });
    await untilMoreIsSent(bench);
    expect(batch.isRunning).toBe(true);
    const expected = [0x200, ...Array(10).fill(0x201), 0x202];
    const own = async () =>
      (await bench.events('peer')).map(({ id }) => id).filter((id) => id !== 0x100);
    // After a pause of the machine the batch must catch up, and has the lower identifier.
    await eventually(async () => (await own()).length >= expected.length);
    expect(await own()).toEqual(expected);
  });

  it('is cancelled when its channel is closed, and says how far it came', async () => {
    const bench = await setUpPair();
    const cli = runInBackground(bench, 'message', 'send', 'sender', ...endlessArgs);
    await untilMoreIsSent(bench);
    const web = bench.send({ channel: 'sender', ...endless, id: 0x101 });
    const received = async (id: number) =>
      (await bench.events('peer')).filter((event) => event.id === id).length;
    // The history only contains the latest events, and a busy machine has more.
    const receivedAtAll = async (): Promise<number> => (await bench.stats('peer')).rx_frames;
    await eventually(async () => (await received(0x101)) > 3);
    const before = await receivedAtAll();
    await bench.remove('sender');
    const refused = refusedOverHttp(await web);
    expect(refused.status).toBe(409);
    const accepted = expectCancelled(refused, 'closed');
    expect(await cli.ended).toEqual({ code: 1, signal: null });
    expect(cli.stdout).toBe('');
    const more = expectCancelled(JSON.parse(cli.stderr).error, 'closed');
    // Frames in flight are lost with the port, several after a pause of the machine.
    expect(await receivedAtAll()).toBeGreaterThanOrEqual(before);
    expect(await receivedAtAll()).toBeLessThanOrEqual(more + accepted);
    expect(await received(0x100)).toBeLessThanOrEqual(more);
    expect(await received(0x101)).toBeLessThanOrEqual(accepted);
  });

  it('is cancelled by a change of settings, which leaves no accepted frame without outcome', async () => {
    const bench = await setUpPair();
    const web = bench.send({ channel: 'sender', ...endless });
    await untilMoreIsSent(bench);
    await bench.change('sender', { mode: 'listen_only' });
    const accepted = expectCancelled(refusedOverHttp(await web), 'configured');
    await eventually(async () => (await bench.stats('sender')).tx_pending === 0);
    const { tx_frames, tx_failed, tx_pending } = await bench.stats('sender');
    expect({ outcomes: tx_frames + tx_failed, tx_pending }).toEqual({
      outcomes: accepted,
      tx_pending: 0,
    });
  });

  it('goes on when a change sets what is set already', async () => {
    const bench = await setUpPair();
    const batch = runInBackground(bench, 'message', 'send', 'sender', ...endlessArgs);
    await untilMoreIsSent(bench);
    const { bitrate, data_bitrate, timing } = await bench.show('sender');
    for (const change of [
      { mode: 'normal' },
      { termination: true },
      { bitrate },
      { bitrate, data_bitrate },
      { timing },
    ]) {
      await bench.change('sender', change);
    }
    // A rejected change has no effect either.
    expect((await bench.patch('sender', { power: true })).status).toBe(422);
    expect((await bench.patch('sender', { bitrate: 1 })).status).toBe(422);
    await untilMoreIsSent(bench);
    expect(batch.isRunning).toBe(true);
    await bench.change('peer', { termination: false });
    await untilMoreIsSent(bench);
    expect(batch.isRunning).toBe(true);
  });

  it('ends with the daemon, and says so', async () => {
    const bench = await setUpPair(setUpTransmitBench);
    const batch = runInBackground(bench, 'message', 'send', 'sender', ...endlessArgs);
    await untilMoreIsSent(bench);
    await bench.json('daemon', 'stop');
    expect(await batch.ended).toEqual({ code: 1, signal: null });
    expectCancelled(JSON.parse(batch.stderr).error, 'daemon_stopped');
  });
});

describe('a batch whose caller goes away', () => {
  it('is given up when the command is interrupted, terminated or killed', async () => {
    const bench = await setUpPair();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const batch = runInBackground(bench, 'message', 'send', 'sender', ...endlessArgs);
      await untilMoreIsSent(bench);
      batch.kill(signal);
      const { code } = await batch.ended;
      if (signal !== 'SIGKILL') expect(code).toBe(1);
      await untilNothingIsSent(bench);
    }
  });

  it('is given up when the connection of the request breaks', async () => {
    const bench = await setUpPair();
    const body = JSON.stringify({ channel: 'sender', ...endless });
    const call = request({
      host: '127.0.0.1',
      port: bench.port,
      method: 'POST',
      path: `${api}/messages`,
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    call.on('error', () => undefined);
    call.end(body);
    await untilMoreIsSent(bench);
    call.destroy();
    await untilNothingIsSent(bench);
  });

  it('is given up when the Web service stops, and told so', async () => {
    const bench = await setUpPair();
    const web = bench.send({ channel: 'sender', ...endless });
    await untilMoreIsSent(bench);
    await bench.json('web', 'stop');
    const answer = await web;
    expect(answer.status).toBe(409);
    expectCancelled(answer.json().error, 'web_stopped');
    await bench.start();
    await untilNothingIsSent(bench);
  });
});
