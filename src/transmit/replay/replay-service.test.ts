import { describe, expect, it } from 'vitest';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { settle } from '../testing/send-rig.ts';
import { idleRecord } from './replay-record.ts';
import type { ReplayRequest } from './replay-request.ts';
import { plainReplay, ReplayRig, steadyTrace } from './testing/replay-rig.ts';

const rigWith = async (count = 100, gapUs = 1000) => {
  const rig = new ReplayRig(steadyTrace(count, gapUs));
  const channel = await rig.openPair(0);
  return { rig, channel };
};

describe('the replays of a daemon', () => {
  it('are idle before the first one', async () => {
    const { rig } = await rigWith();
    expect(rig.service.status()).toEqual(idleRecord);
    expect(await rig.service.stop()).toEqual(idleRecord);
  });

  it('tell while one runs how far it is', async () => {
    const rig = new ReplayRig({ events: steadyTrace(100, 1000), batchSize: 16, malformed: 3 });
    await rig.openPair(0);
    const started = await rig.begin({ speed: 2, start_offset_us: 10_000 });
    expect(started).toMatchObject({
      state: 'running',
      stopped: false,
      file: 'drive.asc',
      format: 'asc',
      channels: { 1: 'SIM00001/0' },
      speed: 2,
      loop: false,
      start_offset_us: 10_000,
      started_at_us: rig.clock.unixUs(),
      finished_at_us: null,
    });
    await rig.play(20_010, 10);
    expect(rig.record).toMatchObject({
      state: 'running',
      frames_sent: 41,
      frames_skipped: 10,
      malformed: 3,
      position_us: 50_000,
      duration_us: null,
    });
    expect(rig.record.progress).toBeCloseTo(0.51, 5);
  });

  it('tell what the file holds that is no event, and that it was cut, as they find it', async () => {
    const skipped = { symbolic: 2, tx_request: 1 };
    const events = steadyTrace(100, 1000);
    const rig = new ReplayRig({ events, batchSize: 16, skipped, truncated: true });
    const channel = await rig.openPair(0);
    await rig.begin();
    await rig.play(1000);
    expect(rig.record).toMatchObject({ state: 'running', unread: skipped, truncated: false });
    await rig.play(110_000, 1000);
    expect(channel.sentIds).toHaveLength(100);
    expect(rig.record).toMatchObject({
      state: 'finished',
      frames_skipped: 0,
      skipped: {},
      unread: skipped,
      truncated: true,
    });
  });

  it('tell what a file holds once, however often it is played', async () => {
    const skipped = { marker: 1 };
    const rig = new ReplayRig({ events: steadyTrace(3, 1000), skipped, malformed: 2 });
    await rig.openPair(0);
    await rig.begin({ loop: true });
    await rig.play(20_000, 1000);
    expect(rig.record.loops).toBeGreaterThan(2);
    expect(rig.record).toMatchObject({ unread: skipped, malformed: 2, truncated: false });
  });

  it('play a file as often as asked, with the pause between, at any speed', async () => {
    const rig = new ReplayRig(steadyTrace(3, 1000));
    const channel = await rig.openPair(0);
    const accepted = rig.acceptancesOf(channel);
    const record = await rig.begin({ repeat: { count: 3, pause_us: 5000 }, speed: 2 });
    expect(record).toMatchObject({ loop: false, repeat: { count: 3, pause_us: 5000 } });
    await rig.play(30_000);
    expect(accepted.map(({ atUs }) => atUs)).toEqual([
      0, 500, 1000, 6000, 6500, 7000, 12_000, 12_500, 13_000,
    ]);
    expect(rig.record).toMatchObject({ state: 'finished', loops: 3, frames_sent: 9 });
  });

  it('pause for a millisecond between two passes if nothing else is asked for', async () => {
    const { rig, channel } = await rigWith(1);
    const accepted = rig.acceptancesOf(channel);
    expect(await rig.begin({ repeat: { count: 2 } })).toMatchObject({
      repeat: { count: 2, pause_us: 1000 },
    });
    await rig.play(10_000);
    expect(accepted.map(({ atUs }) => atUs)).toEqual([0, 1000]);
  });

  it('send other identifiers', async () => {
    const { rig, channel } = await rigWith(3);
    const ids = { 1: '7', 2: '001' };
    expect(await rig.begin({ ids })).toMatchObject({ ids });
    await rig.play(10_000);
    expect(channel.sentIds).toEqual([0, 7, 1]);
  });

  it('tell the reader which files, condition and databases there are', async () => {
    const { rig } = await rigWith();
    rig.databases = ['vehicle'];
    const files = ['a.asc', 'b.asc'];
    const record = await rig.begin({ files, filter: 'frame 1' });
    expect(record).toMatchObject({ file: 'a.asc', files, filter: 'frame 1' });
    expect(rig.traces.last.order).toEqual({
      files,
      field: 'files',
      mapped: ['1'],
      laps: 1,
      ids: [],
      filter: { text: 'frame 1', databases: { 1: ['vehicle'] } },
    });
  });

  it('count what a filter excludes', async () => {
    const rig = new ReplayRig({ events: steadyTrace(4, 1000), filtered: [1, 3] });
    const channel = await rig.openPair(0);
    await rig.begin();
    await rig.play(10_000);
    expect(channel.sentIds).toEqual([0, 2]);
    expect(rig.record).toMatchObject({ frames_skipped: 2, skipped: { filtered: 2 } });
  });

  it('run one at a time', async () => {
    const { rig } = await rigWith();
    await rig.begin();
    await expect(rig.begin({ file: 'other.asc' })).rejects.toMatchObject({
      code: 'already_running',
      details: { state: 'running', file: 'drive.asc' },
    });
    expect(rig.record).toMatchObject({ state: 'running', file: 'drive.asc' });
  });

  it('let exactly one of two begin that are asked for together', async () => {
    const { rig } = await rigWith();
    const both = await Promise.allSettled([rig.begin(), rig.begin()]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(rig.traces.opened).toHaveLength(1);
  });

  it('stop midway, and keep the final record until the next begins', async () => {
    const { rig, channel } = await rigWith();
    await rig.begin();
    await rig.play(9500);
    const final = await rig.service.stop();
    expect(final).toMatchObject({ state: 'finished', stopped: true, frames_sent: 10, error: null });
    expect(final.finished_at_us).toBe(rig.clock.unixUs());
    expect(rig.traces.last.isClosed).toBe(true);
    expect(channel.listeners).toBe(0);
    await rig.play(50_000, 1000);
    expect(rig.record).toEqual(final);
    expect(await rig.service.stop()).toEqual(final);
    expect(channel.sentIds).toHaveLength(10);
    await rig.begin();
    expect(rig.record).toMatchObject({ state: 'running', stopped: false, finished_at_us: null });
  });

  it('let go of everything when they are over', async () => {
    const { rig, channel } = await rigWith(5);
    await rig.begin();
    await rig.play(10_000);
    expect(rig.record.state).toBe('finished');
    expect(rig.traces.last.isClosed).toBe(true);
    expect(channel.listeners).toBe(0);
  });

  it('fail when a channel is closed', async () => {
    const { rig, channel } = await rigWith();
    await rig.begin();
    await rig.play(4500);
    await channel.close();
    await rig.play(1000);
    expect(rig.record).toMatchObject({
      state: 'failed',
      stopped: false,
      frames_sent: 5,
      error: {
        code: 'channel_not_open',
        details: { reason: 'channel_closed', channel: 'SIM00001/0' },
      },
    });
    expect(rig.traces.last.isClosed).toBe(true);
  });

  it('fail, and hold up nobody, when a driver breaks', async () => {
    const { rig, channel } = await rigWith();
    Object.assign(channel.hardware, {
      send: () => {
        throw new TypeError('broken');
      },
    });
    await rig.begin();
    await rig.play(1000);
    expect(rig.record).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
    expect(channel.listeners).toBe(0);
  });

  it('fail when the reader dies, after what was read before', async () => {
    const rig = new ReplayRig({ events: steadyTrace(100, 1000), batchSize: 8 });
    const channel = await rig.openPair(0);
    await rig.begin();
    await rig.play(1500);
    rig.traces.last.die();
    await rig.play(100_000, 1000);
    expect(rig.record).toMatchObject({
      state: 'failed',
      frames_sent: 32,
      error: { code: 'internal_error', details: { reason: 'reader_lost' } },
    });
    expect(channel.listeners).toBe(0);
  });

  it('fail with what the reader says of the file', async () => {
    const rig = new ReplayRig({ events: steadyTrace(100, 1000), batchSize: 8 });
    await rig.openPair(0);
    await rig.begin();
    rig.traces.last.failure = new BusbarError('invalid_trace', { details: { at: 7 } });
    await rig.play(100_000, 1000);
    expect(rig.record).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_trace', details: { at: 7 } },
    });
  });

  it('play nothing from behind a place that could not be read', async () => {
    const rig = new ReplayRig({ events: steadyTrace(100, 1000), batchSize: 8 });
    const channel = await rig.openPair(0);
    await rig.begin();
    const trace = rig.traces.last;
    trace.isHeld = true;
    await rig.play(17_500, 500);
    // Two pieces are requested at this point: the first fails, and the second would succeed.
    trace.failure = new BusbarError('invalid_trace');
    trace.release();
    await settle();
    trace.failure = undefined;
    trace.release();
    await rig.play(100_000, 1000);
    expect(channel.sentIds).toEqual(Array.from({ length: 32 }, (_, id) => id));
    expect(rig.record).toMatchObject({ state: 'failed', error: { code: 'invalid_trace' } });
  });

  it('can be stopped while the reader is slow', async () => {
    const rig = new ReplayRig({ events: steadyTrace(100, 1000), batchSize: 8 });
    await rig.openPair(0);
    await rig.begin();
    rig.traces.last.isHeld = true;
    await rig.play(50_000, 1000);
    expect(await rig.service.stop()).toMatchObject({ state: 'finished', stopped: true });
    rig.traces.last.release();
    await rig.play(1000);
    expect(rig.record.frames_sent).toBe(32);
  });

  it('end for good when they are closed', async () => {
    const { rig } = await rigWith();
    await rig.begin();
    await rig.service.close();
    expect(rig.record).toMatchObject({ state: 'finished', stopped: true });
    await expect(rig.begin()).rejects.toMatchObject({ code: 'internal_error' });
  });
});

describe('a request to replay', () => {
  it.each<[field: string, request: Partial<ReplayRequest>]>([
    ['channels', { channels: {} }],
    ['channels', { channels: { can0: 'SIM00001/0' } }],
    ['channels', { channels: { 0: 'SIM00001/0' } }],
    ['speed', { speed: 0 }],
    ['speed', { speed: 1001 }],
    ['speed', { speed: Number.NaN }],
    ['start_offset_us', { start_offset_us: -1 }],
    ['start_offset_us', { start_offset_us: 0.5 }],
    ['files', { file: 'a.asc', files: ['b.asc'] }],
    ['files', { files: [] }],
    ['files', { files: Array.from({ length: 17 }, () => 'a.asc') }],
    ['file', { file: undefined }],
    ['ids', { ids: { 123: 'x' } }],
    ['repeat', { loop: true, repeat: { count: 2 } }],
    ['repeat.count', { repeat: { count: 0 } }],
    ['repeat.pause_us', { repeat: { count: 2, pause_us: -1 } }],
  ])('is refused for its %s: %j', async (field, request) => {
    const { rig, channel } = await rigWith();
    await expect(rig.begin(request)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
    expect(rig.record).toEqual(idleRecord);
    expect(channel.listeners).toBe(0);
    expect(rig.traces.opened.filter(({ isClosed }) => !isClosed)).toEqual([]);
  });

  it('is refused like a send on a channel that is not open', async () => {
    const { rig, channel } = await rigWith();
    const refused = rig.service.start(
      { ...plainReplay, channels: { 1: 'SIM00001/0', 2: 'SIM00001/3' } },
      async (text) => {
        if (text === channel.selector) return rig.found(channel);
        throw new BusbarError('channel_not_open', {
          details: { channel: text, selector_kind: 'serial' },
        });
      },
    );
    await expect(refused).rejects.toMatchObject({
      code: 'channel_not_open',
      details: { field: 'channels', channel: 'SIM00001/3', selector_kind: 'serial' },
    });
    expect(channel.listeners).toBe(0);
    expect(rig.traces.opened).toEqual([]);
  });

  it('is refused with what the file is found to be, before anything starts', async () => {
    const { rig, channel } = await rigWith();
    rig.traces.refusal = new BusbarError('invalid_trace', { details: { field: 'file' } });
    await expect(rig.begin()).rejects.toMatchObject({ code: 'invalid_trace' });
    expect(rig.record).toEqual(idleRecord);
    expect(channel.listeners).toBe(0);
  });

  it('is refused when a channel is closed while the file is opened', async () => {
    const { rig, channel } = await rigWith();
    const gate = new Deferred<void>();
    rig.traces.onOpening = () => gate.promise;
    const starting = rig.begin();
    const refused = expect(starting).rejects.toMatchObject({
      code: 'channel_not_open',
      details: { field: 'channels', channel: 'SIM00001/0' },
    });
    await settle();
    await channel.close();
    gate.resolve();
    await refused;
    expect(rig.traces.last.isClosed).toBe(true);
    expect(channel.listeners).toBe(0);
  });

  it('leaves the record of the last replay alone when it is refused', async () => {
    const { rig } = await rigWith(3);
    await rig.begin();
    await rig.play(5000);
    const last = rig.record;
    await expect(rig.begin({ speed: 0 })).rejects.toThrow();
    expect(rig.record).toEqual(last);
  });
});
