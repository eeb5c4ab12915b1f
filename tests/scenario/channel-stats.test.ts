import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { borrowChannelBench, setUpChannelBench } from './support/channel-bench.ts';

const idle = {
  rx_frames: 0,
  tx_frames: 0,
  tx_failed: 0,
  tx_pending: 0,
  error_frames: 0,
  overruns: 0,
  times_lost: 0,
  rx_rate_fps: 0,
  tx_rate_fps: 0,
  bus_load_percent: 0,
  bus_state: 'error_active',
  tx_error_count: 0,
  rx_error_count: 0,
  clock_bracket_us: null,
};

const emptyBroker = {
  capacity: 8192,
  retained: 0,
  oldest_event_id: null,
  newest_event_id: null,
  overwritten: 0,
  ring_slots: 32_768,
  consumers: [],
};

describe('the statistics of a channel', () => {
  it('begin at nothing, on both faces', async () => {
    const bench = await borrowChannelBench();
    const { slot } = await bench.open('SIM00001/0');
    const expected = { slot, selector: 'SIM00001/0', ...idle, broker: emptyBroker };
    expect(await bench.stats(String(slot))).toEqual(expected);
    expect(await bench.json('channel', 'stats', 'sim-0000-0001/0')).toEqual(expected);
  });

  it('count what was sent and received, and what the broker keeps of it', async () => {
    const bench = await setUpChannelBench('--history-capacity=100');
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/1');
    await bench.send({ channel: '0', id: 1, data: '0011223344556677', count: 150 });
    await bench.send({ channel: '1', id: 2 });
    const areThere = ({ tx_frames, rx_frames }: { tx_frames: number; rx_frames: number }) =>
      tx_frames + rx_frames === 151;
    await eventually(
      async () => areThere(await bench.stats('0')) && areThere(await bench.stats('1')),
    );
    const [sender, peer] = [await bench.stats('0'), await bench.stats('1')];
    expect(sender).toMatchObject({ tx_frames: 150, rx_frames: 1, tx_pending: 0, error_frames: 0 });
    expect(peer).toMatchObject({ tx_frames: 1, rx_frames: 150, tx_pending: 0, error_frames: 0 });
    const kept = await bench.events('1');
    expect(kept).toHaveLength(100);
    expect(peer.broker).toEqual({
      ...emptyBroker,
      capacity: 100,
      retained: 100,
      oldest_event_id: kept[0]?.event_id,
      newest_event_id: kept.at(-1)?.event_id,
      overwritten: 51,
    });
  });

  it('tell rates and load while there is traffic, and none once it is over', async () => {
    const bench = await borrowChannelBench();
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/1');
    const frame = ['001#0011223344556677', '--count=2000000000', '--cycle-us=500'];
    const batch = runInBackground(bench, 'message', 'send', 'SIM00001/0', ...frame);
    await eventually(async () => {
      const [sender, peer] = [await bench.stats('SIM00001/0'), await bench.stats('SIM00001/1')];
      for (const { bus_load_percent: load } of [sender, peer]) {
        expect(load).toBeLessThanOrEqual(100);
      }
      const isLoaded = sender.bus_load_percent > 0 && peer.bus_load_percent > 1;
      return sender.tx_rate_fps > 100 && peer.rx_rate_fps > 100 && isLoaded;
    });
    batch.kill('SIGINT');
    await batch.ended;
    await eventually(async () => {
      const { tx_rate_fps, rx_rate_fps, bus_load_percent } = await bench.stats('SIM00001/0');
      return tx_rate_fps === 0 && rx_rate_fps === 0 && bus_load_percent === 0;
    });
  });

  it('name every consumer of the channel with its cursor and lag', async () => {
    const bench = await borrowChannelBench();
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/1');
    const { port } = bench;
    const consumers = async (selector = 'SIM00001/1') =>
      (await bench.stats(selector)).broker.consumers;
    const query = '?channel=SIM00001%2F1';
    const sse = await SseClient.open({ port, path: `/api/v1/messages/stream${query}` });
    const socket = await FrameClient.open({ port, path: `/api/v1/messages/ws${query}` });
    const recv = runInBackground(bench, 'message', 'recv', '--channel=SIM00001/1');
    const kinds = async () => (await consumers()).map(({ kind }: { kind: string }) => kind).sort();
    await eventually(async () => (await kinds()).length === 3);
    expect(await kinds()).toEqual(['recv', 'sse', 'websocket']);
    expect(await consumers('SIM00001/0')).toEqual([]);

    await bench.send({ channel: 'SIM00001/0', id: 1, count: 5 });
    await sse.take(5);
    await socket.take(5);
    await eventually(async () => (await bench.stats('SIM00001/1')).rx_frames === 5);
    const { newest_event_id: cursor } = (await bench.stats('SIM00001/1')).broker;
    await eventually(async () =>
      (await consumers()).every((one: { lag: number; cursor: number }) => one.lag === 0),
    );
    for (const consumer of await consumers())
      expect(consumer.cursor).toBeGreaterThanOrEqual(cursor);

    sse.close();
    socket.close();
    recv.kill('SIGINT');
    await eventually(async () => (await consumers()).length === 0);
  });

  it('start anew with a channel that is opened anew', async () => {
    const bench = await borrowChannelBench();
    const { slot } = await bench.open('SIM00001/0', { mode: 'loopback' });
    await bench.send({ channel: 'SIM00001/0', id: 1, count: 3 });
    await eventually(async () => (await bench.stats('SIM00001/0')).tx_frames === 3);
    await bench.remove('SIM00001/0');
    await bench.open('SIM00001/0');
    expect(await bench.stats('SIM00001/0')).toMatchObject({ slot: slot + 1, ...idle });
  });
});
