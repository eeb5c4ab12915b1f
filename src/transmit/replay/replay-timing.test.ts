import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { framesPerTurn } from '../batch-send.ts';
import { settle } from '../testing/send-rig.ts';
import { ReplayRig, steadyTrace } from './testing/replay-rig.ts';

const at = (atUs: number, id: number) => ({ atUs, id });

describe('the timing of a replay', () => {
  it.each([
    [1, [0, 1000, 2500, 10_000]],
    [2, [0, 500, 1250, 5000]],
    [0.5, [0, 2000, 5000, 20_000]],
    [1000, [0, 0, 0, 0]],
  ])('is that of the trace at speed %d', async (speed, times) => {
    const rig = new ReplayRig([at(7000, 1), at(8000, 2), at(9500, 3), at(17_000, 4)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin({ speed });
    await rig.pass(30_000);
    expect(accepted.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(accepted.map(({ atUs }) => atUs)).toEqual(times);
    expect(rig.record).toMatchObject({
      state: 'finished',
      stopped: false,
      frames_sent: 4,
      loops: 1,
      progress: 1,
      position_us: 10_000,
      duration_us: 10_000,
      max_lateness_us: 0,
      deviation_us: { count: 4 },
      error: null,
    });
  });

  it('is exact for every one of many frames', async () => {
    const rig = new ReplayRig(steadyTrace(2000, 250));
    const accepted = rig.acceptancesOf(await rig.openPair(0, { bus: 'canfd', bitrate: 1_000_000 }));
    await rig.begin();
    await rig.play(510_000, 1000);
    expect(accepted).toEqual(
      Array.from({ length: 2000 }, (_, index) => ({ atUs: index * 250, id: index % 0x800 })),
    );
    expect(rig.record).toMatchObject({ state: 'finished', deviation_us: { count: 2000, max: 0 } });
  });

  it('takes along what is due within 50 µs, and counts that as a deviation', async () => {
    const rig = new ReplayRig([at(0, 1), at(50, 2), at(101, 3)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin();
    await rig.pass(10_000);
    expect(accepted).toEqual([at(0, 1), at(0, 2), at(101, 3)]);
    expect(rig.record).toMatchObject({ max_lateness_us: 0, deviation_us: { count: 3, max: 50 } });
  });

  it('begins at the offset, and counts what lies before it', async () => {
    const rig = new ReplayRig([at(5000, 1), at(6999, 2), at(7000, 3), at(8500, 4)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin({ start_offset_us: 2000 });
    await rig.pass(10_000);
    expect(accepted).toEqual([at(0, 3), at(1500, 4)]);
    expect(rig.record).toMatchObject({ frames_skipped: 2, skipped: { before_offset: 2 } });
  });

  it('keeps the pause between the offset and the first event behind it', async () => {
    const rig = new ReplayRig([at(0, 1), at(3000, 2)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin({ start_offset_us: 2000, speed: 2 });
    await rig.pass(10_000);
    expect(accepted).toEqual([at(500, 2)]);
  });

  it('ends with nothing sent where the offset lies behind the trace', async () => {
    const rig = new ReplayRig(steadyTrace(5000, 100));
    await rig.openPair(0);
    await rig.begin({ start_offset_us: 1e9 });
    await rig.play(20_000);
    expect(rig.record).toMatchObject({
      state: 'finished',
      frames_sent: 0,
      skipped: { before_offset: 5000 },
    });
  });

  it('begins a loop a millisecond after the last event, whatever the speed', async () => {
    const rig = new ReplayRig([at(500, 1), at(2500, 2)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin({ loop: true, speed: 2 });
    await rig.play(6500);
    const times = [0, 1000, 2000, 3000, 4000, 5000, 6000];
    expect(accepted.map(({ atUs }) => atUs)).toEqual(times);
    expect(accepted.map(({ id }) => id)).toEqual([1, 2, 1, 2, 1, 2, 1]);
    expect(rig.record).toMatchObject({ state: 'running', loops: 3, duration_us: 2000 });
  });

  it('leaves out the offset from the second loop on', async () => {
    const rig = new ReplayRig([at(0, 1), at(2000, 2)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin({ loop: true, start_offset_us: 1500 });
    await rig.play(4000);
    expect(accepted).toEqual([at(500, 2), at(1500, 1), at(3500, 2)]);
  });

  it('waits for the length of a loop in which there is nothing to send', async () => {
    const others = [at(0, 1), at(2000, 2)].map((event) => ({ ...event, channel: 9 }));
    const rig = new ReplayRig([{ atUs: 0, id: 0, flags: frameFlag.error }, ...others]);
    await rig.openPair(0);
    await rig.begin({ loop: true });
    await rig.play(9500);
    expect(rig.record).toMatchObject({
      loops: 3,
      frames_sent: 0,
      skipped: { unmapped_channel: 8 },
    });
  });

  it('keeps the order of a file whose times go back', async () => {
    const rig = new ReplayRig([at(1000, 1), at(3000, 2), at(2000, 3), at(500, 4), at(4000, 5)]);
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin();
    await rig.pass(10_000);
    expect(accepted).toEqual([at(0, 1), at(2000, 2), at(2000, 3), at(2000, 4), at(3000, 5)]);
    expect(rig.record).toMatchObject({ out_of_order: 2, max_lateness_us: 2500 });
    expect(rig.record.deviation_us).toMatchObject({ count: 5, max: 2500 });
  });

  it('hands over no more than a turn allows at a stretch', async () => {
    const rig = new ReplayRig(steadyTrace(640, 0));
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin();
    for (let turn = 0; turn < 30; turn++) await rig.pass(1);
    const perTurn = new Map<number, number>();
    for (const { atUs } of accepted) perTurn.set(atUs, (perTurn.get(atUs) ?? 0) + 1);
    expect(accepted).toHaveLength(640);
    expect(Math.max(...perTurn.values())).toBe(framesPerTurn);
  });

  it('counts what a slow reader costs as lateness, and reorders nothing', async () => {
    const rig = new ReplayRig({ events: steadyTrace(80, 1000), batchSize: 8 });
    const accepted = rig.acceptancesOf(await rig.openPair(0));
    await rig.begin();
    const trace = rig.traces.last;
    trace.isHeld = true;
    // Four batches of eight are available; the fifth is due at 32 ms and arrives at 40.5.
    await rig.play(40_500);
    expect(accepted).toHaveLength(32);
    trace.release();
    await settle();
    await rig.play(1000);
    expect(accepted.slice(32).map(({ atUs }) => atUs)).toEqual(new Array(8).fill(40_500));
    expect(accepted.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, id) => id));
    expect(rig.record).toMatchObject({ state: 'running', max_lateness_us: 8500 });
    for (let pieces = 0; pieces < 10; pieces++) {
      trace.release();
      await rig.play(10_000, 1000);
    }
    expect(accepted.map(({ id }) => id)).toEqual(Array.from({ length: 80 }, (_, id) => id));
  });

  it('never has more than four batches, however long the trace is', async () => {
    const rig = new ReplayRig({ events: steadyTrace(4000, 100), batchSize: 8 });
    await rig.openPair(0, { bus: 'canfd', bitrate: 1_000_000 });
    await rig.begin();
    await rig.play(410_000, 400);
    expect(rig.record).toMatchObject({ state: 'finished', frames_sent: 4000 });
    expect(rig.traces.last.reads).toBeGreaterThan(500);
    expect(rig.traces.last.buffers).toBe(4);
  });

  it('ends a loop over an empty file at once', async () => {
    const rig = new ReplayRig({ events: [], isUnsearched: true });
    await rig.openPair(0);
    await rig.begin({ loop: true });
    await rig.play(1000);
    expect(rig.record).toMatchObject({ state: 'failed', frames_sent: 0 });
  });
});
