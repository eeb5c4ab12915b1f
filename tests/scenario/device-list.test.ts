import { describe, expect, it } from 'vitest';
import { api, borrowChannelBench, setUpChannelBench } from './support/channel-bench.ts';

interface Port {
  readonly port: number;
  readonly selector: string;
  readonly buses: string[];
  readonly channel: number | null;
}

interface Device {
  readonly sn: string;
  readonly ports: Port[];
}

const canPort = (port: number, channel: number | null) => ({
  port,
  name: `CAN FD ${port}`,
  selector: `SIM00001/${port}`,
  buses: ['can', 'canfd'],
  channel,
  capabilities: {
    modes: ['normal', 'listen_only', 'loopback'],
    settings: ['timing', 'mode', 'termination', 'bitrate', 'restart_ms'],
    bitrate: { min: 10_000, max: 1_000_000 },
    data_bitrate: { min: 100_000, max: 8_000_000 },
    clock_hz: 80_000_000,
    lin_roles: [],
    lin_versions: [],
    tx_queue: expect.any(Number),
  },
});

const linPort = (port: number, channel: number | null) => ({
  port,
  name: `LIN ${port}`,
  selector: `SIM00001/${port}`,
  buses: ['lin'],
  channel,
  capabilities: {
    modes: ['normal', 'listen_only'],
    settings: ['lin', 'mode', 'pull_up', 'bitrate', 'power'],
    bitrate: { min: 1000, max: 20_000 },
    data_bitrate: null,
    clock_hz: null,
    lin_roles: ['master', 'slave'],
    lin_versions: ['1.3', '2.0', '2.1', '2.2'],
    tx_queue: expect.any(Number),
  },
});

const virtualDevice = (slots: readonly (number | null)[]) => ({
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  name: 'Virtual bench',
  driver: 'virtual',
  firmware_version: expect.any(String),
  state: 'present',
  needs: null,
  ports: slots.map((slot, port) => (port < 4 ? canPort(port, slot) : linPort(port, slot))),
});

describe('the list of devices', () => {
  it('shows the virtual device once, however many channels are open, with their slots', async () => {
    const bench = await setUpChannelBench();
    const listed = async () => (await bench.get(`${api}/devices`)).json();
    const none = [null, null, null, null, null, null];
    expect(await listed()).toEqual({ devices: [virtualDevice(none)] });

    await bench.open('sim-0000-0001/3', { name: 'engine' });
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/5');
    const some = [1, null, null, 0, null, 2];
    expect(await listed()).toEqual({ devices: [virtualDevice(some)] });
    expect(await bench.json('device', 'list')).toEqual(await listed());

    for (const port of [1, 2, 4]) await bench.open(`SIM00001/${port}`);
    const { devices } = await bench.json<{ devices: Device[] }>('device', 'list');
    expect(devices.map(({ sn }) => sn)).toEqual(['SIM00001']);
    expect(devices[0]?.ports.map(({ channel }) => channel)).toEqual([1, 3, 4, 0, 5, 2]);

    await bench.remove('engine');
    expect((await listed()).devices[0].ports[3].channel).toBeNull();
  });

  it('names every port by a selector that opens it as the best that it can do', async () => {
    const bench = await borrowChannelBench();
    const { devices } = await bench.json<{ devices: Device[] }>('device', 'list');
    for (const { selector, buses } of devices[0]?.ports ?? []) {
      const { bus } = await bench.open(selector);
      expect([selector, bus]).toEqual([selector, buses.at(-1)]);
    }
    expect((await bench.json<{ channels: [] }>('channel', 'list')).channels).toHaveLength(6);
  });

  it('is a table for people', async () => {
    const bench = await borrowChannelBench();
    const { stdout } = await bench.run(['device', 'list']);
    expect(stdout.split('\n')[1]).toMatch(/^SIM00001 +sim-0000-0001 +Virtual bench +virtual +/);
  });
});
