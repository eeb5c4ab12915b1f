import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { Broker } from '../../broker/broker.ts';
import type { RecorderEntry } from '../recorder-settings.ts';
import type { RecorderStatus } from '../recording-record.ts';
import type { RecordedDatabase, RecordingRequest } from '../recording-request.ts';
import type { RecorderBench } from './named-recorder.ts';
import type { RecorderCounts } from './recorder-record.ts';
import { RecorderService } from './recorder-service.ts';
import { RecorderThreads } from './recorder-threads.ts';
import { FakeRecorder } from './testing/fake-recorder.ts';

const entry: RecorderEntry = { file: 'night-{n}.asc' };
const database: RecordedDatabase = {
  name: 'body',
  file: 'body.dbc',
  type: 'dbc',
  content: new Uint8Array(),
  channels: [1],
};

interface Options {
  readonly capacity?: number;
  readonly projectRoot?: string;
  readonly prepare?: (thread: FakeRecorder) => void;
}

const setUp = ({
  capacity = 16,
  projectRoot = '/project',
  prepare = () => undefined,
}: Options = {}) => {
  const broker = new Broker();
  const clock = new FakeClock();
  const threads: FakeRecorder[] = [];
  const failed: RecorderCounts[] = [];
  const read: unknown[] = [];
  const recorderThreads = new RecorderThreads({
    broker,
    clock,
    projectRoot,
    unixOffsetUs: 0,
    startRecorder: (data) => {
      const thread = new FakeRecorder(data);
      prepare(thread);
      threads.push(thread);
      return thread;
    },
    entries: () => [],
    onDefect: (thrown) => {
      throw thrown;
    },
  });
  const service = new RecorderService({
    threads: recorderThreads,
    unixUs: () => clock.unixUs(),
    projectRoot,
    capacity,
    databasesOf: async (slots) => {
      read.push(slots);
      return [database];
    },
    onFailed: (record) => failed.push(record),
  });
  /** Slots of open channels by selector. */
  const channels = new Map([
    ['SIM00001/0', 0],
    ['SIM00001/1', 1],
    ['body', 1],
  ]);
  const bench: RecorderBench = {
    name: async () => 'rig',
    follow: async (selectors) =>
      selectors.map((channel) => {
        const slot = channels.get(channel);
        if (slot === undefined) throw new BusbarError('channel_not_open', { details: { channel } });
        return { slot, number: slot + 1 };
      }),
  };
  const thread = (index = 0): FakeRecorder => threads[index] as FakeRecorder;
  const requests = () =>
    threads.flatMap(({ asked }) =>
      asked.flatMap((each) => {
        const [what, request] = each as [string, RecordingRequest];
        return what === 'begin' ? [request] : [];
      }),
    );
  const add = (name: string, more: Partial<RecorderEntry> = {}) =>
    service.add(name, { ...entry, ...more }, bench);
  const addAll = (entries: Readonly<Record<string, RecorderEntry>>) =>
    service.addAll(entries, bench);
  /** The recorder's thread ends without a request. */
  const end = async (index: number, final: Partial<RecorderStatus>): Promise<void> => {
    const { bench: port, record } = thread(index);
    void port.ended({ ...record, ...final });
    await eventually(() => thread(index).isGone);
  };
  return {
    ...{ service, recorderThreads, bench, channels, clock, thread, threads, requests },
    ...{ failed, read, add, addAll, end },
  };
};

const refusalOf = async (promise: Promise<unknown>) => {
  const thrown = await promise.then(
    () => {
      throw new Error('was not refused');
    },
    (error) => BusbarError.from(error),
  );
  return { code: thrown.code, details: thrown.details };
};

const refused = (code: ErrorCode, details: object) => ({ code, details });

const noSpace = new BusbarError('file_unavailable', { details: { reason: 'no_space' } }).toRecord();

describe('RecorderService', () => {
  describe('a recorder', () => {
    it('is added with complete settings, and records nothing yet', async () => {
      const { service, add, threads } = setUp();
      const added = await add('night', { channels: ['body'], split: { max_seconds: 60 } });
      expect(added).toEqual({
        name: 'night',
        source: 'request',
        state: 'idle',
        file: 'night-{n}.asc',
        channels: ['body'],
        format: 'asc',
        split: { max_seconds: 60 },
        keep: null,
        compress: false,
        embed_databases: false,
        trigger: null,
        sync_seconds: 1,
        recorded: [],
        frames: 0,
        bytes: 0,
        gaps: 0,
        missed: 0,
        started_at_us: null,
        stopped_at_us: null,
        error: null,
        files: [],
      });
      expect(await service.show('night')).toEqual(added);
      expect(threads).toEqual([]);
    });

    it('starts a thread with its settings and what they mean on the bench', async () => {
      const { service, add, requests, clock } = setUp();
      await add('night', { file: '{bench}-{n}.blf', channels: ['body', 'SIM00001/1'] });
      const started = await service.start('night');
      expect(started).toMatchObject({ state: 'running', started_at_us: null, error: null });
      expect(requests()).toMatchObject([
        {
          name: 'night',
          bench: 'rig',
          file: '{bench}-{n}.blf',
          format: 'blf',
          slots: [1],
          overwrite: false,
          databases: [],
        },
      ]);
      clock.advanceUs(1);
      expect(await service.stop('night')).toMatchObject({ state: 'idle', name: 'night' });
    });

    it('follows all channels unless it has some', async () => {
      const { service, add, requests } = setUp();
      await add('night');
      await service.start('night');
      expect(requests()).toMatchObject([{ slots: null }]);
    });

    it('shows what its thread reports, and keeps it after the stop', async () => {
      const { service, add, thread } = setUp();
      await add('night');
      await service.start('night');
      const file = {
        file: 'night-1.asc',
        first_event_id: 1,
        last_event_id: 9,
        frames: 9,
        bytes: 5,
      };
      const recorded = [{ channel: 1, slot: 0, selector: 'SIM00001/0', name: null }];
      const { record } = thread();
      thread().record = { ...record, frames: 9, files: [file], channels: recorded };
      expect(await service.show('night')).toMatchObject({
        ...{ state: 'running', frames: 9, files: [file], recorded, channels: null },
      });
      const [summary] = await service.list();
      expect(summary).toMatchObject({ name: 'night', frames: 9 });
      expect(summary).not.toHaveProperty('files');
      expect(service.latest).toMatchObject([{ name: 'night', frames: 9 }]);
      const stopped = await service.stop('night');
      expect(stopped).toMatchObject({ state: 'idle', frames: 9, files: [file] });
      expect(await service.stop('night')).toEqual(stopped);
      expect(await service.show('night')).toEqual(stopped);
    });

    it('reads databases for conditions with signals and for files that contain them', async () => {
      const { service, add, requests, read } = setUp();
      await add('plain', { trigger: { start: 'error' } });
      await add('signals', { channels: ['body'], trigger: { start: 'signal Door.Open > 0' } });
      await add('whole', { file: '{n}.mf4', embed_databases: true });
      for (const name of ['plain', 'signals', 'whole']) await service.start(name);
      expect(read).toEqual([[1], null]);
      expect(requests().map(({ databases }) => databases.length)).toEqual([0, 1, 1]);
    });

    it('can be started again after it has failed', async () => {
      const { service, add, end, failed } = setUp();
      await add('night');
      await service.start('night');
      await end(0, { state: 'failed', error: noSpace });
      expect(await service.show('night')).toMatchObject({ state: 'failed', error: noSpace });
      expect(failed).toMatchObject([{ name: 'night', file: 'night-{n}.asc', error: noSpace }]);
      expect(await service.start('night')).toMatchObject({ state: 'running', error: null });
    });

    it('is independent of the others', async () => {
      const { service, add, threads } = setUp();
      await Promise.all([add('one'), add('two')]);
      await Promise.all([service.start('one'), service.start('two')]);
      await service.stop('one');
      expect((await service.list()).map(({ name, state }) => [name, state])).toEqual([
        ['one', 'idle'],
        ['two', 'running'],
      ]);
      await service.stopAll();
      expect((await service.list()).every(({ state }) => state === 'idle')).toBe(true);
      expect(threads).toHaveLength(2);
    });
  });

  describe('refuses', () => {
    it.each([
      ['', 'name'],
      ['a b', 'name'],
      ['a/b', 'name'],
      ['17', 'name'],
      ['..', 'name'],
      ['x'.repeat(65), 'name'],
      ['logging', 'name'],
    ])('the name %j', async (name, field) => {
      const { service, add } = setUp();
      const details = { field, reason: 'name', name };
      expect(await refusalOf(add(name))).toEqual(refused('invalid_argument', details));
      expect(await service.list()).toEqual([]);
    });

    it.each<[Partial<RecorderEntry>, ErrorCode, string]>([
      [{ file: 'night.txt' }, 'invalid_argument', 'file'],
      [{ file: 'night' }, 'invalid_argument', 'file'],
      [{ file: 'folder/' }, 'invalid_argument', 'file'],
      [{ file: '{day}.asc' }, 'invalid_argument', 'file'],
      [{ file: '{date}/{n}.asc' }, 'invalid_argument', 'file'],
      [{ file: 'a\0.asc' }, 'invalid_argument', 'file'],
      [{ file: '../a.asc' }, 'path_outside_project', 'file'],
      [{ file: 'in/../../a.asc' }, 'path_outside_project', 'file'],
      [{ file: '/etc/a.asc' }, 'path_outside_project', 'file'],
      [{ file: '/projects/a.asc' }, 'path_outside_project', 'file'],
      [{ file: '..', format: 'asc' }, 'path_outside_project', 'file'],
      [{ file: 'a.files.json', format: 'asc' }, 'invalid_argument', 'file'],
      [{ file: 'night.asc', split: { max_seconds: 1 } }, 'invalid_argument', 'file'],
      [{ file: 'night.asc', keep: { max_files: 1 } }, 'invalid_argument', 'file'],
      [{ file: '{n}.blf', compress: true }, 'invalid_argument', 'compress'],
      [{ embed_databases: true }, 'invalid_argument', 'embed_databases'],
      [{ channels: ['a/b'] }, 'invalid_channel_selector', 'channels'],
      [{ channels: ['SIM00001/0', ' '] }, 'invalid_channel_selector', 'channels'],
      [{ trigger: { post_ms: 5 } }, 'invalid_argument', 'trigger'],
      [{ trigger: { start: 'no condition' } }, 'invalid_argument', 'trigger.start'],
      [{ trigger: { stop: 'frame' } }, 'invalid_argument', 'trigger.stop'],
      [{ trigger: { stop: 'error', pre_ms: 5 } }, 'invalid_argument', 'trigger.pre_ms'],
    ])('%j with %s, also as a change', async (settings, code, field) => {
      const { service, add, bench } = setUp();
      const before = await add('other');
      const expected = { code, details: { field } };
      expect(await refusalOf(add('night', settings))).toMatchObject(expected);
      expect(await refusalOf(service.change('other', settings, bench))).toMatchObject(expected);
      expect(await service.list()).toHaveLength(1);
      expect(await service.show('other')).toEqual(before);
    });

    it('no file inside a project at the root of the disk', async () => {
      const { add } = setUp({ projectRoot: '/' });
      expect(await add('night', { file: '/logs/{n}.asc' })).toMatchObject({ state: 'idle' });
    });

    it('a name that exists, from two clients at a time as well', async () => {
      const { service, add } = setUp();
      const details = { field: 'name', name: 'night' };
      const both = await Promise.allSettled([add('night'), add('night', { file: 'b-{n}.asc' })]);
      expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(await refusalOf(add('night'))).toEqual(refused('already_exists', details));
      expect(await service.show('night')).toMatchObject({ file: 'night-{n}.asc' });
    });

    it('more recorders than there can be', async () => {
      const { service, add } = setUp({ capacity: 2 });
      await add('one');
      await add('two');
      expect(await refusalOf(add('three'))).toEqual(refused('capacity_exceeded', { limit: 2 }));
      await service.remove('one');
      expect(await add('three')).toMatchObject({ name: 'three' });
    });

    it('a name that does not exist, and suggests one that does', async () => {
      const { service, add, bench } = setUp();
      await add('night');
      const calls = [
        service.show('nihgt'),
        service.start('nihgt'),
        service.stop('nihgt'),
        service.remove('nihgt'),
        service.change('nihgt', {}, bench),
      ];
      const details = { field: 'name', name: 'nihgt' };
      for (const call of calls)
        expect(await refusalOf(call)).toEqual(refused('recorder_not_found', details));
      await expect(service.show('nihgt')).rejects.toMatchObject({ hint: 'Did you mean night?' });
    });

    it('a start, a change and a removal while it runs, with its record', async () => {
      const { service, add, bench, threads } = setUp();
      await add('night');
      const first = service.start('night');
      expect(await refusalOf(service.start('night'))).toMatchObject({
        code: 'already_running',
        details: { name: 'night', state: 'running', file: 'night-{n}.asc' },
      });
      await first;
      const record = await service.show('night');
      for (const call of [
        service.start('night'),
        service.change('night', { sync_seconds: 5 }, bench),
        service.remove('night'),
      ])
        expect(await refusalOf(call)).toEqual(refused('already_running', { ...record }));
      expect(await service.show('night')).toEqual(record);
      expect(threads).toHaveLength(1);
    });

    it('a start on a channel that is not open, and keeps its last record', async () => {
      const { service, add, threads } = setUp();
      const added = await add('night', { channels: ['SIM00001/0', 'absent'] });
      expect(await refusalOf(service.start('night'))).toEqual(
        refused('channel_not_open', { channel: 'absent', field: 'channels' }),
      );
      expect(await service.show('night')).toEqual(added);
      expect(threads).toEqual([]);
    });

    it('a start whose condition names a channel that is not open', async () => {
      const { service, add } = setUp();
      await add('night', { trigger: { start: 'error', stop: 'error on absent' } });
      expect(await refusalOf(service.start('night'))).toEqual(
        refused('channel_not_open', { channel: 'absent', field: 'trigger.stop' }),
      );
    });

    it('a start that the thread refuses, and ends the thread', async () => {
      const { service, add, thread } = setUp({
        prepare: (each) => {
          each.refusal = new BusbarError('file_not_found', { details: { field: 'file' } });
        },
      });
      const added = await add('night');
      expect((await refusalOf(service.start('night'))).code).toBe('file_not_found');
      expect(await service.show('night')).toEqual(added);
      expect(thread().isGone).toBe(true);
    });

    it('a start while the daemon ends', async () => {
      const { service, add, recorderThreads, threads } = setUp();
      await add('night');
      recorderThreads.close();
      expect((await refusalOf(service.start('night'))).code).toBe('operation_cancelled');
      expect(threads).toEqual([]);
    });
  });

  describe('changes settings', () => {
    it('that are named, and keeps the others', async () => {
      const { service, add, bench, requests } = setUp();
      await add('night', { split: { max_seconds: 60 }, keep: { max_files: 3 }, sync_seconds: 4 });
      const changed = await service.change('night', { keep: { max_files: 5 } }, bench);
      expect(changed).toMatchObject({
        ...{ file: 'night-{n}.asc', split: { max_seconds: 60 }, sync_seconds: 4 },
        keep: { max_files: 5 },
      });
      expect(await service.change('night', {}, bench)).toEqual(changed);
      await service.start('night');
      expect(requests()).toMatchObject([{ keep: { max_files: 5 }, sync_seconds: 4 }]);
    });

    it('and removes groups and channels that are empty', async () => {
      const { service, add, bench } = setUp();
      await add('night', {
        ...{ channels: ['body'], split: { max_seconds: 60 }, keep: { max_files: 3 } },
        trigger: { start: 'error' },
      });
      const none = { channels: [], split: {}, keep: {}, trigger: {} };
      expect(await service.change('night', none, bench)).toMatchObject({
        ...{ channels: null, split: null, keep: null, trigger: null },
      });
    });

    it('with the format of a new file, unless both are named', async () => {
      const { service, add, bench } = setUp();
      await add('night', { file: 'night.trace', format: 'mf4' });
      const change = (more: Partial<RecorderEntry>) => service.change('night', more, bench);
      expect(await change({ sync_seconds: 2 })).toMatchObject({ format: 'mf4' });
      expect(await change({ file: 'night.log' })).toMatchObject({ format: 'candump' });
      expect(await change({ format: 'asc' })).toMatchObject({ file: 'night.log', format: 'asc' });
      expect(await change({ file: 'x', format: 'blf' })).toMatchObject({ format: 'blf' });
    });
  });

  describe('with a thread that still compresses', () => {
    const compressing = async () => {
      const compressed = new Deferred<void>();
      const bench = setUp({
        prepare: (each) => {
          each.settling = compressed.promise;
        },
      });
      await bench.add('night', { compress: true });
      await bench.service.start('night');
      expect(await bench.service.stop('night')).toMatchObject({ state: 'idle' });
      expect(bench.thread().isGone).toBe(false);
      return { ...bench, compressed };
    };

    it('starts the next one after it', async () => {
      const { service, thread, threads, clock, compressed } = await compressing();
      const started = service.start('night');
      await eventually(() => clock.pendingTimers === 1);
      expect(threads).toHaveLength(1);
      compressed.resolve();
      expect(await started).toMatchObject({ state: 'running' });
      expect(thread(0).isGone).toBe(true);
    });

    it('shows the files as they are after it', async () => {
      const { service, thread, compressed } = await compressing();
      const file = { first_event_id: 1, last_event_id: 9, frames: 9, bytes: 5 };
      thread().record = {
        ...thread().record,
        state: 'idle',
        files: [{ file: 'a.asc.gz', ...file }],
      };
      expect(await service.show('night')).toMatchObject({ state: 'idle', files: [] });
      compressed.resolve();
      await eventually(() => thread().isGone);
      expect((await service.show('night')).files).toEqual([{ file: 'a.asc.gz', ...file }]);
      expect((await service.remove('night')).files).toHaveLength(1);
    });

    it('ends it if that takes long, also for another recorder of the same name', async () => {
      const { service, add, thread, clock } = await compressing();
      await service.remove('night');
      await add('night');
      const started = service.start('night');
      await eventually(() => clock.pendingTimers === 1);
      clock.advanceUs(1_000_000);
      expect(await started).toMatchObject({ state: 'running' });
      expect(thread(0).isGone).toBe(true);
      expect(thread(1).isGone).toBe(false);
    });

    it('does not wait for the others', async () => {
      const { service, add, thread } = await compressing();
      await add('day');
      expect(await service.start('day')).toMatchObject({ state: 'running' });
      expect(thread(0).isGone).toBe(false);
    });
  });

  describe('of the bench file', () => {
    const shown = async (service: RecorderService) =>
      (await service.list()).map(({ name, source, state, error }) => [
        name,
        source,
        state,
        error?.code ?? null,
      ]);

    it('are started with the daemon, and do not hold each other up', async () => {
      const { service, addAll, failed } = setUp();
      await addAll({
        all: entry,
        some: { ...entry, channels: ['body'] },
        later: { ...entry, channels: ['late'] },
      });
      expect(await shown(service)).toEqual([
        ['all', 'bench', 'running', null],
        ['some', 'bench', 'running', null],
        ['later', 'bench', 'idle', 'channel_not_open'],
      ]);
      expect(failed).toEqual([]);
    });

    it('start without those whose settings are refused, and name these', async () => {
      const { service, add, addAll, failed } = setUp();
      await addAll({
        outside: { file: '../{n}.asc' },
        good: entry,
        night: { ...entry, trigger: { start: 'frame' } },
      });
      expect(await shown(service)).toEqual([['good', 'bench', 'running', null]]);
      const error = { code: 'invalid_argument', details: { field: 'trigger.start' } };
      const outside = { code: 'path_outside_project', details: { field: 'file' } };
      expect(failed).toMatchObject([
        { name: 'outside', file: '../{n}.asc', error: outside },
        { name: 'night', file: entry.file, error },
      ]);
      expect(service.latest).toMatchObject([
        { name: 'good', state: 'running', error: null },
        { name: 'outside', state: 'failed', frames: 0, error: outside },
        { name: 'night', state: 'failed', frames: 0, error },
      ]);
      const details = { field: 'name', name: 'night', reason: 'refused' };
      expect(await refusalOf(service.start('night'))).toEqual(
        refused('recorder_not_found', details),
      );
      await add('night');
      expect(service.latest.map(({ name }) => name)).toEqual(['good', 'night', 'outside']);
    });

    it('show why they have failed', async () => {
      const { service, addAll, failed } = setUp({
        prepare: (each) => {
          each.refusal = new BusbarError('already_exists', { details: { field: 'file' } });
        },
      });
      await addAll({ night: entry });
      expect(await shown(service)).toEqual([['night', 'bench', 'failed', 'already_exists']]);
      expect(failed).toMatchObject([{ name: 'night', error: { code: 'already_exists' } }]);
      service.channelOpened();
      expect(failed).toHaveLength(1);
    });

    it('wait for their channels, and start with the last of them', async () => {
      const { service, addAll, channels, requests } = setUp();
      await addAll({ night: { ...entry, channels: ['late', 'later'] } });
      channels.set('late', 4);
      service.channelOpened();
      channels.set('later', 5);
      service.channelOpened();
      await eventually(() => requests().length > 0);
      expect(requests()).toMatchObject([{ slots: [4, 5] }]);
      await eventually(() => service.latest[0]?.state === 'running');
      expect(await shown(service)).toEqual([['night', 'bench', 'running', null]]);
    });

    it('wait for their channels after these were closed, and after a refused start', async () => {
      const { service, addAll, channels, end, threads } = setUp();
      await addAll({ night: { ...entry, channels: ['body'] } });
      channels.delete('body');
      await end(0, { state: 'idle' });
      await eventually(() => service.latest[0]?.error !== null);
      expect((await refusalOf(service.start('night'))).code).toBe('channel_not_open');
      expect(await shown(service)).toEqual([['night', 'bench', 'idle', 'channel_not_open']]);
      channels.set('body', 7);
      service.channelOpened();
      await eventually(() => service.latest[0]?.state === 'running');
      expect(threads).toHaveLength(2);
    });

    it('continue on channels that were opened again before they noticed', async () => {
      const { service, addAll, end, requests } = setUp();
      await addAll({ night: { ...entry, channels: ['body'] } });
      await end(0, { state: 'idle' });
      await eventually(() => requests().length === 2);
      await eventually(() => service.latest[0]?.state === 'running');
    });

    it('stay stopped when they were stopped', async () => {
      const { service, addAll, channels, requests } = setUp();
      await addAll({
        night: { ...entry, channels: ['body'] },
        later: { ...entry, channels: ['late'] },
      });
      await service.stopAll();
      channels.set('late', 4);
      service.channelOpened();
      expect(await shown(service)).toEqual([
        ['night', 'bench', 'idle', null],
        ['later', 'bench', 'idle', null],
      ]);
      expect(requests()).toHaveLength(1);
      expect(await service.start('later')).toMatchObject({ state: 'running', error: null });
    });

    it('stay stopped when a single recording is over', async () => {
      const { service, addAll, end, requests } = setUp();
      await addAll({
        night: { ...entry, channels: ['body'], trigger: { start: 'error', once: true } },
      });
      await end(0, { state: 'idle' });
      service.channelOpened();
      expect(await shown(service)).toEqual([['night', 'bench', 'idle', null]]);
      expect(requests()).toHaveLength(1);
    });

    it('are known as running while a request starts them', async () => {
      const { service, addAll, channels, thread, threads } = setUp({
        prepare: (each) => {
          each.isLoading = true;
        },
      });
      await addAll({ night: { ...entry, channels: ['late'] } });
      channels.set('late', 4);
      const started = service.start('night');
      await eventually(() => threads.length === 1);
      expect(await refusalOf(service.start('night'))).toMatchObject({
        code: 'already_running',
        details: { state: 'running', error: null },
      });
      thread().load();
      await started;
      expect(await shown(service)).toEqual([['night', 'bench', 'running', null]]);
    });

    it('can be changed, until they have a channel that is open', async () => {
      const { service, addAll, bench, requests } = setUp();
      await addAll({ night: { ...entry, channels: ['late'] } });
      await service.change('night', { channels: ['body'] }, bench);
      await eventually(() => service.latest[0]?.state === 'running');
      expect(requests()).toMatchObject([{ slots: [1] }]);
    });

    it('can be removed while they wait', async () => {
      const { service, addAll, channels, threads } = setUp();
      await addAll({ night: { ...entry, channels: ['late'] } });
      expect(await service.remove('night')).toMatchObject({ name: 'night', state: 'idle' });
      channels.set('late', 4);
      service.channelOpened();
      expect(await service.list()).toEqual([]);
      expect(threads).toEqual([]);
    });
  });
});
