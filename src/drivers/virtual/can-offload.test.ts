import { describe, expect, it } from 'vitest';
import type { CyclicJob, OffloadedCyclic } from '../can-offload.ts';
import { type OpenCan, sendHex, VirtualRig } from './testing/virtual-rig.ts';

const job: CyclicJob = {
  id: 0x100,
  flags: 0,
  dlc: 0,
  data: new Uint8Array(0),
  periodUs: 1_000,
  count: 0,
};

const start = ({ channel }: OpenCan, more: Partial<CyclicJob> = {}): OffloadedCyclic => {
  const running = channel.offload?.startCyclic({ ...job, ...more });
  if (!running) throw new RangeError('The device has no slot');
  return running;
};

/** Blocks the thread for this time, starting now. */
const block = (rig: VirtualRig, us: number): void => {
  const task = rig.scheduler.createTask('block', () => {
    rig.advanceUs(us);
    return undefined;
  });
  task.scheduleAt(rig.clock.monotonicUs());
  rig.advanceUs(0);
};

const goBusOff = (rig: VirtualRig, port: number, { channel }: OpenCan): void => {
  rig.driver.faults.bitErrors(port, 32);
  sendHex(channel, 0x7ff);
  rig.advanceUs(20_000);
  expect(channel.stats().busState).toBe('bus_off');
};

/** Time from the recovery command until the node takes part again, at 500 kbit/s. */
const recoveryUs = 128 * 11 * 2;

describe('a cyclic job of the virtual device', () => {
  it('keeps its times while the thread is held up', async () => {
    const rig = new VirtualRig();
    const one = await rig.openCan(0);
    const two = await rig.openCan(1);
    start(one);
    rig.advanceUs(3_500);
    block(rig, 20_200);
    rig.advanceUs(1_000);
    const times = two.events.received.map((event) => rig.sinceStart(event));
    const firstUs = times[0] ?? 0;
    expect(times).toEqual(Array.from({ length: 25 }, (_, k) => firstUs + k * 1_000));
  });

  it('fails to the microsecond until its node has recovered, however late that is noticed', async () => {
    const rig = new VirtualRig();
    const one = await rig.openCan(0);
    await rig.openCan(1);
    goBusOff(rig, 0, one);
    const running = start(one);
    one.channel.recover();
    block(rig, 10_500);
    expect([running.failed, running.sent]).toEqual([Math.ceil(recoveryUs / 1_000), 8]);
  });

  it('is reported when its frame ends, at every bit rate', async () => {
    const rig = new VirtualRig();
    const one = await rig.openCan(0, { bitrate: 100_000 });
    const two = await rig.openCan(1, { bitrate: 100_000 });
    const delays: number[] = [];
    two.events.onEvent = ({ timestampUs }) => delays.push(rig.clock.unixUs() - timestampUs);
    start(one, { periodUs: 10_000 });
    rig.advanceUs(25_000);
    for (const { channel } of [one, two]) {
      await channel.configure({ group: 'bitrate', bitrate: 1_000_000 });
    }
    rig.advanceUs(25_000);
    expect(delays).toHaveLength(5);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1);
  });

  it('costs nothing while its port only listens', async () => {
    const rig = new VirtualRig();
    const one = await rig.openCan(0, { mode: 'listen_only' });
    const running = start(one, { periodUs: 100 });
    expect(rig.scheduler.scheduledTasks).toBe(0);
    rig.advanceUs(3_600_000_000);
    expect([running.sent, running.failed]).toEqual([0, 36_000_001]);
  });
});

describe('a route of the virtual device', () => {
  it('puts nothing before what the other bus has reported already', async () => {
    const rig = new VirtualRig();
    const zero = await rig.openCan(0);
    const one = await rig.openCan(1);
    const two = await rig.openCan(2);
    const three = await rig.openCan(3);
    const route = { id: 0x123, mask: 0x7ff, extended: false, targetId: undefined };
    expect(two.channel.offload?.startRoute({ ...route, target: zero.channel })).toBeDefined();
    goBusOff(rig, 1, one);
    one.events.clear();
    one.channel.recover();
    sendHex(three.channel, 0x123);
    block(rig, 10_000);
    rig.advanceUs(10_000);
    expect(one.events.received).toMatchObject([{ id: 0x123 }]);
    const stamps = one.events.all.map(({ timestampUs }) => timestampUs);
    expect(stamps.length).toBeGreaterThan(1);
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  });
});
