import { describe, expect, it } from 'vitest';
import { sampleBench, writeBench } from './support/bench-files.ts';
import { CannelloniPeer } from './support/cannelloni-peer.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import {
  setUpTransmitBench,
  shareTransmitBench,
  type TransmitBench,
} from './support/transmit-bench.ts';

const prepare = async (bench: TransmitBench): Promise<void> => {
  writeBench(bench.project, sampleBench);
  for (const word of ['powertrain', 'chassis', 'engine']) await bench.open(word);
  bench.write('a.log', '(100.000000) can0 123#01\n');
};

const selected = {
  channel: 'powertrain',
  selector_kind: 'network',
  resolved: 'SIM00001/0',
  selector: 'SIM00001/0',
  slot: 0,
};

describe('a logical network', () => {
  it('stands for its channel in all that sends by itself', async () => {
    const bench = await setUpTransmitBench();
    await prepare(bench);
    const peer = await CannelloniPeer.open();
    const task = { channel: 'powertrain', id: 1, period_us: 1_000_000 };
    expect(await bench.create('tx-tasks', task)).toMatchObject(selected);
    const route = { source: { channel: 'powertrain', id: 1 }, target: { channel: 'engine' } };
    expect(await bench.create('routes', route)).toMatchObject({
      source: selected,
      target: { channel: 'engine', selector_kind: 'name', resolved: null, slot: 2 },
    });
    const logged = await bench.create('logging', { file: 'a.asc', channels: ['powertrain'] });
    expect(logged.channels).toEqual([{ channel: 1, slot: 0, selector: 'SIM00001/0', name: null }]);
    const replay = { file: 'a.log', channels: { can0: 'powertrain' } };
    expect(await bench.create('replay', replay)).toMatchObject({ channels: replay.channels });
    const request = { listen: '127.0.0.1:0', peer: [peer.address], channels: ['powertrain'] };
    expect(await bench.create('remote-api', request)).toMatchObject({
      channels: [{ selector: 'SIM00001/0', slot: 0 }],
    });
    expect((await bench.consumerKinds('0')).sort()).toEqual(['forward', 'logging']);
  });
});

describe('a logical network that is bound to nothing', () => {
  const bench = shareTransmitBench(prepare);

  it.each([
    ['tx-tasks', (channel: string) => ({ channel, id: 1, period_us: 1000 })],
    [
      'routes',
      (channel: string) => ({ source: { channel, id: 1 }, target: { channel: 'engine' } }),
    ],
    [
      'routes',
      (channel: string) => ({ source: { channel: 'engine', id: 1 }, target: { channel } }),
    ],
    ['logging', (channel: string) => ({ file: 'b.asc', channels: [channel] })],
    ['replay', (channel: string) => ({ file: 'a.log', channels: { 1: channel } })],
    ['remote-api', (channel: string) => ({ peer: ['127.0.0.1:20001'], channels: [channel] })],
  ])('is refused by %s', async (resource, request) => {
    for (const channel of ['spare', 'ghost', 'plc']) {
      const refused = refusedOverHttp(await bench.post(`${api}/${resource}`, request(channel)));
      expect(refused).toMatchObject({ details: { channel } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.code).toMatch(/^(network_unbound|channel_not_open|invalid_argument)$/);
    }
    expect(bench.has('b.asc')).toBe(false);
  });
});
