import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it as itAlways } from 'vitest';
import { refusal } from '../base/files/testing/refusals.ts';
import { cases, itOnce as it } from '../base/testing/long.ts';
import type { OpenRing } from '../broker/testing/bench-of-rings.ts';
import { range } from '../broker/testing/hub-bench.ts';
import type { RecordingRequest, RecordingTrigger } from './recording-request.ts';
import { LimitedDisk } from './testing/limited-disk.ts';
import { readRecording } from './testing/read-recording.ts';
import { RecorderBench } from './testing/recorder-bench.ts';

const frame = (id: number): string => `frame ${id.toString(16).padStart(8, '0')}`;

const anyTrigger: RecordingTrigger = {
  start: null,
  stop: null,
  pre_ms: 0,
  post_ms: 0,
  once: false,
  channels: {},
  slots: [],
  guarded: {},
};

describe('A recorder with a trigger', () => {
  const benches: RecorderBench[] = [];
  let published = 0;
  const setUp = (options?: ConstructorParameters<typeof RecorderBench>[0]): RecorderBench => {
    const bench = new RecorderBench(options);
    benches.push(bench);
    return bench;
  };
  afterEach(async () => {
    published = 0;
    for (const bench of benches.splice(0)) await bench.dispose();
  });

  const begin = (
    bench: RecorderBench,
    trigger: Partial<RecordingTrigger>,
    request: Partial<RecordingRequest> = {},
  ) =>
    bench.begin({
      name: 'night',
      bench: 'rig',
      file: '{n}.asc',
      trigger: { ...anyTrigger, ...trigger },
      ...request,
    });
  /** One frame every 10 ms; the first one has the id 0 and the time 0. */
  const drive = (bench: RecorderBench, channel: OpenRing, count: number): void => {
    for (let frames = 0; frames < count; frames++) {
      bench.publish(channel, 1, -published++);
      bench.bell.ring();
      bench.clock.advanceUs(10_000);
    }
  };
  /** A second without events. */
  const rest = (bench: RecorderBench): void => {
    for (let step = 0; step < 10; step++) {
      bench.bell.ring();
      bench.clock.advanceUs(100_000);
    }
  };
  const filesOf = (bench: RecorderBench) => {
    const { files } = bench.recorder.record();
    return files.map(({ file }) => readRecording(join(bench.files.project, file)));
  };
  const idsIn = (bench: RecorderBench) => filesOf(bench).map(({ ids }) => ids);
  const listOf = (bench: RecorderBench) =>
    JSON.parse(readFileSync(join(bench.files.project, 'night.files.json'), 'utf8')).files;

  it('is armed without a file, and records each trigger into the next one', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const start = `${frame(50)} or ${frame(100)}`;
    expect(begin(bench, { start, pre_ms: 200, post_ms: 100 })).toMatchObject({
      state: 'armed',
      files: [],
    });
    expect(readdirSync(bench.files.project)).toEqual([]);
    drive(bench, channel, 55);
    expect(bench.recorder.record().state).toBe('armed');
    drive(bench, channel, 65);
    rest(bench);
    expect(bench.recorder.record()).toMatchObject({ state: 'armed', frames: 62, missed: 0 });
    expect(idsIn(bench)).toEqual([range(30, 60), range(80, 110)]);
    const [first, second] = filesOf(bench);
    expect(first?.text).toContain(`Trigger: ${start}; recorded from 200 ms of 200 ms before it`);
    expect(second).toMatchObject({ firstId: 81, lastId: 111, isComplete: true });
    const states = bench.progress.map(({ state }) => state);
    expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
      ...['running', 'armed', 'running', 'armed'],
    ]);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 62 });
    const startUs = 1_700_000_000_000_000;
    expect(listOf(bench)).toMatchObject([
      { triggers: [{ time_us: startUs + 500_000, condition: start, pre_us: 200_000 }] },
      { triggers: [{ time_us: startUs + 1_000_000, after_event_id: 100 }] },
    ]);
  });

  it.each(['asc', 'blf', 'candump', 'mf4'] as const)('marks the trigger in %s', (format) => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(5), pre_ms: 30 }, { format, file: '{n}.x' });
    drive(bench, channel, 10);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 8 });
    const [file] = filesOf(bench);
    expect(file).toMatchObject({ ids: range(2, 9), malformed: 0 });
    expect(listOf(bench)).toMatchObject([{ triggers: [{ pre_us: 30_000 }] }]);
    const text = `Trigger: ${frame(5)}; recorded from 30 ms of 30 ms before it`;
    if (format === 'asc' || format === 'mf4') expect(file?.text).toContain(text);
    if (format === 'candump') expect(file?.text).not.toContain('Trigger');
  });

  it('reaches back as far as the rings, and says how far', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 64 });
    begin(bench, { start: frame(200), pre_ms: 1000, post_ms: 10 });
    drive(bench, channel, 210);
    rest(bench);
    const [file] = filesOf(bench);
    const first = file?.ids[0] ?? 0;
    expect(first).toBeGreaterThan(140);
    expect(first).toBeLessThan(195);
    expect(file?.ids).toEqual(range(first, 201));
    expect(file?.text).toContain(`recorded from ${(200 - first) * 10} ms of 1000 ms before it`);
    expect(file).toMatchObject({ gaps: 0, malformed: 0 });
  });

  it('records the trigger where the rings hold nothing before it', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 16 });
    begin(bench, { start: frame(40), pre_ms: 500, post_ms: 50 });
    drive(bench, channel, 40);
    // All of these are read, and wait for channels that lag, when the trigger comes.
    for (let burst = 0; burst < 5; burst++) {
      bench.publish(channel, 8, -published);
      published += 8;
      bench.bell.ring();
      bench.clock.advanceUs(1000);
    }
    rest(bench);
    const [file] = filesOf(bench);
    expect(file?.ids).toEqual(range(40, 79));
    expect(file?.text).toContain('recorded from 0 ms of 500 ms before it');
  });

  it('reaches back to what was before its start', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    drive(bench, channel, 30);
    begin(bench, { start: frame(35), pre_ms: 100, post_ms: 10 });
    drive(bench, channel, 20);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(25, 36)]);
    const [file] = filesOf(bench);
    expect((file?.times[0] ?? 0) - 1_700_000_000_000_000).toBe(250_000);
  });

  it('does not write events twice where triggers overlap', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: `${frame(50)} or ${frame(65)}`, pre_ms: 200, post_ms: 100 });
    drive(bench, channel, 80);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(30, 60), range(61, 75)]);
    expect(filesOf(bench)[1]?.text).toContain('recorded from 50 ms of 200 ms before it');
  });

  it('records longer where the trigger comes again during post_ms', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const start = [50, 58, 66, 170].map(frame).join(' or ');
    begin(bench, { start, post_ms: 100 });
    drive(bench, channel, 200);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(50, 76), range(170, 180)]);
  });

  it('marks it again where it comes again after a stop', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const start = `${frame(10)} or ${frame(160)}`;
    const stop = `${frame(150)} or ${frame(190)}`;
    begin(bench, { start, stop, post_ms: 200 });
    drive(bench, channel, 230);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(10, 210)]);
    const [file] = filesOf(bench);
    expect(file?.text.match(/Trigger: /g)).toHaveLength(2);
    bench.recorder.finish();
    expect(listOf(bench)[0].triggers).toHaveLength(2);
  });

  it('records from start to stop, and what follows the stop', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(10), stop: frame(30), pre_ms: 20, post_ms: 50 });
    drive(bench, channel, 60);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(8, 35)]);
    expect(bench.recorder.record().state).toBe('armed');
  });

  it('records one event where start and stop are the same', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(10), stop: frame(10) });
    drive(bench, channel, 20);
    rest(bench);
    expect(idsIn(bench)).toEqual([[10]]);
  });

  it('records without end after a start without stop and post_ms', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(10) });
    drive(bench, channel, 40);
    rest(bench);
    expect(bench.recorder.record().state).toBe('running');
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 30 });
    expect(idsIn(bench)).toEqual([range(10, 39)]);
  });

  it('ends after the first recording if it is to record once', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: `${frame(10)} or ${frame(30)}`, post_ms: 50, once: true });
    drive(bench, channel, 60);
    rest(bench);
    expect(bench.ends).toMatchObject([{ state: 'idle', error: null, frames: 6 }]);
    expect(idsIn(bench)).toEqual([range(10, 15)]);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 6 });
  });

  it('records from the beginning to the stop if it has no start', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    expect(begin(bench, { stop: frame(20), post_ms: 100 })).toMatchObject({ state: 'running' });
    drive(bench, channel, 60);
    rest(bench);
    expect(bench.ends).toMatchObject([{ state: 'idle', frames: 31 }]);
    expect(idsIn(bench)).toEqual([range(0, 30)]);
  });

  it('ends a recording by the clock where no event comes', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(4), post_ms: 300, once: true });
    drive(bench, channel, 5);
    bench.clock.advanceUs(600_000);
    expect(bench.recorder.record().state).toBe('running');
    rest(bench);
    expect(bench.ends).toMatchObject([{ state: 'idle', frames: 1 }]);
  });

  it('is triggered by silence, with nothing after it', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const start = 'silence 00000009 200ms';
    begin(bench, { start, pre_ms: 220, post_ms: 100 });
    drive(bench, channel, 10);
    rest(bench);
    expect(idsIn(bench)).toEqual([range(7, 9)]);
    bench.recorder.finish();
    expect(listOf(bench)).toMatchObject([
      { triggers: [{ time_us: 1_700_000_000_290_000, after_event_id: 10 }] },
    ]);
  });

  it('collects all triggers in one file if the name has no number', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const start = `${frame(20)} or ${frame(60)}`;
    begin(bench, { start, post_ms: 20 }, { file: 'night.asc' });
    drive(bench, channel, 100);
    rest(bench);
    bench.recorder.finish();
    const [file] = filesOf(bench);
    expect(file).toMatchObject({ ids: [20, 21, 22, 60, 61, 62], isComplete: true });
    expect(file?.text.match(/Trigger: /g)).toHaveLength(2);
  });

  it('evaluates what was published before it is stopped', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(8), pre_ms: 50 });
    bench.publish(channel, 10);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 10 });
    expect(idsIn(bench)).toEqual([range(0, 9)]);
  });

  it('leaves no file if it is stopped while it is armed', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { start: frame(500), pre_ms: 50 });
    drive(bench, channel, 10);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 0, files: [] });
    expect(readdirSync(bench.files.project)).toEqual(['night.files.json']);
  });

  it('says which events it did not see while it was armed', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 16 });
    begin(bench, { start: frame(100), pre_ms: 1000, post_ms: 10 });
    drive(bench, channel, 10);
    bench.publish(channel, 50, -published);
    published += 50;
    drive(bench, channel, 50);
    rest(bench);
    const { missed, gaps } = bench.recorder.record();
    expect(gaps).toBe(1);
    expect(missed).toBeGreaterThan(30);
    const [file] = filesOf(bench);
    expect(file?.text).toContain(`${missed} events before it were not checked`);
  });

  it('reports a gap during the recording as one', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 16 });
    begin(bench, { start: frame(5) });
    drive(bench, channel, 60);
    bench.publish(channel, 100, -published);
    published += 100;
    drive(bench, channel, 50);
    const { missed, gaps, frames } = bench.recorder.finish();
    expect(gaps).toBe(1);
    expect(frames + missed).toBe(205);
    expect(filesOf(bench)[0]).toMatchObject({ missed, gaps: 1 });
  });

  it('ends when its channels are closed, and records what triggered before', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const other = bench.open(1, { slots: 4096 });
    const trigger = { start: frame(8), pre_ms: 40, channels: { other: 2 }, slots: [1] };
    begin(bench, trigger, { slots: [0] });
    drive(bench, channel, 10);
    bench.close(channel);
    expect(bench.ends).toMatchObject([{ state: 'idle', frames: 6 }]);
    expect(idsIn(bench)).toEqual([range(4, 9)]);
    bench.publish(other, 1);
  });

  it('reads channels that only its condition names, and does not record them', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const other = bench.open(1, { slots: 4096 });
    const start = `${frame(30)} on other or ${frame(10)}`;
    const trigger = { start, pre_ms: 50, post_ms: 50, channels: { other: 2 }, slots: [1] };
    begin(bench, trigger, { slots: [0] });
    drive(bench, channel, 10);
    // Without "on" only the recorded channels count.
    drive(bench, other, 1);
    drive(bench, channel, 19);
    drive(bench, other, 1);
    drive(bench, channel, 20);
    rest(bench);
    expect(idsIn(bench)).toEqual([[...range(25, 29), ...range(31, 35)]]);
    expect(bench.recorder.record().channels).toMatchObject([{ channel: 1, slot: 0 }]);
  });

  itAlways('waits for a full disk before and after a trigger, and loses nothing', () => {
    for (const room of range(0, cases(5, 60)).map((step) => step * cases(720, 60))) {
      published = 0;
      const disk = new LimitedDisk(1_000_000);
      const bench = setUp({ calls: disk });
      const channel = bench.open(0, { slots: 4096 });
      const start = `${frame(50)} or ${frame(100)}`;
      begin(bench, { start, pre_ms: 200, post_ms: 100 });
      disk.room = room;
      drive(bench, channel, 150);
      rest(bench);
      const { state } = bench.recorder.record();
      expect(state, `${room}`).toBe(room < 1700 ? 'waiting' : state);
      disk.room = 1_000_000;
      rest(bench);
      rest(bench);
      expect(bench.recorder.record(), `${room}`).toMatchObject({ state: 'armed', frames: 62 });
      expect(idsIn(bench), `${room}`).toEqual([range(30, 60), range(80, 110)]);
      expect(bench.recorder.finish()).toMatchObject({ state: 'idle', missed: 0 });
      for (const file of filesOf(bench)) {
        expect(file.text.match(/Trigger: /g), `${room}`).toHaveLength(1);
        expect(file, `${room}`).toMatchObject({ isComplete: true, malformed: 0 });
      }
    }
  });

  it.each([
    ['a file that exists', { file: 'mine.asc' }, {}, 'already_exists'],
    ['a folder that does not exist', { file: 'nowhere/{n}.asc' }, {}, 'file_not_found'],
    ['a condition with unknown names', {}, { start: 'change Door.Open' }, 'invalid_argument'],
    ['a channel that is not open', {}, { slots: [7] }, 'channel_not_open'],
  ])('refuses %s when it is started', (_, request, trigger, code) => {
    const bench = setUp();
    bench.open(0);
    bench.files.write('project/mine.asc', 'mine');
    const own = { start: 'error', ...trigger };
    expect(refusal(() => begin(bench, own, { slots: [0], ...request })).code).toBe(code);
    expect(readdirSync(bench.files.project)).toEqual(['mine.asc']);
  });

  it('decodes signals with the databases of its channels', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const content = Buffer.from(
      'VERSION ""\nBU_: A\nBO_ 2147483658 Tenth: 8 A\n SG_ First : 0|8@1+ (1,0) [0|255] "" A\n',
    );
    const database = { name: 'tenth', file: 'tenth.dbc', type: 'dbc' as const, content };
    begin(
      bench,
      { start: 'signal Tenth.First > 200', post_ms: 10 },
      { databases: [{ ...database, channels: [1] }] },
    );
    drive(bench, channel, 20);
    rest(bench);
    expect(idsIn(bench)).toEqual([[10, 11]]);
  });
});
