import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { traceDetail } from '../../trace/trace-batch.ts';
import { answerGraceUs } from './replayer.ts';
import type { TracedEvent } from './testing/memory-traces.ts';
import { ReplayRig } from './testing/replay-rig.ts';

const { brs, enhancedChecksum, error, extended, fd, remote } = frameFlag;

/** Replays the events and returns the rig at the end. */
const play = async (
  rig: ReplayRig,
  channels: Record<string, string> = { 1: 'SIM00001/0' },
): Promise<ReplayRig> => {
  await rig.begin({ channels });
  await rig.play(50_000, 1000);
  return rig;
};

const lin = (event: Omit<TracedEvent, 'bus'>): TracedEvent => ({ bus: 'lin', ...event });

describe('what a replay sends', () => {
  it('is every CAN frame as it was, received or sent', async () => {
    const rig = new ReplayRig([
      { atUs: 0, id: 0x123, data: [1, 2, 3] },
      { atUs: 1000, id: 0x18ff50e5, flags: extended, data: [4], sent: true },
      { atUs: 2000, id: 0x7ff, flags: remote, dlc: 5 },
      { atUs: 3000, id: 1, flags: fd | brs, bus: 'canfd', data: new Array(12).fill(9) },
      { atUs: 4000, id: 2, dlc: 13, data: new Array(8).fill(7) },
    ]);
    const channel = await rig.openPair(0, { bus: 'canfd' });
    await play(rig);
    expect(
      channel.events.completed.map(({ id, flags, dlc, data }) => ({ id, flags, dlc, data })),
    ).toEqual([
      { id: 0x123, flags: 0, dlc: 3, data: '010203' },
      { id: 0x18ff50e5, flags: extended, dlc: 1, data: '04' },
      { id: 0x7ff, flags: remote, dlc: 5, data: '' },
      { id: 1, flags: fd | brs, dlc: 9, data: '09'.repeat(12) },
      { id: 2, flags: 0, dlc: 13, data: '07'.repeat(8) },
    ]);
  });

  it.each<[reason: string, event: Partial<TracedEvent>]>([
    ['unmapped_channel', { channel: 3 }],
    ['error_frame', { flags: error }],
    ['not_on_bus', { flags: fd, bus: 'canfd' }],
    ['not_on_bus', { bus: 'lin', data: [1] }],
    ['not_on_bus', { id: 0x800 }],
    ['not_on_bus', { id: 0x2000_0000, flags: extended }],
    ['not_on_bus', { dlc: 2 }],
  ])('leaves out and counts as %s: %j', async (reason, event) => {
    const rig = new ReplayRig([
      { atUs: 0, id: 1 },
      { atUs: 100, id: 2, ...event },
      { atUs: 200, id: 3 },
    ]);
    const channel = await rig.openPair(0, { bus: 'can' });
    await play(rig);
    expect(channel.sentIds).toEqual([1, 3]);
    expect(rig.record).toMatchObject({
      state: 'finished',
      frames_sent: 2,
      frames_skipped: 1,
      skipped: { [reason]: 1 },
      warning: null,
    });
  });

  it('counts what a channel refuses, and goes on', async () => {
    const rig = new ReplayRig([
      { atUs: 0, id: 1 },
      { atUs: 1000, id: 2, channel: 2 },
      { atUs: 2000, id: 3 },
    ]);
    await rig.open(0, { mode: 'listen_only' });
    const other = await rig.openPair(2);
    await play(rig, { 1: 'SIM00001/0', 2: 'SIM00001/2' });
    expect(other.sentIds).toEqual([2]);
    expect(rig.record).toMatchObject({
      state: 'finished',
      skipped: { listen_only: 2 },
      warning: '2 frames were not sent: 2 listen only',
    });
  });

  it('warns of frames that were lost to bus off, and of one alone in its own words', async () => {
    const rig = new ReplayRig([
      { atUs: 0, id: 1 },
      { atUs: 100_000, id: 2 },
      { atUs: 200_000, id: 3, channel: 2 },
    ]);
    await rig.openPair(0);
    await rig.open(2, { mode: 'listen_only' });
    rig.driver.faults.bitErrors(0, 32);
    await rig.begin({ channels: { 1: 'SIM00001/0', 2: 'SIM00001/2' } });
    await rig.play(150_000);
    expect(rig.record.warning).toBe('1 frame was not sent: 1 bus off');
    await rig.play(100_000);
    expect(rig.record).toMatchObject({
      state: 'finished',
      frames_sent: 1,
      warning: '2 frames were not sent: 1 bus off, 1 listen only',
    });
  });

  it('goes on while a device is lost, and sends again once it is back', async () => {
    const rig = new ReplayRig(Array.from({ length: 9 }, (_, id) => ({ atUs: id * 1000, id })));
    const channel = await rig.openPair(0);
    await rig.begin();
    await rig.play(2500);
    rig.driver.faults.loseDevice();
    await rig.play(3000);
    rig.driver.faults.returnDevice();
    await rig.play(10_000);
    expect(channel.sentIds).toEqual([0, 1, 2, 6, 7, 8]);
    expect(rig.record).toMatchObject({ state: 'finished', skipped: { lost: 3 } });
  });

  it('finds the channels of a file by their names, as they turn up', async () => {
    const rig = new ReplayRig({
      format: 'candump',
      channelNames: [
        [1, 'can0'],
        [2, 'vcan-1'],
      ],
      events: [
        { atUs: 0, id: 1, channel: 1 },
        { atUs: 100, id: 2, channel: 2 },
      ],
    });
    const channel = await rig.openPair(0);
    const other = await rig.openPair(2);
    await play(rig, { 'vcan-1': 'SIM00001/0', 1: 'SIM00001/2' });
    expect(channel.sentIds).toEqual([2]);
    expect(other.sentIds).toEqual([1]);
  });
});

describe('a mapping of a candump log', () => {
  it('is for one channel, by its name before its number', async () => {
    const rig = new ReplayRig({
      format: 'candump',
      channelNames: [
        [1, '2'],
        [2, '1'],
      ],
      events: [
        { atUs: 0, id: 0x222, channel: 1 },
        { atUs: 100, id: 0x111, channel: 2 },
      ],
    });
    const channel = await rig.openPair(0);
    await play(rig, { 1: 'SIM00001/0' });
    expect(channel.sentIds).toEqual([0x111]);
    expect(rig.record).toMatchObject({ frames_sent: 1, skipped: { unmapped_channel: 1 } });
  });
});

describe('a replay of a file that numbers CAN and LIN apart', () => {
  const both = [
    { atUs: 0, id: 0x111 },
    lin({ atUs: 0, id: 0x21, data: [1, 2], flags: enhancedChecksum }),
    { atUs: 15_000, id: 0x112 },
  ];

  it('sends both of one number where each is mapped', async () => {
    const rig = new ReplayRig(both);
    const can = await rig.openPair(0);
    const master = await rig.openPair(4);
    await play(rig, { 1: 'SIM00001/0', L1: 'SIM00001/4' });
    expect(can.sentIds).toEqual([0x111, 0x112]);
    expect(master.sentIds).toEqual([0x21]);
    expect(rig.record).toMatchObject({ frames_sent: 3, frames_skipped: 0 });
  });

  it('leaves out the one that is not mapped', async () => {
    const rig = new ReplayRig(both);
    const master = await rig.openPair(4);
    await play(rig, { L1: 'SIM00001/4' });
    expect(master.sentIds).toEqual([0x21]);
    expect(rig.record).toMatchObject({ frames_sent: 1, skipped: { unmapped_channel: 2 } });
  });
});

describe('what a replay does on LIN', () => {
  const channels = { 1: 'SIM00001/4' };

  it('sends every frame with its data behind the header of a master', async () => {
    const rig = new ReplayRig([
      lin({ atUs: 0, id: 0x21, data: [1, 2], flags: enhancedChecksum }),
      lin({ atUs: 15_000, id: 0x22, data: [3], sent: true }),
    ]);
    const master = await rig.open(4, { lin: { role: 'master' } });
    const accepted = rig.acceptancesOf(master);
    await play(rig, channels);
    expect(accepted).toEqual([
      { atUs: 0, id: 0x21 },
      { atUs: 15_000, id: 0x22 },
    ]);
    const sent = master.events.completed;
    expect(sent.map(({ id, data }) => ({ id, data }))).toEqual([
      { id: 0x21, data: '0102' },
      { id: 0x22, data: '03' },
    ]);
    expect(sent.map(({ flags }) => flags & enhancedChecksum)).toEqual([enhancedChecksum, 0]);
  });

  it.each(['classic', 'enhanced'] as const)(
    'gives frames whose checksum the trace does not tell that of the channel: %s',
    async (checksum) => {
      const detail = traceDetail.noChecksum | traceDetail.noModel;
      // They are so close together that some wait for space in the queue.
      const frames = Array.from({ length: 600 }, () =>
        lin({ atUs: 0, id: 0x24, data: [1], detail }),
      );
      const rig = new ReplayRig([...frames, lin({ atUs: 0, id: 0x3c, data: [1], detail })]);
      const master = await rig.open(4, { lin: { role: 'master', checksum } });
      await rig.open(5, { lin: { role: 'slave', checksum } });
      await rig.begin({ channels });
      await rig.play(10_000_000, 10_000);
      const flags = checksum === 'enhanced' ? enhancedChecksum : 0;
      const sent = master.events.completed;
      expect(sent).toHaveLength(601);
      expect(new Set(sent.slice(0, 600).map((event) => event.flags))).toEqual(new Set([flags]));
      expect(sent[600]).toMatchObject({ id: 0x3c, flags: 0 });
    },
  );

  it('answers as a slave with the checksum of the channel where the trace tells none', async () => {
    const detail = traceDetail.noChecksum | traceDetail.noModel;
    const rig = new ReplayRig([lin({ atUs: 0, id: 0x24, data: [1], detail })]);
    const master = await rig.open(4, { lin: { role: 'master', checksum: 'enhanced' } });
    await rig.open(5, { lin: { role: 'slave', checksum: 'enhanced' } });
    await rig.begin({ channels: { 1: 'SIM00001/5' } });
    const received: string[] = [];
    if (master.hardware.bus !== 'lin') throw new TypeError('No LIN');
    master.hardware.masterRead(0x24, enhancedChecksum, 1, (outcome) => received.push(outcome));
    await rig.play(19_000, 1000);
    expect(received).toEqual(['answered']);
  });

  it.each<[reason: string, event: Partial<TracedEvent>]>([
    ['no_response', { flags: frameFlag.noResponse, data: [] }],
    ['no_response', { data: [] }],
    ['checksum_error', { flags: frameFlag.checksumError }],
    ['sync_break', { flags: frameFlag.syncBreak, data: [] }],
    ['wake_up', { flags: frameFlag.wakeUp, data: [] }],
    ['error_frame', { flags: error }],
    ['not_on_bus', { bus: 'can' }],
    ['not_on_bus', { id: 0x40 }],
  ])('counts what is no whole frame as %s: %j', async (reason, event) => {
    const rig = new ReplayRig([lin({ atUs: 0, id: 1, data: [1], ...event })]);
    await rig.open(4);
    await play(rig, channels);
    expect(rig.record).toMatchObject({ frames_sent: 0, skipped: { [reason]: 1 } });
  });

  it('skips what has the enhanced checksum on a channel of LIN 1.3', async () => {
    const rig = new ReplayRig([
      lin({ atUs: 0, id: 1, data: [1, 2], flags: enhancedChecksum }),
      lin({ atUs: 20_000, id: 1, data: [1, 2] }),
    ]);
    await rig.open(4, { lin: { role: 'master', version: '1.3' } });
    await play(rig, channels);
    expect(rig.record).toMatchObject({ frames_sent: 1, skipped: { not_on_bus: 1 } });
  });

  describe('as a slave', () => {
    /** Replays on a slave with a polling master; `ask` takes 19 ms. */
    const playOnSlave = async () => {
      const rig = new ReplayRig([
        lin({ atUs: 0, id: 0x21, data: [1] }),
        lin({ atUs: 20_000, id: 0x21, data: [2] }),
        lin({ atUs: 40_000, id: 0x22, data: [3] }),
      ]);
      const { hardware } = await rig.open(4, { lin: { role: 'master' } });
      await rig.open(5, { lin: { role: 'slave' } });
      await rig.begin({ channels: { 1: 'SIM00001/5' } });
      const received: string[] = [];
      const ask = async (id: number): Promise<void> => {
        if (hardware.bus !== 'lin') throw new TypeError('No LIN');
        hardware.masterRead(id, 0, 1, (outcome, _at, _checksum, payload, offset) => {
          received.push(outcome === 'answered' ? String(payload[offset]) : outcome);
        });
        await rig.play(19_000, 1000);
      };
      return { rig, heard: received, ask };
    };

    it('answers with the data from their time on, the last a while longer', async () => {
      const { rig, heard: received, ask } = await playOnSlave();
      await ask(0x21);
      await rig.play(2000, 1000);
      await ask(0x21);
      await rig.play(answerGraceUs - 50_000, 10_000);
      expect(rig.record).toMatchObject({ state: 'running', frames_sent: 3 });
      await ask(0x22);
      await rig.play(40_000, 1000);
      expect(rig.record).toMatchObject({
        state: 'finished',
        stopped: false,
        progress: 1,
        loops: 1,
      });
      await ask(0x22);
      expect(received).toEqual(['1', '2', '3', 'no_response']);
    });

    it('answers no more as soon as it is stopped', async () => {
      const { rig, heard: received, ask } = await playOnSlave();
      await rig.play(50_000, 1000);
      expect(await rig.service.stop()).toMatchObject({ state: 'finished', stopped: true });
      await ask(0x22);
      expect(received).toEqual(['no_response']);
    });
  });
});
