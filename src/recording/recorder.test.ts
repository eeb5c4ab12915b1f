import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { refusal } from '../base/files/testing/refusals.ts';
import { range } from '../broker/testing/hub-bench.ts';
import type { CreateTrace } from '../trace/trace-format.ts';
import { LimitedDisk } from './testing/limited-disk.ts';
import { readRecording } from './testing/read-recording.ts';
import { RecorderBench } from './testing/recorder-bench.ts';

describe('Recorder', () => {
  const benches: RecorderBench[] = [];
  const setUp = (options?: ConstructorParameters<typeof RecorderBench>[0]): RecorderBench => {
    const bench = new RecorderBench(options);
    benches.push(bench);
    return bench;
  };
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.dispose();
  });

  it('records what is published once it has begun, in order over all channels', () => {
    const bench = setUp();
    const [one, two] = [bench.open(0, { name: 'powertrain' }), bench.open(4)];
    bench.publish(one, 3);
    bench.settle();
    const begun = bench.begin();
    bench.publish(one, 2);
    bench.publish(two, 2);
    bench.publish(one, 1);
    bench.settle();
    const ended = bench.recorder.finish();
    const found = bench.read();
    expect(begun).toMatchObject({ state: 'running', file: 'drive.asc', format: 'asc', frames: 0 });
    expect(begun.started_at_us).toBe(1_700_000_000_050_000);
    expect(found).toMatchObject({ ids: [3, 4, 5, 6, 7], channels: [1, 5], isComplete: true });
    expect(found.text).toContain('// channel 1 = powertrain (SIM00001/0)\n');
    expect(found.text).toContain('// channel 5 = SIM00001/4\n');
    expect(ended).toEqual({
      state: 'idle',
      file: 'drive.asc',
      format: 'asc',
      channels: [
        { channel: 1, slot: 0, selector: 'SIM00001/0', name: 'powertrain' },
        { channel: 5, slot: 4, selector: 'SIM00001/4', name: null },
      ],
      frames: 5,
      bytes: found.text.length,
      gaps: 0,
      missed: 0,
      started_at_us: 1_700_000_000_050_000,
      stopped_at_us: 1_700_000_000_100_000,
      error: null,
      files: [
        {
          file: 'drive.asc',
          first_event_id: 4,
          last_event_id: 8,
          frames: 5,
          bytes: found.text.length,
        },
      ],
    });
    expect(bench.ends).toEqual([ended]);
    expect(bench.defects).toEqual([]);
  });

  it('keeps the number of a port that is opened again', () => {
    const bench = setUp();
    const first = bench.open(0, { port: 1 });
    bench.begin();
    bench.publish(first, 1);
    bench.settle();
    bench.close(first);
    const other = bench.open(1, { port: 0 });
    const again = bench.open(2, { port: 1, name: 'again' });
    bench.publish(other, 1);
    bench.publish(again, 1);
    bench.settle();
    const { channels } = bench.recorder.finish();
    expect(bench.read()).toMatchObject({ ids: [0, 1, 2], channels: [1, 2] });
    expect(channels.map(({ channel, slot }) => [channel, slot])).toEqual([
      [2, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('holds an event back for a moment only, and then brings it to the file', () => {
    const bench = setUp();
    const channel = bench.open(0);
    bench.begin();
    bench.publish(channel, 1);
    bench.bell.ring();
    expect(bench.read().ids).toEqual([]);
    bench.clock.advanceUs(300_000);
    expect(bench.read().ids).toEqual([0]);
    expect(bench.recorder.record().frames).toBe(1);
  });

  it('need not wait for the clock where newer events have come', () => {
    const bench = setUp();
    const channel = bench.open(0);
    bench.begin();
    bench.publish(channel, 2);
    bench.publish(channel, 1, 250_000);
    bench.bell.ring();
    expect(bench.read().ids).toEqual([0, 1]);
  });

  it('puts events in the order of their times where one channel is behind another', () => {
    const bench = setUp();
    const [ahead, behind] = [bench.open(0), bench.open(1)];
    bench.begin();
    for (let round = 0; round < 8; round++) {
      bench.publish(ahead, 1);
      bench.settle();
      bench.publish(behind, 1, -100_000);
    }
    const { frames, missed } = bench.recorder.finish();
    const { text, ids } = bench.read();
    const times = [...text.matchAll(/^ +(\d+\.\d+) \d /gm)].map(([, time]) => Number(time));
    expect([frames, missed]).toEqual([16, 0]);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(ids.filter((id) => id % 2 === 0)).toEqual(range(0, 7).map((round) => 2 * round));
    expect(ids.filter((id) => id % 2 === 1)).toEqual(range(0, 7).map((round) => 2 * round + 1));
  });

  it('never changes the order of one channel, whatever its times are', () => {
    const bench = setUp();
    const channel = bench.open(0);
    bench.begin();
    bench.publish(channel, 3, 50_000);
    bench.publish(channel, 3);
    bench.settle();
    bench.publish(channel, 3, 20_000);
    bench.recorder.finish();
    expect(bench.read().ids).toEqual(range(0, 8));
  });

  it('records at its end what was published until then, and nothing later', () => {
    const bench = setUp();
    const [one, two] = [bench.open(0), bench.open(1)];
    bench.begin();
    bench.publish(one, 10);
    bench.publish(two, 20);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 30, missed: 0 });
    bench.publish(one, 5);
    bench.settle();
    expect(bench.read().ids).toEqual(range(0, 29));
    expect(bench.ends).toHaveLength(1);
  });

  it('does not chase a channel that goes on while the file is completed', () => {
    const disk = new LimitedDisk(1_000_000);
    const bench = setUp({ calls: disk });
    const channel = bench.open(0, { slots: 8192 });
    bench.begin();
    bench.publish(channel, 2000);
    let more = 100;
    const write = disk.write.bind(disk);
    disk.write = (...values) => {
      if (more-- > 0) bench.publish(channel, 20);
      return write(...values);
    };
    expect(bench.recorder.finish()).toMatchObject({ frames: 2000, gaps: 0, missed: 0 });
    expect(more).toBeGreaterThan(90);
    expect(bench.read()).toMatchObject({ ids: range(0, 1999), missing: [], isComplete: true });
  });

  it('writes down how many events are missing where they are', () => {
    const bench = setUp();
    const channel = bench.open(0);
    bench.begin();
    bench.publish(channel, 5);
    bench.settle();
    bench.publish(channel, 100);
    bench.settle();
    bench.publish(channel, 1000);
    const { frames, gaps, missed } = bench.recorder.finish();
    const found = bench.read();
    expect(gaps).toBe(2);
    expect(found.missing).toHaveLength(2);
    expect(found.missing.reduce((sum, count) => sum + count)).toBe(missed);
    expect(found.ids).toHaveLength(frames);
    expect(frames + missed).toBe(1105);
    expect(found.text).toMatch(/\n\/\/ .*missing here\n/);
  });

  it('keeps more than a piece of events in order and count', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 8192 });
    bench.begin();
    bench.publish(channel, 5000);
    bench.settle();
    expect(bench.recorder.finish().frames).toBe(5000);
    expect(bench.read().ids).toEqual(range(0, 4999));
  });

  describe('with all channels', () => {
    it('takes in channels that are opened later, and goes on when they are closed', () => {
      const bench = setUp();
      bench.begin();
      const one = bench.open(0);
      bench.publish(one, 2);
      const two = bench.open(1);
      bench.publish(two, 2);
      bench.close(one);
      bench.close(two);
      bench.settle();
      const three = bench.open(2);
      bench.publish(three, 1);
      bench.settle();
      expect(bench.recorder.record().state).toBe('running');
      const { channels, frames, missed } = bench.recorder.finish();
      expect(channels.map(({ slot }) => slot)).toEqual([0, 1, 2]);
      expect([frames, missed]).toEqual([5, 0]);
      expect(bench.read()).toMatchObject({ ids: range(0, 4), channels: [1, 2, 3] });
    });

    it('forgets a channel that was closed without an event', () => {
      const bench = setUp();
      bench.begin();
      bench.close(bench.open(0));
      expect(bench.recorder.record().channels).toEqual([]);
    });
  });

  describe('with channels of its own', () => {
    it('records these and no others, and ends when the last of them is closed', () => {
      const bench = setUp();
      const [one, two, other] = [bench.open(0), bench.open(1), bench.open(2)];
      const { channels } = bench.begin({ slots: [0, 1] });
      expect(channels.map(({ slot }) => slot)).toEqual([0, 1]);
      bench.publish(other, 3);
      bench.publish(one, 2);
      bench.close(one);
      expect(bench.ends).toEqual([]);
      bench.open(3);
      bench.publish(two, 2);
      bench.close(two);
      expect(bench.ends).toMatchObject([{ state: 'idle', frames: 4, missed: 0, error: null }]);
      expect(bench.ends[0]?.channels.map(({ slot }) => slot)).toEqual([0, 1]);
      expect(bench.read()).toMatchObject({ ids: [3, 4, 5, 6], isComplete: true });
      expect(bench.recorder.finish()).toEqual(bench.ends[0]);
    });

    it('refuses one that is not open, and makes no file', () => {
      const bench = setUp();
      bench.open(0);
      expect(refusal(() => bench.begin({ slots: [0, 7] }))).toEqual({
        code: 'channel_not_open',
        details: { channel: '7' },
      });
      expect(readdirSync(bench.files.project)).toEqual([]);
    });
  });

  it('leaves no file behind when there is no room even for its header', () => {
    const bench = setUp({ calls: new LimitedDisk(10) });
    bench.open(0);
    expect(refusal(() => bench.begin())).toEqual({
      code: 'file_unavailable',
      details: { field: 'file', path: 'drive.asc', reason: 'no_space' },
    });
    expect(readdirSync(bench.files.project)).toEqual([]);
    expect(bench.files.heldDescriptors()).toBe(0);
  });

  it('fails with the reason when the disk is full, with a file that can be read', () => {
    const bench = setUp({ calls: new LimitedDisk(2000) });
    const channel = bench.open(0);
    bench.begin();
    for (let round = 0; round < 10; round++) {
      bench.publish(channel, 10);
      bench.release();
    }
    const [ended] = bench.ends;
    expect(bench.ends).toHaveLength(1);
    expect(ended).toMatchObject({
      state: 'failed',
      error: { code: 'file_unavailable', details: { path: 'drive.asc', reason: 'no_space' } },
    });
    const found = bench.read();
    expect(found).toMatchObject({ malformed: 0, endsInLine: false, isComplete: true });
    expect(found.ids).toEqual(range(0, (ended?.frames ?? 0) - 1));
    expect(ended?.bytes).toBe(found.text.length);
    expect(bench.recorder.consumersOf(0)).toEqual([]);
    expect(bench.recorder.finish()).toEqual(ended);
    expect(bench.files.heldDescriptors()).toBe(0);
    expect(bench.defects).toEqual([]);
  });

  it('fails when not even the end of the file reaches the disk', () => {
    const disk = new LimitedDisk(100_000);
    const bench = setUp({ calls: disk });
    bench.begin();
    disk.isBroken = true;
    disk.code = 'EROFS';
    expect(bench.recorder.finish()).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'read_only' } },
    });
  });

  it('fails when the disk loses what it had taken', () => {
    const disk = new LimitedDisk(100_000);
    const bench = setUp({ calls: disk });
    bench.begin();
    disk.sync = () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    expect(bench.recorder.finish().error?.details.reason).toBe('io_error');
  });

  describe('looks every second', () => {
    it('and tells how far it is while the file is there', () => {
      const bench = setUp();
      const channel = bench.open(0);
      bench.begin();
      bench.publish(channel, 3);
      bench.bell.ring();
      bench.clock.advanceUs(3_500_000);
      expect(bench.progress.map(({ frames }) => frames)).toEqual([3, 3, 3]);
    });

    it('and fails when the file was removed', () => {
      const bench = setUp();
      bench.begin();
      rmSync(bench.path);
      bench.clock.advanceUs(1_000_000);
      expect(bench.ends).toMatchObject([
        { state: 'failed', error: { code: 'file_unavailable', details: { reason: 'removed' } } },
      ]);
      bench.clock.advanceUs(5_000_000);
      expect(bench.ends).toHaveLength(1);
      expect(bench.clock.pendingTimers).toBe(0);
    });

    it('and completes a file that was moved away with its folder', () => {
      const bench = setUp();
      const folder = join(bench.files.project, 'logs');
      mkdirSync(folder);
      const channel = bench.open(0);
      bench.begin({ file: 'logs/drive.asc' });
      bench.publish(channel, 2);
      bench.settle();
      renameSync(folder, `${folder}.old`);
      bench.clock.advanceUs(1_000_000);
      expect(bench.ends[0]?.error?.details).toEqual({
        field: 'file',
        path: 'logs/drive.asc',
        reason: 'removed',
      });
      expect(readRecording(`${folder}.old/drive.asc`)).toMatchObject({
        ids: [0, 1],
        isComplete: true,
      });
    });
  });

  it('fails, and tells of the defect, when the writer of the format breaks', () => {
    const breaking: CreateTrace = (sink) => ({
      write: () => {
        throw new TypeError('boom');
      },
      note: () => undefined,
      end: () => sink.write(Uint8Array.of(1)),
    });
    const bench = setUp({ createTrace: breaking });
    const channel = bench.open(0);
    bench.begin();
    bench.publish(channel, 1);
    bench.release();
    expect(bench.ends).toMatchObject([{ state: 'failed', error: { code: 'internal_error' } }]);
    expect(bench.defects).toEqual([new TypeError('boom')]);
  });

  it('shows its cursor in each channel', () => {
    const bench = setUp();
    const channel = bench.open(0);
    bench.open(1);
    bench.begin({ slots: [0] });
    bench.publish(channel, 3);
    expect(bench.recorder.consumersOf(0)).toEqual([{ kind: 'logging', cursor: 0, lag: 3 }]);
    bench.settle();
    expect(bench.recorder.consumersOf(0)).toEqual([{ kind: 'logging', cursor: 3, lag: 0 }]);
    expect(bench.recorder.consumersOf(1)).toEqual([]);
  });

  it('does not touch a file that exists, until it is told to', () => {
    const bench = setUp();
    const path = bench.files.write('project/drive.asc', 'mine');
    expect(refusal(() => bench.begin()).code).toBe('already_exists');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    bench.begin({ overwrite: true });
    bench.recorder.finish();
    expect(bench.read()).toMatchObject({ ids: [], isComplete: true });
  });
});
