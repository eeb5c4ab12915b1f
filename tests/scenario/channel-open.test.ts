import { describe, expect, it } from 'vitest';
import {
  api,
  borrowChannelBench,
  type ChannelView,
  setUpChannelBench,
} from './support/channel-bench.ts';

const canTiming = { prescaler: 2, tseg1: 31, tseg2: 8, sjw: 4 };
const dataTiming = { prescaler: 1, tseg1: 14, tseg2: 5, sjw: 5 };

/** Default settings of opened ports. */
const canDefaults = {
  restart_ms: 0,
  bus: 'canfd',
  mode: 'normal',
  bitrate: 500_000,
  data_bitrate: 2_000_000,
  termination: true,
  pull_up: null,
  power: null,
  lin: null,
};

const linDefaults = {
  restart_ms: null,
  bus: 'lin',
  mode: 'normal',
  bitrate: 19_200,
  data_bitrate: null,
  timing: null,
  termination: null,
  power: true,
};

const identity = (slot: number, port: number, name: string | null = null) => ({
  slot,
  selector: `SIM00001/${port}`,
  uid_selector: `sim-0000-0001/${port}`,
  name,
  state: 'open',
  driver: 'virtual',
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  port,
  number: port + 1,
  opened_at_us: expect.any(Number),
  databases: [],
  warnings: [],
  clock_bracket_us: null,
});

describe('a channel that is opened over HTTP', () => {
  it('is created with the defaults of its port, and listed and shown as it was answered', async () => {
    const bench = await borrowChannelBench();
    const can = await bench.post(`${api}/channels`, { channel: 'SIM00001/0' });
    expect(can.status).toBe(201);
    const { slot: first } = can.json();
    expect(can.json()).toEqual({
      ...identity(first, 0),
      ...canDefaults,
      timing: { nominal: expect.any(Object), data: expect.any(Object) },
    });
    const master = await bench.open('SIM00001/4');
    expect(master).toEqual({
      ...identity(first + 1, 4),
      ...linDefaults,
      pull_up: true,
      lin: { role: 'master', version: '2.2', checksum: 'enhanced' },
    });
    const slave = await bench.open('SIM00001/5');
    expect(slave).toEqual({
      ...identity(first + 2, 5),
      ...linDefaults,
      pull_up: false,
      lin: { role: 'slave', version: '2.2', checksum: 'enhanced' },
    });
    const channels = [can.json(), master, slave];
    expect((await bench.get(`${api}/channels`)).json()).toEqual({ channels });
    expect(await bench.json('channel', 'list')).toEqual({ channels });
    expect(await bench.show(String(first))).toEqual(can.json());
  });

  it('is opened with every setting that was asked for', async () => {
    const bench = await borrowChannelBench();
    const timing = { nominal: canTiming, data: dataTiming };
    const engine = await bench.open('SIM00001/0', {
      name: 'engine',
      bus: 'canfd',
      mode: 'listen_only',
      timing,
      termination: false,
    });
    expect(engine).toEqual({
      ...identity(engine.slot, 0, 'engine'),
      ...canDefaults,
      mode: 'listen_only',
      bitrate: 1_000_000,
      data_bitrate: 4_000_000,
      timing,
      termination: false,
    });
    expect(await bench.open('SIM00001/1', { bus: 'can', bitrate: 125_000 })).toMatchObject({
      bus: 'can',
      bitrate: 125_000,
      data_bitrate: null,
      timing: { nominal: expect.any(Object) },
    });
    expect(
      await bench.open('SIM00001/2', { mode: 'loopback', bitrate: 250_000, data_bitrate: 5e6 }),
    ).toMatchObject({ mode: 'loopback', bitrate: 250_000, data_bitrate: 5_000_000 });
    expect(
      await bench.open('SIM00001/5', {
        bus: 'lin',
        bitrate: 9600,
        pull_up: true,
        power: false,
        lin: { role: 'master', version: '1.3' },
      }),
    ).toEqual({
      ...identity(engine.slot + 3, 5),
      ...linDefaults,
      bitrate: 9600,
      pull_up: true,
      power: false,
      lin: { role: 'master', version: '1.3', checksum: 'classic' },
    });
  });
});

describe('a channel that is opened on the command line', () => {
  it('takes the same settings as options', async () => {
    const bench = await borrowChannelBench();
    const opened = await bench.json<ChannelView>(
      'channel',
      'open',
      'sim-0000-0001/0',
      '--name=engine',
      '--bus=canfd',
      '--mode=listen_only',
      '--timing=nominal.prescaler=2,nominal.tseg1=31,nominal.tseg2=8,nominal.sjw=4',
      '--termination=false',
    );
    expect(opened).toMatchObject({
      ...identity(opened.slot, 0, 'engine'),
      mode: 'listen_only',
      bitrate: 1_000_000,
      data_bitrate: 2_000_000,
      timing: { nominal: canTiming },
      termination: false,
    });
    const json = JSON.stringify({ nominal: canTiming, data: dataTiming });
    expect(await bench.json('channel', 'open', 'SIM00001/1', `--timing=${json}`)).toMatchObject({
      timing: { nominal: canTiming, data: dataTiming },
    });
    const lin = ['--lin=role=slave,version=2.0,checksum=classic', '--pull-up', '--power=false'];
    expect(
      await bench.json('channel', 'open', 'SIM00001/4', '--bitrate=10400', ...lin),
    ).toMatchObject({
      bitrate: 10_400,
      pull_up: true,
      power: false,
      lin: { role: 'slave', version: '2.0', checksum: 'classic' },
    });
    expect(await bench.json('channel', 'show', String(opened.slot + 2))).toEqual(
      await bench.show('SIM00001/4'),
    );
  });

  it('needs a daemon, and starts none', async () => {
    const bench = await setUpChannelBench();
    await bench.json('daemon', 'stop');
    expect(await bench.failure('channel', 'open', 'SIM00001/0')).toMatchObject({
      exit: 3,
      code: 'daemon_unreachable',
    });
    expect(bench.daemonPid).toBeNull();
  });
});
