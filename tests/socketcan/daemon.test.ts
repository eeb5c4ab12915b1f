import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relayProject } from '../../src/gateway/engine/testing/relay-project.ts';
import { writeBench } from '../scenario/support/bench-files.ts';
import { refusedOverHttp } from '../scenario/support/channel-bench.ts';
import { GatewayBench } from '../scenario/support/gateway-bench.ts';
import { eventually, isAlive } from '../support/workbench.ts';
import { dumpOf, program } from './support/can-programs.ts';
import { ip } from './support/socketcan-rig.ts';

/** The daemon on vcan0 and vcan1, with other programs as its peers on both. */
describe('the daemon on interfaces of the kernel', () => {
  const bench = new GatewayBench();

  beforeAll(async () => {
    writeBench(bench.project, {
      devices: [{ driver: 'socketcan', address: 'vcan0', ports: { 0: 'powertrain' } }],
      networks: { in: 'vcan0/0', out: 'vcan1/0' },
    });
    await bench.start();
  });
  afterAll(() => bench.dispose());

  const idsOn = async (selector: string, after: number): Promise<number[]> =>
    (await bench.receivedSoFar(selector, after)).map(({ id }) => Number(id));

  it('lists them beside the virtual bench, and opens them by network and serial number', async () => {
    const { devices } = await bench.status('devices');
    const serials = devices.map(({ sn }: { sn: string }) => sn);
    expect(serials).toEqual(expect.arrayContaining(['SIM00001', 'vcan0', 'vcan1']));
    expect(await bench.open('in')).toMatchObject({ sn: 'vcan0', state: 'open', bus: 'canfd' });
    expect(await bench.open('vcan1/0')).toMatchObject({ sn: 'vcan1', driver: 'socketcan' });
  });

  it('lists them whatever rate another one was given', async () => {
    ip('link set can1 type can bitrate 2000000');
    try {
      const { devices } = await bench.status('devices');
      const uids = devices.map(({ uid }: { uid: string }) => uid);
      expect(uids).toEqual(expect.arrayContaining(['vcan0', 'vcan1', 'can0', 'can1']));
    } finally {
      ip('link set can1 type can bitrate 500000');
    }
  });

  it('sends and receives over the command line', async () => {
    const dump = await dumpOf('vcan0');
    await bench.json('message', 'send', 'in', '123#DEADBEEF');
    await eventually(() => dump.output.includes('123#DEADBEEF'));
    await program('cansend', 'vcan0', '321#0102');
    const received = async () => (await bench.receivedSoFar('vcan0/0')).map(({ data }) => data);
    await eventually(async () => (await received()).includes('0102'));
    expect(await bench.stats('vcan0/0')).toMatchObject({ tx_frames: 1, rx_frames: 1, overruns: 0 });
  });

  it('runs a gateway from one to the other', async () => {
    const dump = await dumpOf('vcan1');
    await bench.runProject('relay', relayProject());
    // Repeatedly: a value that is not renewed times out.
    await eventually(async () => {
      await program('cansend', 'vcan0', '100#2A00');
      return dump.output.includes('200#2A00');
    });
    await bench.clear('relay');
  });

  it('replays a log onto one of them', async () => {
    const dump = await dumpOf('vcan1');
    const lines = Array.from(
      { length: 20 },
      (_, i) => `(100.${String(i * 1000).padStart(6, '0')}) can0 6${String(i).padStart(2, '0')}#11`,
    );
    bench.write('drive.log', `${lines.join('\n')}\n`);
    await bench.create('replay', { file: 'drive.log', channels: { can0: 'vcan1/0' } });
    await bench.until('replay', ({ state }) => state === 'finished');
    await eventually(() => dump.output.includes('619#11'));
    expect((await bench.status('replay')).frames_sent).toBe(20);
  });

  it('passes frames on itself, and lets the kernel do so only when it is asked to', async () => {
    const request = { source: { channel: 'vcan0/0', id: 0x150 }, target: { channel: 'vcan1/0' } };
    const own = await bench.create('routes', request);
    expect(own).toMatchObject({ offloaded: false });
    await bench.end(`routes/${own.route_id}`);
    const kernel = await bench.create('routes', { ...request, offload: true });
    expect(kernel).toMatchObject({ offloaded: true });
    const after = await bench.newest();
    await program('cansend', 'vcan0', '150#77');
    await eventually(async () => (await idsOn('vcan1/0', after)).includes(0x150));
    await eventually(async () => (await bench.status('routes')).routes[0].sent === 1);
  });

  it('sends a task itself, and lets the kernel do so only when it is asked to', async () => {
    const request = { channel: 'vcan0/0', id: 0x222, data: '01', period_us: 50_000 };
    const own = await bench.create('tx-tasks', request);
    expect(own).toMatchObject({ offloaded: false, missed: expect.any(Number) });
    await bench.end(`tx-tasks/${own.task_id}`);
    const kernel = await bench.create('tx-tasks', { ...request, offload: true });
    expect(kernel).toMatchObject({
      offloaded: true,
      failed: null,
      missed: null,
      lateness_us: null,
    });
    await bench.until('tx-tasks', ({ tx_tasks }) => tx_tasks[0].sent > 2);
    const more = { ...request, id: 0x223, pattern: 'increment_data', offload: true };
    expect(refusedOverHttp(await bench.post('/api/v1/tx-tasks', more))).toMatchObject({
      status: 422,
      code: 'unsupported_by_hardware',
      details: { field: 'offload' },
    });
  });

  it('tells that an interface is down, and goes on when it is up again', async () => {
    const state = async () => (await bench.show('vcan1/0')).state;
    ip('link set vcan1 down');
    await eventually(async () => (await state()) === 'lost');
    ip('link set vcan1 up');
    await eventually(async () => (await state()) === 'open');
    const after = await bench.newest();
    await program('cansend', 'vcan1', '3AA#');
    await eventually(async () => (await idsOn('vcan1/0', after)).includes(0x3aa));
    expect(await bench.stats('vcan1/0')).toMatchObject({ times_lost: 1 });
  });

  it('has its rules in the kernel removed after it was killed', async () => {
    const rules = async () => (await program('sh', '-c', 'cangw -L; true')).includes('cangw -A');
    expect(await rules()).toBe(true);
    const pid = bench.daemonPid ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid));
    expect(await rules()).toBe(true);
    await bench.json('daemon', 'start');
    await bench.json('device', 'list');
    await eventually(async () => !(await rules()));
  });
});
