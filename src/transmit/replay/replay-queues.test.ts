import { describe, expect, it } from 'vitest';
import { backlogCapacity } from './replay-sender.ts';
import type { TracedEvent } from './testing/memory-traces.ts';
import { ReplayRig, steadyTrace } from './testing/replay-rig.ts';

const queueLength = 1024;
const slow = { bus: 'can', bitrate: 10_000 } as const;

const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index % 0x800);

/** A burst on channel 1, followed by one frame per millisecond on channel 2. */
const burstBeside = (burst: number): TracedEvent[] => [
  ...steadyTrace(burst, 0),
  ...steadyTrace(20, 1000).map((event) => ({ ...event, channel: 2, atUs: 1000 + event.atUs })),
];

const twoChannels = { 1: 'SIM00001/0', 2: 'SIM00001/2' };

describe('a replay on channels with full queues', () => {
  it('keeps the frames of a slow channel in order while another goes on in time', async () => {
    const burst = queueLength + 500;
    const rig = new ReplayRig(burstBeside(burst));
    const behind = rig.acceptancesOf(await rig.openPair(0, slow));
    const inTime = rig.acceptancesOf(await rig.openPair(2));
    await rig.begin({ channels: twoChannels });
    await rig.play(30_000);
    expect(inTime).toEqual(ids(20).map((id) => ({ atUs: 1000 + id * 1000, id })));
    expect(behind.length).toBeLessThan(burst);
    expect(rig.record).toMatchObject({ state: 'running', frames_skipped: 0 });
    // A frame of 10 kbit/s takes about 5 ms.
    await rig.play(5_000_000, 10_000);
    expect(behind.map(({ id }) => id)).toEqual(ids(burst));
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: burst + 20 });
    expect(rig.record.max_lateness_us).toBeGreaterThan(1_000_000);
  });

  it('lets all channels wait once one is too far behind, and drops nothing', async () => {
    const burst = queueLength + backlogCapacity + 100;
    const rig = new ReplayRig(burstBeside(burst));
    const behind = rig.acceptancesOf(await rig.openPair(0, slow));
    const waiting = rig.acceptancesOf(await rig.openPair(2));
    await rig.begin({ channels: twoChannels });
    await rig.play(100_000, 1000);
    expect(waiting).toEqual([]);
    await rig.play(12_000_000, 10_000);
    expect(behind.map(({ id }) => id)).toEqual(ids(burst));
    expect(waiting.map(({ id }) => id)).toEqual(ids(20));
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: burst + 20 });
  });

  it('finishes only when the last frame was accepted', async () => {
    const rig = new ReplayRig(steadyTrace(queueLength + 1, 0));
    const accepted = rig.acceptancesOf(await rig.openPair(0, slow));
    await rig.begin();
    await rig.play(1000);
    expect(accepted).toHaveLength(queueLength);
    expect(rig.record).toMatchObject({ state: 'running', frames_sent: queueLength });
    await rig.play(10_000);
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: queueLength + 1 });
  });

  it('keeps one order for two channels of the file that go to the same place', async () => {
    const trace = steadyTrace(queueLength + 200, 0).map((event, index) => ({
      ...event,
      channel: 1 + (index % 2),
    }));
    const rig = new ReplayRig(trace);
    const accepted = rig.acceptancesOf(await rig.openPair(0, slow));
    await rig.begin({ channels: { 1: 'SIM00001/0', 2: 'SIM00001/0' } });
    await rig.play(2_000_000, 10_000);
    expect(accepted.map(({ id }) => id)).toEqual(ids(queueLength + 200));
  });

  it('goes on with what waits when the queue was emptied by other settings', async () => {
    const rig = new ReplayRig(steadyTrace(queueLength + 100, 0));
    const channel = await rig.open(0, slow);
    const accepted = rig.acceptancesOf(channel);
    await rig.begin();
    await rig.play(2000);
    expect(rig.record.state).toBe('running');
    // On a bus without other nodes, no frame would be acknowledged.
    await channel.configure({ group: 'mode', mode: 'loopback' });
    await rig.play(10_000);
    expect(accepted).toHaveLength(queueLength + 100);
    expect(rig.record.state).toBe('finished');
  });

  it('gives up what waits when it is stopped', async () => {
    const rig = new ReplayRig(steadyTrace(queueLength + 100, 0));
    const channel = await rig.openPair(0, slow);
    const accepted = rig.acceptancesOf(channel);
    await rig.begin();
    await rig.play(1000);
    const { frames_sent } = await rig.service.stop();
    await rig.play(100_000, 10_000);
    expect(accepted).toHaveLength(frames_sent);
    expect(channel.listeners).toBe(0);
  });
});
