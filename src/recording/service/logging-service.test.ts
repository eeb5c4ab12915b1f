import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { Broker } from '../../broker/broker.ts';
import type { RecorderChannel } from '../recorder.ts';
import {
  loggingRecord,
  noRecording,
  type RecorderStatus,
  type RecordingRecord,
} from '../recording-record.ts';
import { plainRecording } from '../recording-request.ts';
import { type FollowChannels, type LoggingRequest, LoggingService } from './logging-service.ts';
import { RecorderThreads } from './recorder-threads.ts';
import { FakeRecorder } from './testing/fake-recorder.ts';

const request: LoggingRequest = {
  file: 'drive.asc',
  format: 'asc',
  isFormatGiven: false,
  overwrite: false,
};

/** A bench whose selectors all name the same channel. */
const follow: FollowChannels = async (selectors) => selectors.map(() => 3);

const setUp = (prepare: (recorder: FakeRecorder) => void = () => undefined) => {
  const broker = new Broker();
  const clock = new FakeClock();
  const recorders: FakeRecorder[] = [];
  const failed: RecordingRecord[] = [];
  const defects: unknown[] = [];
  const ring = broker.openRing({ channel: 3, writer: broker.claimWriter(), slots: 16 });
  const entry: RecorderChannel = { slot: 3, selector: 'SIM00001/0', name: null, number: 1, ring };
  const threads = new RecorderThreads({
    broker,
    clock,
    projectRoot: '/project',
    unixOffsetUs: 5,
    startRecorder: (data) => {
      const recorder = new FakeRecorder(data);
      prepare(recorder);
      recorders.push(recorder);
      return recorder;
    },
    entries: () => [entry],
    onDefect: (thrown) => defects.push(thrown),
  });
  const service = new LoggingService({
    threads,
    clock,
    replayed: () => [],
    onFailed: (record) => failed.push(record),
  });
  const close = async (): Promise<void> => {
    threads.close();
    await service.stop();
    await threads.settled();
  };
  const recorder = (index = 0): FakeRecorder => recorders[index] as FakeRecorder;
  /** Whether no thread is registered as a reader. */
  const hasFreeReaders = (): boolean => {
    const reader = broker.claimReader();
    broker.releaseReader(reader);
    return reader === 0;
  };
  return {
    ...{ service, threads, close, clock, recorder, recorders },
    ...{ failed, defects, entry, hasFreeReaders },
  };
};

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (thrown) => BusbarError.from(thrown).code,
  );

describe('LoggingService', () => {
  it('is idle before anything was logged, and stopping it then changes nothing', async () => {
    const { service, recorders } = setUp();
    expect(await service.status()).toEqual(noRecording);
    expect(await service.stop()).toEqual(noRecording);
    expect(recorders).toEqual([]);
  });

  it('starts a thread for a file and ends it with the file', async () => {
    const { service, recorder, entry, hasFreeReaders, failed } = setUp();
    expect(await service.start(request, follow)).toMatchObject({ state: 'running' });
    expect(recorder().data).toMatchObject({ projectRoot: '/project', unixOffsetUs: 5 });
    expect(recorder().data.broker).toMatchObject({ reader: 0, channels: [entry] });
    expect(recorder().asked).toEqual([
      ['begin', plainRecording({ file: 'drive.asc', format: 'asc' })],
    ]);
    expect(hasFreeReaders()).toBe(false);
    recorder().record = { ...recorder().record, frames: 12 };
    expect(await service.status()).toMatchObject({ state: 'running', frames: 12 });
    expect(await service.stop()).toMatchObject({ state: 'idle', file: 'drive.asc', frames: 12 });
    expect(await service.status()).toMatchObject({ state: 'idle', file: 'drive.asc', frames: 12 });
    expect(recorder().isGone).toBe(true);
    expect(hasFreeReaders()).toBe(true);
    expect(failed).toEqual([]);
  });

  it('resolves selectors, and logs each channel once', async () => {
    const { service, recorder } = setUp();
    const followed: unknown[] = [];
    await service.start({ ...request, channels: ['a', 'b'] }, (selectors) => {
      followed.push(selectors);
      return follow(selectors);
    });
    expect(followed).toEqual([['a', 'b']]);
    expect(recorder().asked).toMatchObject([['begin', { slots: [3] }]]);
  });

  it('starts no thread for a selector that names nothing', async () => {
    const { service, recorders } = setUp();
    const refused = service.start({ ...request, channels: ['absent'] }, async () => {
      throw new BusbarError('channel_not_found');
    });
    await expect(refused).rejects.toMatchObject({
      code: 'channel_not_found',
      details: { field: 'channels' },
    });
    expect(recorders).toEqual([]);
    expect(await service.status()).toEqual(noRecording);
  });

  it('refuses a name of another format, unless the format is named as well', async () => {
    const { service, recorders } = setUp();
    const misnamed = { ...request, file: 'drive.BLF' };
    await expect(service.start(misnamed, follow)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'file', reason: 'other_format' },
    });
    expect(recorders).toEqual([]);
    const named = { ...misnamed, isFormatGiven: true };
    expect(await service.start(named, follow)).toMatchObject({ format: 'asc' });
  });

  it('logs to one file at a time, from the moment it is asked for', async () => {
    const { service, recorders } = setUp();
    const first = service.start(request, follow);
    const second = service.start({ ...request, file: 'other.asc' }, follow);
    await expect(second).rejects.toMatchObject({
      code: 'already_running',
      details: { state: 'running', file: 'drive.asc' },
    });
    await first;
    await expect(service.start(request, follow)).rejects.toMatchObject({
      code: 'already_running',
      details: { state: 'running', file: 'drive.asc', frames: 0 },
    });
    expect(recorders).toHaveLength(1);
  });

  it('keeps the last record when a start is refused, and lets go of the thread', async () => {
    const { service, recorder, recorders, hasFreeReaders } = setUp();
    await service.start(request, follow);
    const last = await service.stop();
    const refused = setUp((thread) => {
      thread.refusal = new BusbarError('already_exists', { details: { field: 'file' } });
    });
    await expect(refused.service.start(request, follow)).rejects.toMatchObject({
      code: 'already_exists',
      details: { field: 'file' },
    });
    expect(await refused.service.status()).toEqual(noRecording);
    expect(refused.recorder().isGone).toBe(true);
    expect(refused.hasFreeReaders()).toBe(true);
    expect(refused.failed).toEqual([]);
    expect(await service.status()).toEqual(last);
    await service.start(request, follow);
    expect(recorders).toHaveLength(2);
    expect(recorder(1).isGone).toBe(false);
    expect(hasFreeReaders()).toBe(false);
  });

  it('stops what is just being started', async () => {
    const { service, recorder } = setUp();
    const started = service.start(request, follow);
    const stopped = service.stop();
    expect(await started).toMatchObject({ state: 'running' });
    expect(await stopped).toMatchObject({ state: 'idle', file: 'drive.asc' });
    expect(recorder().isGone).toBe(true);
  });

  it('is stopped once, however many ask for it', async () => {
    const { service, close, recorder } = setUp();
    await service.start(request, follow);
    const records = await Promise.all([service.stop(), service.stop(), close()]);
    expect(records.slice(0, 2)).toMatchObject([{ state: 'idle' }, { state: 'idle' }]);
    expect(recorder().asked.filter((asked) => `${asked}` === 'finish')).toHaveLength(1);
  });

  it('starts nothing any more once it is closed', async () => {
    const { service, close, recorders } = setUp();
    await close();
    expect(await codeOf(service.start(request, follow))).toBe('operation_cancelled');
    expect(recorders).toEqual([]);
  });

  it('is idle again when the recorder has ended by itself', async () => {
    const { service, recorder, hasFreeReaders } = setUp();
    await service.start(request, follow);
    void recorder().bench.ended({ ...recorder().record, state: 'idle', frames: 7 });
    await eventually(() => recorder().isGone);
    expect(await service.status()).toMatchObject({ state: 'idle', frames: 7 });
    expect(hasFreeReaders()).toBe(true);
    expect(await service.start(request, follow)).toMatchObject({ state: 'running' });
  });

  it('shows why the recorder has failed, and can be started anew', async () => {
    const { service, recorder, failed } = setUp();
    await service.start(request, follow);
    const error = new BusbarError('file_unavailable', { details: { reason: 'no_space' } });
    const final: RecorderStatus = {
      ...recorder().record,
      state: 'failed',
      error: error.toRecord(),
    };
    void recorder().bench.ended(final);
    await eventually(() => recorder().isGone);
    expect(await service.status()).toEqual(loggingRecord(final));
    expect(await service.stop()).toEqual(loggingRecord(final));
    expect(failed).toEqual([loggingRecord(final)]);
    expect(await service.start(request, follow)).toMatchObject({ state: 'running', error: null });
  });

  it('fails with what was last known when the thread dies', async () => {
    const { service, recorder, clock, failed, hasFreeReaders } = setUp();
    await service.start(request, follow);
    await recorder().bench.progress({ ...recorder().record, frames: 40, bytes: 2000 });
    clock.advanceUs(1_000_000);
    recorder().emit('error', new RangeError('out of memory'));
    recorder().die();
    const record = await service.status();
    expect(record).toMatchObject({
      state: 'failed',
      frames: 40,
      bytes: 2000,
      stopped_at_us: 1_700_000_001_000_000,
      error: {
        code: 'internal_error',
        details: { reason: 'recorder_died', failure: 'RangeError: out of memory' },
      },
    });
    await eventually(() => failed.length > 0);
    expect(failed).toEqual([record]);
    expect(hasFreeReaders()).toBe(true);
  });

  it('refuses a start whose thread dies over it', async () => {
    const { service, recorder, hasFreeReaders } = setUp((thread) => {
      thread.hangs = true;
    });
    const started = codeOf(service.start(request, follow));
    await eventually(() => recorder()?.asked.length === 1);
    recorder().die();
    expect(await started).toBe('internal_error');
    expect(await service.status()).toEqual(noRecording);
    expect(hasFreeReaders()).toBe(true);
  });

  describe('on a machine where a thread takes very long to load', () => {
    const slow = () =>
      setUp((thread) => {
        thread.isLoading = true;
      });

    it('waits for the thread, and only then for the disk', async () => {
      const { service, clock, recorder } = slow();
      const started = service.start(request, follow);
      await eventually(() => recorder() !== undefined);
      clock.advanceUs(300e6);
      recorder().load();
      expect(await started).toMatchObject({ state: 'running', file: 'drive.asc' });
    });

    it('says that it is running only once the recorder listens', async () => {
      const { service, recorder } = slow();
      const started = service.start(request, follow);
      await eventually(() => recorder() !== undefined);
      expect(await service.status()).toEqual(noRecording);
      recorder().load();
      await started;
      expect(await service.status()).toMatchObject({ state: 'running', file: 'drive.asc' });
    });

    it('ends the thread with the daemon', async () => {
      const { service, close, recorder, hasFreeReaders } = slow();
      const refused = codeOf(service.start(request, follow));
      await eventually(() => recorder() !== undefined);
      await close();
      expect(await refused).toBe('operation_cancelled');
      expect(recorder().isGone).toBe(true);
      expect(hasFreeReaders()).toBe(true);
    });

    it('fails at once when the thread dies', async () => {
      const { service, recorder } = slow();
      const refused = codeOf(service.start(request, follow));
      await eventually(() => recorder() !== undefined);
      recorder().die();
      expect(await refused).toBe('internal_error');
      expect(await service.status()).toEqual(noRecording);
    });
  });

  describe('with a disk that hangs', () => {
    it('gives up a start', async () => {
      const { service, recorder, clock } = setUp((thread) => {
        thread.hangs = true;
      });
      const started = service.start(request, follow);
      const refused = expect(started).rejects.toMatchObject({
        code: 'file_unavailable',
        details: { reason: 'stalled' },
      });
      await eventually(() => clock.pendingTimers === 1);
      clock.advanceUs(10_000_000);
      await refused;
      expect(recorder().isGone).toBe(true);
    });

    it('answers what was last known', async () => {
      const { service, recorder, clock } = setUp();
      await service.start(request, follow);
      await recorder().bench.progress({ ...recorder().record, frames: 40 });
      recorder().hangs = true;
      const [status, consumers] = [service.status(), service.consumersOf(3)];
      await eventually(() => recorder().asked.length === 3);
      clock.advanceUs(1_000_000);
      expect(await status).toMatchObject({ state: 'running', frames: 40 });
      expect(await consumers).toEqual([]);
    });

    it('fails a stop, and ends the thread', async () => {
      const { service, recorder, clock } = setUp();
      await service.start(request, follow);
      recorder().hangs = true;
      const stopped = service.stop();
      await eventually(() => recorder().asked.length === 2);
      clock.advanceUs(10_000_000);
      expect(await stopped).toMatchObject({
        state: 'failed',
        error: { code: 'file_unavailable', details: { reason: 'stalled' } },
      });
      expect(recorder().isGone).toBe(true);
    });

    it('holds up no channel that is opened, and says of a closed one that it may be in use', async () => {
      const { service, threads, recorder, clock, entry } = setUp();
      await service.start(request, follow);
      recorder().hangs = true;
      const opening = threads.channelOpening(entry);
      const closed = codeOf(threads.channelClosed(3));
      await eventually(() => recorder().asked.length === 3);
      clock.advanceUs(1_000_000);
      await opening;
      expect(await closed).toBe('busy');
    });
  });

  it('tells the recorder of channels, also while it is being started', async () => {
    const { service, threads, recorder, entry } = setUp();
    const started = service.start(request, follow);
    await eventually(() => recorder() !== undefined);
    await threads.channelClosed(3);
    await threads.channelOpening(entry);
    await started;
    await threads.channelClosed(4);
    expect(recorder().asked.filter((asked) => !`${asked}`.startsWith('begin'))).toEqual([
      ['closed', 3],
      ['opening', 3],
      ['closed', 4],
    ]);
  });

  it('lets go of channels when the recorder is gone', async () => {
    const { service, threads, recorder } = setUp();
    await service.start(request, follow);
    recorder().hangs = true;
    const closed = threads.channelClosed(3);
    await eventually(() => recorder().asked.length === 2);
    recorder().die();
    await closed;
    await threads.channelClosed(4);
    expect(recorder().asked).toHaveLength(2);
  });

  it('shows the cursor of the recorder', async () => {
    const { service, recorder } = setUp();
    expect(await service.consumersOf(3)).toEqual([]);
    await service.start(request, follow);
    recorder().consumers = [{ kind: 'logging', cursor: 9, lag: 2 }];
    expect(await service.consumersOf(3)).toEqual(recorder().consumers);
  });
});
