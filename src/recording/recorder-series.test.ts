import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it as itAlways, onTestFinished } from 'vitest';
import { refusal } from '../base/files/testing/refusals.ts';
import { cases, itOnce as it } from '../base/testing/long.ts';
import { range } from '../broker/testing/hub-bench.ts';
import { createAsc } from '../trace/asc/asc-writer.ts';
import { type Compress, gzipFile } from './compress-file.ts';
import { addTrigger, type ListedFile, newFile } from './file-list.ts';
import type { RecordingFormat } from './recording-record.ts';
import { maxKeptFiles, type RecordingRequest } from './recording-request.ts';
import { LimitedDisk } from './testing/limited-disk.ts';
import { readRecording } from './testing/read-recording.ts';
import { RecorderBench } from './testing/recorder-bench.ts';

const endings: Readonly<Record<RecordingFormat, string>> = {
  asc: '.asc',
  blf: '.blf',
  candump: '.log',
  mf4: '.mf4',
};
const formats = Object.keys(endings) as RecordingFormat[];

/** The head of an MF4 file describes its records, and is larger than most test files. */
const headBytes = (format: RecordingFormat): number => (format === 'mf4' ? 36_000 : 0);

describe('A named recorder', () => {
  const benches: RecorderBench[] = [];
  const setUp = (options?: ConstructorParameters<typeof RecorderBench>[0]): RecorderBench => {
    const bench = new RecorderBench(options);
    benches.push(bench);
    return bench;
  };
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.dispose();
  });

  const begin = (bench: RecorderBench, request: Partial<RecordingRequest> = {}) => {
    const { format = 'asc' } = request;
    return bench.begin({
      name: 'night',
      bench: 'rig',
      file: `{name}_{n}${endings[format]}`,
      ...request,
    });
  };
  const pathOf = (bench: RecorderBench, file: string): string => join(bench.files.project, file);
  const readAll = (bench: RecorderBench) =>
    bench.recorder.record().files.map((entry) => ({
      ...entry,
      ...readRecording(pathOf(bench, entry.file)),
    }));
  const listOf = (bench: RecorderBench): { readonly files: ListedFile[] } =>
    JSON.parse(readFileSync(pathOf(bench, 'night.files.json'), 'utf8'));
  /** The record has the latest files only. */
  const readListed = (bench: RecorderBench) =>
    listOf(bench).files.map((entry) => ({ ...entry, ...readRecording(pathOf(bench, entry.file)) }));

  describe.each(formats)('in %s', (format) => {
    it('splits by size without losing or mixing events, and says which are where', async () => {
      const bench = setUp();
      const maxBytes = headBytes(format) + (format === 'blf' ? 10_000 : 20_000);
      const [one, two] = [bench.open(0, { slots: 4096 }), bench.open(1, { slots: 4096 })];
      begin(bench, { format, split: { max_bytes: maxBytes } });
      for (let round = 0; round < 60; round++) {
        bench.publish(one, 25);
        bench.publish(two, 25);
        bench.settle();
      }
      const { frames, missed } = bench.recorder.finish();
      await bench.recorder.settled();
      const files = readAll(bench);
      expect([frames, missed]).toEqual([3000, 0]);
      expect(files.length).toBeGreaterThan(2);
      expect(files.flatMap(({ ids }) => ids)).toEqual(range(0, 2999));
      let next = files[0]?.first_event_id ?? 0;
      for (const { bytes, text, ids, malformed, ...file } of files) {
        expect(bytes).toBeLessThanOrEqual(maxBytes);
        expect([bytes, file.frames, malformed]).toEqual([text.length, ids.length, 0]);
        expect(file.first_event_id).toBe(next);
        expect(file.last_event_id).toBe(next + ids.length - 1);
        if (format === 'asc')
          expect([file.firstId, file.lastId]).toEqual([next, next + ids.length - 1]);
        if (format === 'candump') expect(text).not.toContain('#\u0020');
        next += ids.length;
      }
      expect(listOf(bench)).toMatchObject({
        recorder: 'night',
        files: files.map(({ file, first_event_id, last_event_id, frames, bytes }) => ({
          file,
          first_event_id,
          last_event_id,
          frames,
          bytes,
          state: 'closed',
        })),
      });
    });

    it('waits for a full disk, and loses nothing while the rings hold', () => {
      const disk = new LimitedDisk(headBytes(format) + 3000);
      const bench = setUp({ calls: disk });
      const channel = bench.open(0, { slots: 4096 });
      begin(bench, { format });
      for (let round = 0; round < 20; round++) {
        bench.publish(channel, 100);
        bench.release();
      }
      expect(bench.recorder.record()).toMatchObject({
        state: 'waiting',
        error: { code: 'file_unavailable', details: { reason: 'no_space' } },
      });
      disk.room = 1_000_000;
      bench.clock.advanceUs(1_000_000);
      expect(bench.recorder.record()).toMatchObject({ state: 'running', error: null });
      expect(bench.recorder.finish()).toMatchObject({
        state: 'idle',
        frames: 2000,
        missed: 0,
        gaps: 0,
      });
      const [file] = readAll(bench);
      expect(file).toMatchObject({ ids: range(0, 1999), malformed: 0, gaps: 0, truncated: false });
    });

    it('says how much the rings could not hold while the disk was full', () => {
      const disk = new LimitedDisk(headBytes(format) + 3000);
      const bench = setUp({ calls: disk });
      const channel = bench.open(0, { slots: 256 });
      begin(bench, { format });
      const lost: number[] = [];
      for (let round = 0; round < 30; round++) {
        bench.publish(channel, 100);
        bench.release();
        lost.push(bench.recorder.record().missed);
      }
      const waiting = bench.recorder.record();
      expect(waiting).toMatchObject({ state: 'waiting', gaps: 1 });
      // What is overwritten from now on is lost, one for one.
      expect(lost.slice(-10)).toEqual(
        range(0, 9).map((round) => waiting.missed + 100 * (round - 9)),
      );
      disk.room = 1_000_000;
      bench.clock.advanceUs(1_000_000);
      expect(bench.recorder.record()).toMatchObject({ state: 'running', gaps: 1 });
      bench.publish(channel, 10);
      const { state, frames, missed, gaps } = bench.recorder.finish();
      const [file] = readAll(bench);
      expect([state, gaps]).toEqual(['idle', 1]);
      expect(missed).toBeGreaterThan(1000);
      expect(missed).toBe(waiting.missed);
      expect(frames + missed).toBe(3010);
      expect(file?.ids).toHaveLength(frames);
      expect(file?.malformed).toBe(0);
      if (format === 'candump')
        expect(listOf(bench).files[0]).toMatchObject({ missed, gaps: [{ missed }] });
      else expect(file).toMatchObject({ gaps: 1, missed });
    });

    it('that is stopped on a full disk leaves a file that can be read, and says what it lacks', () => {
      const disk = new LimitedDisk(headBytes(format) + 3000);
      const bench = setUp({ calls: disk });
      const channel = bench.open(0, { slots: 4096 });
      begin(bench, { format });
      for (let round = 0; round < 20; round++) {
        bench.publish(channel, 100);
        bench.release();
      }
      const { state, frames, missed, error } = bench.recorder.finish();
      const [file] = readAll(bench);
      expect([state, error?.details.reason]).toEqual(['failed', 'no_space']);
      expect(frames + missed).toBe(2000);
      expect(file).toMatchObject({ ids: range(0, frames - 1), malformed: 0, last_event_id: null });
    });

    it('lists the ids of events that are in its file, also while it waits', async () => {
      const bench = setUp({ calls: new LimitedDisk(headBytes(format) + 5000) });
      const channel = bench.open(0, { slots: 4096 });
      begin(bench, { format });
      for (let round = 0; round < 20; round++) {
        bench.publish(channel, 100);
        bench.release();
        await bench.recorder.settled();
        const [shown] = bench.recorder.record().files;
        const [listed] = listOf(bench).files;
        for (const { frames = -1, first_event_id, last_event_id } of [shown ?? {}, listed ?? {}]) {
          const ids = frames === 0 ? [null, null] : [1, frames];
          expect([first_event_id, last_event_id]).toEqual(ids);
        }
      }
      expect(bench.recorder.record().state).toBe('waiting');
    });

    it('is with the operating system after less than half a second', () => {
      const bench = setUp();
      const channel = bench.open(0, { slots: 4096 });
      begin(bench, { format });
      const [entry] = bench.recorder.record().files;
      const path = pathOf(bench, entry?.file ?? '');
      for (let round = 0; round < 40; round++) {
        bench.publish(channel, 1);
        bench.bell.ring();
        bench.clock.advanceUs(50_000);
        const written = readFileSync(path).length === 0 ? [] : readRecording(path).ids;
        expect(round - written.length).toBeLessThanOrEqual(9);
      }
    });
  });

  it('counts while it waits what several channels have lost by then', () => {
    const disk = new LimitedDisk(3000);
    const bench = setUp({ calls: disk });
    const [one, two] = [bench.open(0, { slots: 256 }), bench.open(1, { slots: 1024 })];
    begin(bench);
    for (let round = 0; round < 30; round++) {
      bench.publish(one, 100);
      bench.publish(two, 5);
      bench.release();
    }
    const waiting = bench.recorder.record();
    expect(waiting).toMatchObject({ state: 'waiting', gaps: 1 });
    disk.room = 1_000_000;
    bench.clock.advanceUs(1_000_000);
    const { frames, missed, gaps } = bench.recorder.finish();
    expect([frames + missed, missed, gaps]).toEqual([3150, waiting.missed, 1]);
    expect(missed).toBeGreaterThan(1000);
  });

  itAlways(
    'loses nothing at any split, whatever the limits and the disk',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...formats),
          fc.integer({ min: 4000, max: 30_000 }),
          fc.array(
            fc.record({
              count: fc.integer({ min: 0, max: 300 }),
              shiftUs: fc.integer({ min: -50_000, max: 0 }),
              room: fc.constantFrom(0, 5000, 40_000, 1_000_000),
            }),
            { minLength: 5, maxLength: 25 },
          ),
          async (format, eventBytes, rounds) => {
            const max_bytes = headBytes(format) + eventBytes;
            const disk = new LimitedDisk(1_000_000);
            const bench = new RecorderBench({ calls: disk });
            try {
              const channels = [bench.open(0, { slots: 512 }), bench.open(1, { slots: 512 })];
              begin(bench, { format, split: { max_bytes, max_seconds: 2 } });
              let published = 0;
              for (const [index, { count, shiftUs, room }] of rounds.entries()) {
                disk.room = room;
                const shift = index % 2 === 0 ? 0 : shiftUs;
                bench.publish(channels[index % 2] as (typeof channels)[0], count, shift);
                published += count;
                bench.release();
              }
              disk.room = 1_000_000;
              bench.clock.advanceUs(1_000_000);
              const { frames, missed, state } = bench.recorder.finish();
              await bench.recorder.settled();
              const files = readListed(bench);
              const ids = files.flatMap((file) => file.ids);
              expect([state, frames + missed]).toEqual(['idle', published]);
              expect(ids).toHaveLength(frames);
              expect(new Set(ids).size).toBe(frames);
              expect(files.every(({ malformed }) => malformed === 0)).toBe(true);
              for (const [index, file] of files.entries()) {
                const before = files[index - 1]?.last_event_id ?? -1;
                if (file.first_event_id === null) continue;
                expect(file.first_event_id).toBeGreaterThan(before ?? -1);
              }
            } finally {
              await bench.dispose();
            }
          },
        ),
        { numRuns: cases(2, 20) },
      );
    },
    600_000,
  );

  it('embeds the databases of its channels into each MF4 file', () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    const content = Buffer.from('VERSION "embedded"\nBU_: A\n');
    const databases = [
      { name: 'engine', file: 'db/engine.dbc', type: 'dbc' as const, content, channels: [1] },
    ];
    const request = { format: 'mf4', databases, embed_databases: true } as const;
    begin(bench, { ...request, split: { max_bytes: 66_000 } });
    bench.publish(channel, 2000);
    bench.recorder.finish();
    const files = readAll(bench);
    expect(files.length).toBeGreaterThan(1);
    expect(files.flatMap(({ ids }) => ids)).toEqual(range(0, 1999));
    for (const { text } of files) {
      expect(text).toContain('VERSION "embedded"');
      expect(text).toContain('db/engine.dbc');
    }
  });

  it('refuses to split into files that contain little but databases', () => {
    const bench = setUp();
    const content = new Uint8Array(40_000);
    const databases = [
      { name: 'engine', file: 'engine.dbc', type: 'dbc' as const, content, channels: [1] },
    ];
    const request = { format: 'mf4', databases, embed_databases: true } as const;
    const refused = refusal(() => begin(bench, { ...request, split: { max_bytes: 140_000 } }));
    expect(refused).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'split.max_bytes', minimum: 145_536 },
    });
    expect(readdirSync(bench.files.project)).toEqual([]);
  });

  it('splits by the monotonic clock, also where no event comes', async () => {
    const bench = setUp();
    const channel = bench.open(0);
    begin(bench, { file: '{date}-{time}-{n}.asc', split: { max_seconds: 10 } });
    bench.publish(channel, 3);
    bench.settle();
    bench.clock.advanceUs(11_000_000);
    bench.publish(channel, 2);
    bench.settle();
    bench.clock.advanceUs(1_000_000);
    bench.recorder.finish();
    await bench.recorder.settled();
    const files = readAll(bench);
    expect(files.map(({ file, ids }) => [file, ids])).toEqual([
      ['20231114-221320-1.asc', [0, 1, 2]],
      ['20231114-221331-2.asc', [3, 4]],
    ]);
    const [first, second] = files;
    expect((second?.times[0] ?? 0) - (first?.times[0] ?? 0)).toBeGreaterThan(10_990_000);
  });

  it('continues its numbers, and overwrites nothing', async () => {
    const bench = setUp();
    bench.files.write('project/night_7.asc', 'mine');
    bench.files.write('project/night_9.asc.gz', 'mine');
    begin(bench);
    bench.files.write('project/night_11.asc', 'mine as well');
    expect(bench.recorder.record().files).toMatchObject([{ file: 'night_10.asc' }]);
    bench.recorder.finish();
    await bench.recorder.settled();
    const next = setUp({ project: bench.files.project });
    begin(next);
    expect(next.recorder.record().files.at(-1)).toMatchObject({ file: 'night_12.asc' });
    expect(readFileSync(pathOf(bench, 'night_11.asc'), 'utf8')).toBe('mine as well');
    expect(readFileSync(pathOf(bench, 'night_7.asc'), 'utf8')).toBe('mine');
  });

  it('refuses a file that exists where the pattern has no number', () => {
    const bench = setUp();
    const path = bench.files.write('project/night.asc', 'mine');
    const refused = refusal(() => begin(bench, { file: 'night.asc' }));
    expect(refused).toEqual({
      code: 'already_exists',
      details: { field: 'file', path: 'night.asc' },
    });
    expect(() => begin(bench, { file: 'night.asc' })).toThrow('add {n} to the name');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(readdirSync(bench.files.project)).toEqual(['night.asc']);
  });

  it.each([
    ['../{name}_{n}.asc', 'path_outside_project'],
    ['nowhere/{n}.asc', 'file_not_found'],
    ['{date}/{n}.asc', 'invalid_argument'],
    ['{other}.asc', 'invalid_argument'],
  ])('refuses %s with %s before anything is written', (file, code) => {
    const bench = setUp();
    expect(refusal(() => begin(bench, { file })).code).toBe(code);
    expect(readdirSync(bench.files.project)).toEqual([]);
    expect(readdirSync(bench.files.outside)).toEqual([]);
  });

  it('names a folder that does not exist', () => {
    const bench = setUp();
    expect(() => begin(bench, { file: 'nowhere/{n}.asc' })).toThrow('nowhere does not exist');
    expect(refusal(() => begin(bench, { file: 'nowhere/{n}.asc' })).details).toEqual({
      field: 'file',
      path: 'nowhere',
    });
  });

  it('does not take a file of others for its list', () => {
    const bench = setUp();
    const path = bench.files.write('project/night.files.json', '{"mine":1}');
    expect(refusal(() => begin(bench))).toMatchObject({
      code: 'already_exists',
      details: { field: 'file', reason: 'not_a_file_list' },
    });
    expect(readFileSync(path, 'utf8')).toBe('{"mine":1}');
  });

  it('removes its oldest files, and no others', async () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    bench.files.write('project/night_0.asc', 'mine');
    begin(bench, { split: { max_bytes: 4000 }, keep: { max_files: 3 } });
    for (let round = 0; round < 20; round++) {
      bench.publish(channel, 50);
      bench.settle();
      await bench.recorder.settled();
    }
    bench.recorder.finish();
    await bench.recorder.settled();
    const left = readdirSync(bench.files.project).filter((file) => file.endsWith('.asc'));
    const { files } = bench.recorder.record();
    expect(files).toHaveLength(3);
    expect(left.sort()).toEqual(['night_0.asc', ...files.map(({ file }) => file)].sort());
    expect(files[0]?.first_event_id).toBeGreaterThan(100);
  });

  it('keeps no more bytes than it may', async () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { split: { max_bytes: 4000 }, keep: { max_bytes: 10_000 } });
    for (let round = 0; round < 20; round++) {
      bench.publish(channel, 50);
      bench.settle();
      await bench.recorder.settled();
    }
    bench.recorder.finish();
    await bench.recorder.settled();
    const sizes = bench.recorder.record().files.map(({ bytes }) => bytes);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(10_000);
  });

  it('removes files before they leave its list', async () => {
    const bench = setUp();
    const files = Array.from(
      { length: maxKeptFiles },
      (_, n): ListedFile => ({ ...newFile(`night_${n}.asc`), state: 'compressed' }),
    );
    bench.files.write('project/night.files.json', JSON.stringify({ recorder: 'night', files }));
    for (const n of [0, 1]) bench.files.write(`project/night_${n}.asc`, '');
    begin(bench, { keep: { max_bytes: 1e12 } });
    await bench.recorder.settled();
    expect(existsSync(pathOf(bench, 'night_0.asc'))).toBe(false);
    expect(existsSync(pathOf(bench, 'night_1.asc'))).toBe(true);
    expect(listOf(bench).files).toHaveLength(maxKeptFiles);
  });

  it('writes no list that it cannot read again', async () => {
    const bench = setUp();
    const files = Array.from({ length: 40 }, (_, n): ListedFile => {
      const file: ListedFile = { ...newFile(`night_${n}.asc`), state: 'compressed', missed: 7 };
      const condition = 'x'.repeat(4096);
      for (let mark = 0; mark < 100; mark++) {
        addTrigger(file, null, { time_us: mark, condition, pre_us: 0 });
      }
      return file;
    });
    const [old, recent] = [files.slice(0, 30), files.slice(30)];
    bench.files.write(
      'project/night.files.json',
      JSON.stringify({ recorder: 'night', files: old }),
    );
    begin(bench, { file: '{name}_{n}_a.asc' });
    bench.recorder.finish();
    await bench.recorder.settled();
    const listed = listOf(bench).files;
    bench.files.write(
      'project/night.files.json',
      JSON.stringify({ recorder: 'night', files: [...listed, ...recent] }),
    );
    const next = setUp({ project: bench.files.project });
    begin(next, { file: '{name}_{n}_b.asc' });
    next.recorder.finish();
    await next.recorder.settled();
    const after = listOf(bench).files;
    expect(after).toHaveLength(42);
    expect(after[0]).toMatchObject({ file: 'night_0.asc', missed: 7, triggers: [] });
    expect(after.at(-2)).toEqual(recent.at(-1));
  });

  it('compresses closed files, and takes none from others for it', async () => {
    const bench = setUp();
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { compress: true, split: { max_bytes: 4000 } });
    for (let round = 0; round < 5; round++) {
      bench.publish(channel, 50);
      bench.settle();
    }
    const { frames } = bench.recorder.finish();
    await bench.recorder.settled();
    const files = readAll(bench);
    expect(files.every(({ file }) => file.endsWith('.asc.gz'))).toBe(true);
    expect(files.flatMap(({ ids }) => ids)).toEqual(range(0, frames - 1));
    expect(
      files.every(({ file, bytes }) => readFileSync(pathOf(bench, file)).length === bytes),
    ).toBe(true);
    expect(readdirSync(bench.files.project).sort()).toEqual(
      ['night.files.json', ...files.map(({ file }) => file)].sort(),
    );
    expect(listOf(bench).files[0]?.state).toBe('compressed');
    const other = setUp();
    other.files.write('project/one.asc.gz', 'mine');
    const refused = refusal(() => begin(other, { file: 'one.asc', compress: true }));
    expect(refused.code).toBe('already_exists');
  });

  it('compresses what a killed one left', async () => {
    const bench = setUp();
    const channel = bench.open(0);
    begin(bench);
    bench.publish(channel, 5);
    bench.release();
    bench.clock.advanceUs(1_000_000);
    await bench.recorder.settled();
    const next = new RecorderBench({ project: bench.files.project });
    benches.push(next);
    begin(next, { compress: true });
    await next.recorder.settled();
    expect(readRecording(pathOf(bench, 'night_1.asc.gz')).ids).toEqual(range(0, 4));
    expect(existsSync(pathOf(bench, 'night_1.asc'))).toBe(false);
    expect(next.recorder.record().files.map(({ file }) => file)).toEqual([
      'night_1.asc.gz',
      'night_2.asc',
    ]);
  });

  it.each<[string, Compress, string[]]>([
    ['before the compressed file was written', async () => undefined, []],
    ['before the original was removed', gzipFile, []],
    ['after the original was removed', gzipFile, ['night_1.asc']],
  ])('completes a compression that was killed %s', async (_, compress, removed) => {
    const killed = new RecorderBench({
      compress: (job) =>
        new Promise((_resolve, reject) => {
          compress(job).then(done, reject);
        }),
    });
    onTestFinished(() => killed.files.dispose());
    let done = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { project } = killed.files;
    const channel = killed.open(0);
    begin(killed, { compress: true });
    killed.publish(channel, 5);
    killed.recorder.finish();
    await isWritten;
    for (const file of removed) rmSync(pathOf(killed, file));
    const next = setUp({ project });
    begin(next, { compress: true });
    await next.recorder.settled();
    expect(listOf(killed).files).toMatchObject([
      { file: 'night_1.asc.gz', frames: 5, state: 'compressed' },
      { file: 'night_2.asc' },
    ]);
    expect(readdirSync(project).sort()).toEqual([
      'night.files.json',
      'night_1.asc.gz',
      'night_2.asc',
    ]);
    expect(readRecording(pathOf(killed, 'night_1.asc.gz')).ids).toEqual(range(0, 4));
  });

  it('leaves a compressed file alone that it has not written', async () => {
    const bench = setUp();
    begin(bench);
    bench.recorder.finish();
    await bench.recorder.settled();
    bench.files.write('project/night_1.asc.gz', 'mine');
    const next = setUp({ project: bench.files.project });
    begin(next, { compress: true, keep: { max_files: 1 } });
    await next.recorder.settled();
    expect(readFileSync(pathOf(bench, 'night_1.asc.gz'), 'utf8')).toBe('mine');
    expect(existsSync(pathOf(bench, 'night_1.asc'))).toBe(false);
  });

  it('counts what a killed one left', async () => {
    const bench = setUp();
    const channel = bench.open(0);
    begin(bench);
    bench.publish(channel, 5);
    bench.release();
    expect(listOf(bench).files).toMatchObject([{ file: 'night_1.asc', frames: 0, state: 'open' }]);
    const next = new RecorderBench({ project: bench.files.project });
    benches.push(next);
    begin(next);
    await next.recorder.settled();
    expect(listOf(bench).files).toMatchObject([
      {
        ...{ file: 'night_1.asc', frames: 5, first_event_id: null, last_event_id: null },
        ...{ bytes: readFileSync(pathOf(bench, 'night_1.asc')).length, state: 'closed' },
      },
      { file: 'night_2.asc', frames: 0, state: 'open' },
    ]);
  });

  it('waits for no count of what a killed one left, which the next start repeats', async () => {
    const killed = setUp();
    const { project } = killed.files;
    const channel = killed.open(0);
    begin(killed);
    killed.publish(channel, 5);
    killed.release();
    const bench = setUp({ project, count: () => new Promise(() => undefined) });
    const other = bench.open(0);
    begin(bench);
    bench.publish(other, 3);
    bench.recorder.finish();
    const settled = bench.recorder.settled();
    bench.clock.advanceUs(1_000_000);
    await settled;
    expect(listOf(killed).files).toMatchObject([
      { file: 'night_1.asc', frames: 0, state: 'open' },
      { file: 'night_2.asc', frames: 3, state: 'closed' },
    ]);
    const next = setUp({ project });
    begin(next);
    await next.recorder.settled();
    expect(listOf(killed).files).toMatchObject([
      { file: 'night_1.asc', frames: 5, state: 'closed' },
      { file: 'night_2.asc', frames: 3, state: 'closed' },
      { file: 'night_3.asc', state: 'open' },
    ]);
  });

  it('removes what a killed one left, also before it is counted', async () => {
    const killed = setUp();
    begin(killed);
    const { project } = killed.files;
    const bench = setUp({ project, count: () => new Promise(() => undefined) });
    begin(bench, { keep: { max_files: 1 } });
    const settled = bench.recorder.settled();
    bench.clock.advanceUs(1_000_000);
    await settled;
    expect(listOf(killed).files).toMatchObject([{ file: 'night_2.asc', state: 'open' }]);
    expect(existsSync(pathOf(killed, 'night_1.asc'))).toBe(false);
  });

  it('starts a list that a power cut has emptied', () => {
    const bench = setUp();
    bench.files.write('project/night.files.json', '');
    begin(bench);
    expect(listOf(bench).files).toMatchObject([{ file: 'night_1.asc' }]);
  });

  it('begins no file that its list cannot name', async () => {
    const bench = setUp();
    const channel = bench.open(0);
    mkdirSync(pathOf(bench, 'logs'));
    begin(bench, { file: 'logs/night_{n}.asc', split: { max_seconds: 1 } });
    bench.publish(channel, 2);
    bench.release();
    const list = pathOf(bench, 'logs/night.files.json');
    rmSync(list);
    mkdirSync(list);
    bench.clock.advanceUs(2_000_000);
    bench.publish(channel, 3);
    bench.release();
    expect(bench.recorder.record()).toMatchObject({
      state: 'waiting',
      error: {
        code: 'file_unavailable',
        details: { field: 'file', path: 'logs/night.files.json' },
      },
      files: [{ file: 'logs/night_1.asc' }],
    });
    expect(existsSync(pathOf(bench, 'logs/night_2.asc'))).toBe(false);
    await bench.recorder.settled();
    rmdirSync(list);
    bench.clock.advanceUs(1_000_000);
    expect(bench.recorder.record()).toMatchObject({ state: 'running', error: null });
    expect(readFileSync(list, 'utf8')).toMatch(/night_1\.asc.*night_2\.asc/s);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 5, missed: 0 });
  });

  it.each<[string, (path: string) => unknown]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ])('does not start where its list cannot be written for %s, and leaves no file', (_, make) => {
    const bench = setUp();
    make(pathOf(bench, '.night.files.json.new'));
    expect(refusal(() => begin(bench))).toMatchObject({ code: 'file_unavailable' });
    expect(existsSync(pathOf(bench, 'night_1.asc'))).toBe(false);
  });

  it('saves a long list less often while a file grows', async () => {
    const bench = setUp();
    const old: ListedFile = { ...newFile('night_old.asc'), state: 'compressed' };
    const files = Array.from({ length: 2000 }, (_, n) => ({ ...old, file: `night_old_${n}.asc` }));
    bench.files.write('project/night.files.json', JSON.stringify({ recorder: 'night', files }));
    const channel = bench.open(0);
    begin(bench);
    const listed: (number | undefined)[] = [];
    for (let second = 0; second < 12; second++) {
      bench.publish(channel, 1);
      bench.release();
      bench.clock.advanceUs(700_000);
      await bench.recorder.settled();
      listed.push(listOf(bench).files.at(-1)?.frames);
    }
    expect(listed).toEqual([1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 11, 11]);
  });

  it('keeps its list up to date while it writes', async () => {
    const bench = setUp();
    const channel = bench.open(0);
    begin(bench);
    for (const count of [5, 3, 0]) {
      bench.publish(channel, count);
      bench.release();
      bench.clock.advanceUs(1_000_000);
      await bench.recorder.settled();
      const [entry] = bench.recorder.record().files;
      const { frames, last_event_id } = entry as NonNullable<typeof entry>;
      expect(listOf(bench).files).toMatchObject([{ state: 'open', frames, last_event_id }]);
    }
    expect(listOf(bench).files).toMatchObject([{ frames: 8, last_event_id: 8 }]);
  });

  it('opens the next file where the current one was removed or moved', () => {
    const bench = setUp();
    const channel = bench.open(0);
    begin(bench);
    bench.publish(channel, 2);
    bench.release();
    renameSync(pathOf(bench, 'night_1.asc'), pathOf(bench, 'moved.asc'));
    bench.clock.advanceUs(1_000_000);
    bench.publish(channel, 3);
    bench.release();
    rmSync(pathOf(bench, 'night_2.asc'));
    bench.clock.advanceUs(1_000_000);
    bench.publish(channel, 1);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', missed: 0, frames: 6 });
    expect(readRecording(pathOf(bench, 'moved.asc'))).toMatchObject({
      ids: [0, 1],
      isComplete: true,
    });
    expect(readRecording(pathOf(bench, 'night_3.asc')).ids).toEqual([5]);
  });

  it('fails where the removed file was to be the only one', () => {
    const bench = setUp();
    begin(bench, { file: 'night.asc' });
    rmSync(pathOf(bench, 'night.asc'));
    bench.clock.advanceUs(1_000_000);
    expect(bench.ends).toMatchObject([
      { state: 'failed', error: { details: { reason: 'removed' } } },
    ]);
  });

  it.each([
    ['without a number, and fails', 'night.asc', 'failed'],
    ['with a number, and fills the next one', 'night_{n}.asc', 'waiting'],
  ] as const)('misses what it had not written of a removed file %s', (_, file, state) => {
    const bench = setUp({ calls: new LimitedDisk(5000) });
    const channel = bench.open(0, { slots: 256 });
    begin(bench, { file });
    for (let round = 0; round < 30; round++) {
      bench.publish(channel, 100);
      bench.release();
    }
    const waiting = bench.recorder.record();
    expect(waiting).toMatchObject({ state: 'waiting', gaps: 1 });
    const [entry] = waiting.files;
    rmSync(pathOf(bench, entry?.file ?? ''));
    bench.clock.advanceUs(1_000_000);
    expect(bench.recorder.record().state).toBe(state);
    const { frames, missed, gaps } = bench.recorder.finish();
    expect([frames + missed, gaps]).toEqual([3000, 1]);
    expect(missed).toBeGreaterThan(waiting.missed);
  });

  it('misses what a file lacks that was the only one', () => {
    const bench = setUp({ calls: new LimitedDisk(3000) });
    const channel = bench.open(0, { slots: 4096 });
    bench.begin();
    bench.publish(channel, 500);
    bench.release();
    const { state, frames, missed } = bench.recorder.record();
    expect([state, frames + missed]).toEqual(['failed', 500]);
  });

  it('waits for a folder that was removed', () => {
    const bench = setUp();
    const folder = join(bench.files.project, 'logs');
    mkdirSync(folder);
    const channel = bench.open(0);
    begin(bench, { file: 'logs/{n}.asc' });
    rmSync(folder, { recursive: true });
    bench.clock.advanceUs(1_000_000);
    bench.publish(channel, 3);
    bench.release();
    expect(bench.recorder.record()).toMatchObject({
      state: 'waiting',
      error: { code: 'file_not_found' },
    });
    mkdirSync(folder);
    bench.clock.advanceUs(1_000_000);
    expect(bench.recorder.record()).toMatchObject({ state: 'running', error: null });
    bench.publish(channel, 1);
    expect(bench.recorder.finish()).toMatchObject({ state: 'idle', frames: 4 });
    expect(readRecording(join(folder, '2.asc')).ids).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ['fails', 3, { state: 'failed', frames: 0, missed: 3 }],
    ['ends', 0, { state: 'idle', frames: 0, missed: 0 }],
  ])('%s where it is stopped while its folder is missing, with %i events unwritten', (...row) => {
    const [, unwritten, expected] = row;
    const bench = setUp();
    const folder = join(bench.files.project, 'logs');
    mkdirSync(folder);
    const channel = bench.open(0);
    begin(bench, { file: 'logs/{n}.asc' });
    rmSync(folder, { recursive: true });
    bench.clock.advanceUs(1_000_000);
    bench.publish(channel, unwritten);
    bench.release();
    bench.recorder.finish();
    expect(bench.ends).toMatchObject([
      { ...expected, stopped_at_us: bench.clock.unixUs(), error: { code: 'file_not_found' } },
    ]);
    expect(bench.defects).toEqual([]);
  });

  it('fails where its format cannot end the file', () => {
    const bench = setUp({
      createTrace: (sink, options) => {
        const writer = createAsc(sink, options);
        writer.end = () => {
          throw new Error('broken');
        };
        return writer;
      },
    });
    begin(bench);
    bench.recorder.finish();
    expect(bench.ends).toMatchObject([{ state: 'failed', error: { code: 'internal_error' } }]);
    expect(bench.defects).toHaveLength(1);
  });

  it('never syncs while it writes', () => {
    const disk = new LimitedDisk(1_000_000);
    const later: (() => void)[] = [];
    disk.sync = () => {
      throw new Error('blocks');
    };
    disk.syncLater = (_, done) => {
      later.push(() => done(null));
    };
    const bench = setUp({ calls: disk });
    const channel = bench.open(0, { slots: 4096 });
    begin(bench, { split: { max_bytes: 4000 } });
    for (let round = 0; round < 20; round++) {
      bench.publish(channel, 50);
      bench.release();
    }
    // Nothing waits for a device that does not complete a sync.
    expect(bench.recorder.record()).toMatchObject({ state: 'running', frames: 1000 });
    expect(later.length).toBeGreaterThan(0);
    disk.sync = () => undefined;
    disk.syncLater = (_, done) => done(null);
    for (const done of later) done();
  });
});
