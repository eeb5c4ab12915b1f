import { describe, expect, it } from 'vitest';
import { ReplayRig } from './testing/replay-rig.ts';

const events = [
  { atUs: 0, id: 1 },
  { atUs: 100, id: 2, channel: 2 },
];
const both = { 1: 'SIM00001/0', 7: 'SIM00001/0' };

describe('a replay onto channels that the file lacks', () => {
  it('is refused where the file was read to its end, and lets go of it', async () => {
    const rig = new ReplayRig(events);
    await rig.openPair(0);
    await expect(rig.begin({ channels: both })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'channels', file_channel: '7', file_channels: ['1', '2'] },
    });
    expect(rig.record).toMatchObject({ state: 'idle' });
    expect(rig.traces.last.isClosed).toBe(true);
  });

  it.each([false, true])('fails at the end of a file that was not (loop %s)', async (loop) => {
    const rig = new ReplayRig({ events, isUnsearched: true });
    await rig.openPair(0);
    expect(await rig.begin({ channels: both, loop })).toMatchObject({ state: 'running' });
    await rig.play(10_000);
    expect(rig.record).toMatchObject({
      state: 'failed',
      frames_sent: 1,
      error: { code: 'invalid_argument', details: { field: 'channels', file_channel: '7' } },
    });
  });

  it('goes well where they turn up later than anyone looked', async () => {
    const rig = new ReplayRig({ events, isUnsearched: true });
    await rig.openPair(0);
    await rig.begin({ channels: { 1: 'SIM00001/0', 2: 'SIM00001/0' } });
    await rig.play(10_000);
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: 2, error: null });
  });

  it('counts events before the offset as there', async () => {
    const rig = new ReplayRig({ events, isUnsearched: true });
    await rig.openPair(0);
    const channels = { 1: 'SIM00001/0', 2: 'SIM00001/0' };
    await rig.begin({ channels, start_offset_us: 50 });
    await rig.play(10_000);
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: 1 });
  });

  it('tells which file is replayed only while it is', async () => {
    const rig = new ReplayRig(events);
    await rig.openPair(0);
    expect(rig.service.files).toEqual([]);
    await rig.begin();
    expect(rig.service.files).toEqual(rig.traces.last.identities);
    await rig.play(10_000);
    expect(rig.service.files).toEqual([]);
  });
});
