import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it as itAlways, onTestFinished } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { bundleProgram } from '../../base/testing/bundle-program.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { cases, itOnce as it } from '../../base/testing/long.ts';
import { Broker } from '../../broker/broker.ts';
import { Publisher } from '../../broker/publisher.ts';
import { RingWriter } from '../../broker/ring-writer.ts';
import type { RecordingRecord } from '../../recording/recording-record.ts';
import { LoggingService } from '../../recording/service/logging-service.ts';
import { RecorderThreads } from '../../recording/service/recorder-threads.ts';
import { publishFrames } from '../../recording/testing/publish-frames.ts';
import { readRecording } from '../../recording/testing/read-recording.ts';
import type { FrameSourceData } from './testing/frame-source.ts';

const sources = resolve(import.meta.dirname, '..', '..');

describe('logging with a recorder in a thread of its own', () => {
  let folder: string;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-logging-')));
    for (const file of ['entry/recorder', 'daemon/compose/testing/frame-source']) {
      const outfile = join(folder, `${basename(file)}.cjs`);
      await bundleProgram({ file: join(sources, `${file}.ts`) }, outfile);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const setUp = (slots?: number) => {
    const project = mkdtempSync(join(folder, 'project-'));
    const broker = new Broker();
    const clock = new SystemClock();
    const writer = broker.claimWriter();
    const size = slots ? { slots } : {};
    const rings = [0, 1].map((channel) => broker.openRing({ channel, writer, ...size }));
    const entries = rings.map((ring) => {
      const { channel } = ring;
      return {
        slot: channel,
        selector: `SIM00001/${channel}`,
        name: null,
        number: channel + 1,
        ring,
      };
    });
    const threads: Worker[] = [];
    const failed: RecordingRecord[] = [];
    const defects: unknown[] = [];
    const recorders = new RecorderThreads({
      broker,
      clock,
      projectRoot: project,
      unixOffsetUs: clock.unixOffsetUs,
      startRecorder: (workerData) => {
        const thread = new Worker(join(folder, 'recorder.cjs'), { workerData });
        threads.push(thread);
        return thread;
      },
      entries: () => entries,
      onDefect: (thrown) => defects.push(thrown),
    });
    const service = new LoggingService({
      threads: recorders,
      clock,
      replayed: () => [],
      onFailed: (record) => failed.push(record),
    });
    onTestFinished(async () => {
      await service.stop();
      await recorders.settled();
    });
    const start = (channels?: readonly string[]): Promise<RecordingRecord> =>
      service.start(
        { file: 'drive.asc', format: 'asc', isFormatGiven: true, overwrite: false, channels },
        async (selectors) => selectors.map(Number),
      );
    /** Publishes from another thread as fast as possible, and then ends it. */
    const publish = async (frames: number): Promise<void> => {
      const workerData: FrameSourceData = {
        memory: broker.memory.buffer,
        rings,
        frames,
        timestampUs: clock.unixUs(),
      };
      const source = new Worker(join(folder, 'frame-source.cjs'), { workerData });
      await once(source, 'message');
      await source.terminate();
    };
    const path = join(project, 'drive.asc');
    const writers = () => {
      const publisher = new Publisher(broker.memory, writer);
      return rings.map((ring) => new RingWriter(publisher, ring));
    };
    return {
      ...{ service, recorders, broker, project, path, threads },
      ...{ failed, defects, start, publish, writers },
    };
  };

  itAlways.each([
    ['ordinary', 32_768, cases(40_000, 100_000)],
    ['tiny', 64, cases(40_000, 100_000)],
  ])('accounts for every frame of a flood through %s rings', async (_, slots, frames) => {
    const { service, path, start, publish } = setUp(slots);
    await start();
    await publish(frames);
    const record = await service.stop();
    const found = readRecording(path);
    const missing = found.missing.reduce((sum, count) => sum + count, 0);
    expect(record).toMatchObject({ state: 'idle', error: null });
    expect(record.frames + record.missed).toBe(2 * frames);
    expect(found.ids).toHaveLength(record.frames);
    expect(missing).toBe(record.missed);
    expect(found.missing).toHaveLength(record.gaps);
    expect(found.ids.at(-1)).toBe(frames - 1);
    expect(found).toMatchObject({ malformed: 0, isComplete: true });
    expect(record.bytes).toBe(found.text.length);
  });

  it('brings single frames to the file while it runs, and shows where it is', async () => {
    const { service, path, start, writers } = setUp();
    await start(['1']);
    const [other, writer] = writers() as [RingWriter, RingWriter];
    for (let frame = 0; frame < 5; frame++) {
      publishFrames(other, 1);
      publishFrames(writer, 1, { firstId: frame });
      await eventually(() => readRecording(path).ids.length === frame + 1);
    }
    expect(await service.consumersOf(1)).toEqual([{ kind: 'logging', cursor: 10, lag: 0 }]);
    expect(await service.consumersOf(0)).toEqual([]);
    expect((await service.status()).frames).toBe(5);
    await service.stop();
    expect(readRecording(path)).toMatchObject({ channels: [2], isComplete: true });
  });

  it('ends by itself when the channels it was told of are closed', async () => {
    const { service, recorders, broker, path, threads, start, writers } = setUp();
    await start(['0']);
    const [writer] = writers() as [RingWriter];
    publishFrames(writer, 3);
    broker.closeRing(0);
    await recorders.channelClosed(0);
    // An ended thread has no id.
    await eventually(() => threads[0]?.threadId === -1);
    expect(await service.status()).toMatchObject({ state: 'idle', frames: 3, error: null });
    expect(readRecording(path)).toMatchObject({ ids: [0, 1, 2], isComplete: true });
    expect(broker.claimReader()).toBe(0);
  });

  it('fails when the thread is killed, and what was written can be read', async () => {
    const { service, broker, path, threads, failed, start, writers } = setUp();
    await start();
    const [writer] = writers() as [RingWriter];
    publishFrames(writer, 100);
    await eventually(() => readRecording(path).ids.length === 100);
    await threads[0]?.terminate();
    expect(await service.status()).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'recorder_died' } },
    });
    await eventually(() => failed.length === 1);
    expect(readRecording(path)).toMatchObject({ malformed: 0, endsInLine: false });
    publishFrames(writer, 100);
    expect(broker.claimReader()).toBe(0);
  });

  it('answers a refusal from the thread as it is, and makes nothing', async () => {
    const { service, project, start } = setUp();
    await start();
    await service.stop();
    await expect(start()).rejects.toMatchObject({
      code: 'already_exists',
      details: { field: 'file', path: 'drive.asc' },
    });
    expect(await service.status()).toMatchObject({ state: 'idle', file: 'drive.asc' });
    expect(readdirSync(project)).toEqual(['drive.asc']);
  });

  it('fails within moments of its file being removed', async () => {
    const { failed, path, start } = setUp();
    await start();
    rmSync(path);
    await eventually(() => failed.length === 1);
    expect(failed).toMatchObject([
      { error: { details: { path: 'drive.asc', reason: 'removed' } } },
    ]);
  });
});
