import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { mountSmallDisk } from './support/small-disk.ts';
import { type Answered, accepted, TransmitBench } from './support/transmit-bench.ts';

const [first, second] = ['SIM00001/0', 'SIM00001/1'];

interface ListedFile {
  readonly file: string;
  readonly first_event_id: number;
  readonly last_event_id: number;
  readonly frames: number;
  readonly bytes: number;
}

/** A daemon for all tests, whose bench file has recorders. */
class RecorderBench extends TransmitBench {
  add(name: string, settings: object): Promise<Answered> {
    onTestFinished(async () => {
      await this.post(`${api}/recorders/${name}/stop`, {});
      await this.delete(`recorders/${name}`);
    });
    return this.create('recorders', { name, ...settings });
  }

  async begin(name: string): Promise<Answered> {
    return accepted(await this.post(`${api}/recorders/${name}/start`, {}), 200);
  }

  async stop(name: string): Promise<Answered> {
    return accepted(await this.post(`${api}/recorders/${name}/stop`, {}), 200);
  }

  update(name: string, json: object) {
    return ask({
      port: this.port,
      method: 'PATCH',
      path: `${api}/recorders/${name}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
  }

  async use(...ports: string[]): Promise<void> {
    for (const port of ports) await this.open(port);
    onTestFinished(async () => {
      const { channels } = await this.status('channels');
      for (const { selector } of channels) await this.remove(selector);
    });
  }

  async sendMany(count: number): Promise<void> {
    const frame = { channel: first, id: 0x123, data: '0011223344556677', count };
    accepted(await this.send(frame), 200);
    for (const channel of [first, second]) await this.drained(channel);
  }

  async download(name: string, file: string): Promise<Buffer> {
    const path = `${api}/recorders/${name}/files/${encodeURIComponent(file)}`;
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  async eventsIn(file: string): Promise<number> {
    return (await this.json<{ events: number }>('trace', 'info', file)).events;
  }
}

const bench = new RecorderBench();
beforeAll(async () => {
  for (const folder of ['logs', 'split']) mkdirSync(bench.path(folder));
  symlinkSync(bench.home, bench.path('out'));
  writeBench(bench.project, {
    project_id: 'rig-7',
    networks: { powertrain: first },
    recorders: {
      night: { file: 'logs/{name}_{bench}_{n}.asc', channels: ['powertrain'] },
      lost: { file: 'nowhere/{n}.asc' },
      wrong: { file: 'logs/{n}.asc', trigger: { start: 'frame 123 and' } },
    },
  });
  await bench.start();
});
afterAll(() => bench.dispose());

const states = (answer: Answered) =>
  answer.recorders.map(({ name, source, state, error }: Answered) => [
    name,
    source,
    state,
    error?.code ?? null,
  ]);

describe('recorders of the bench file', () => {
  it('start with the daemon, wait for their channels and follow them', async () => {
    expect(states(await bench.status('recorders'))).toEqual([
      ['night', 'bench', 'idle', 'channel_not_open'],
      ['lost', 'bench', 'failed', 'file_not_found'],
    ]);
    expect(bench.log).toContain('"event":"recorder_failed","recorder":"lost"');
    expect(bench.log).toContain('"event":"recorder_failed","recorder":"wrong"');
    const health = await bench.json<Answered>('health');
    expect(health.recording.recorders.slice(1)).toMatchObject([
      { name: 'night', state: 'idle', error: 'channel_not_open', field: 'channels' },
      { name: 'lost', state: 'failed', error: 'file_not_found', field: 'file' },
      {
        ...{ name: 'wrong', state: 'failed', error: 'invalid_argument', field: 'trigger.start' },
        message: expect.stringContaining('trigger.start'),
      },
    ]);
    expect(await bench.status('health')).toMatchObject({ recording: health.recording });
    expect(refusedByCli(await bench.failure('recorder', 'start', 'wrong'))).toMatchObject({
      ...{ exit: 1, code: 'recorder_not_found', details: { name: 'wrong', reason: 'refused' } },
    });
    await bench.use(second);
    for (const round of [1, 2]) {
      await bench.open(first);
      await bench.until('recorders/night', ({ state }) => state === 'running');
      accepted(await bench.send({ channel: first, id: 0x11 }), 200);
      await bench.drained(first);
      await bench.remove(first);
      const ended = await bench.until('recorders/night', ({ error }) => error !== null);
      expect(ended).toMatchObject({ state: 'idle', error: { code: 'channel_not_open' } });
      expect(ended.files).toHaveLength(round);
      expect(await bench.eventsIn(`logs/night_rig-7_${round}.asc`)).toBe(1);
    }
  });
});

describe('a recorder', () => {
  it('is the same on the command line and over HTTP', async () => {
    await bench.use(first, second);
    onTestFinished(async () => void (await bench.delete('recorders/cli')));
    const added = await bench.json(
      ...['recorder', 'add', 'cli', '--file=cli-{n}.log', `--channel=${second}`],
      ...['--split=max_seconds=60,max_bytes=100000', '--keep=max_files=3', '--compress'],
      ...['--trigger=start=error,pre_ms=20,post_ms=10', '--sync-seconds=2'],
    );
    expect(added).toMatchObject({
      ...{ name: 'cli', source: 'request', state: 'idle', format: 'candump', files: [] },
      ...{ channels: [second], compress: true, embed_databases: false, sync_seconds: 2 },
      ...{ split: { max_seconds: 60, max_bytes: 100_000 }, keep: { max_files: 3 } },
      trigger: { start: 'error', pre_ms: 20, post_ms: 10 },
    });
    expect(await bench.status('recorders/cli')).toEqual(added);
    const update = ['recorder', 'update', 'cli', '--trigger={}', '--keep={}', '--compress=false'];
    const changed = await bench.json(...update);
    expect(changed).toMatchObject({ trigger: null, keep: null, compress: false, sync_seconds: 2 });
    const started = await bench.json('recorder', 'start', 'cli');
    expect(started).toMatchObject({ state: 'running', file: 'cli-{n}.log' });
    expect(await bench.consumerKinds(second)).toEqual(['logging']);
    for (const refused of [
      refusedByCli(await bench.failure('recorder', 'start', 'cli')),
      refusedByCli(await bench.failure('recorder', 'update', 'cli', '--sync-seconds=1')),
      refusedByCli(await bench.failure('recorder', 'remove', 'cli')),
      refusedOverHttp(await bench.post(`${api}/recorders/cli/start`, {})),
      refusedOverHttp(await bench.update('cli', { sync_seconds: 1 })),
      refusedOverHttp(await bench.delete('recorders/cli')),
    ]) {
      expect(refused).toMatchObject({
        code: 'already_running',
        details: { name: 'cli', state: 'running', file: 'cli-{n}.log' },
      });
    }
    await bench.sendMany(10);
    const stopped = await bench.json('recorder', 'stop', 'cli');
    expect(stopped).toMatchObject({ state: 'idle', frames: 10, missed: 0, sync_seconds: 2 });
    expect(await bench.json('recorder', 'show', 'cli')).toEqual(stopped);
    const { files: _, ...summary } = stopped;
    const { recorders } = await bench.json<{ recorders: object[] }>('recorder', 'list');
    expect(recorders).toContainEqual(summary);
    expect(await bench.json('recorder', 'remove', 'cli')).toEqual(stopped);
    expect(bench.has('cli-1.log')).toBe(true);
    const gone = await bench.failure('recorder', 'show', 'cli');
    expect(refusedByCli(gone)).toMatchObject({ exit: 1, code: 'recorder_not_found' });
  });

  itLong('splits in every format without losing an event between files', async () => {
    await bench.use(first, second);
    const formats = { asc: 'asc', blf: 'blf', log: 'candump', mf4: 'mf4' };
    const split = { max_bytes: 65_536 };
    for (const ending of Object.keys(formats)) {
      const compress = ending === 'asc' || ending === 'mf4';
      await bench.add(ending, { file: `split/{name}-{n}.${ending}`, split, compress });
      expect(await bench.begin(ending)).toMatchObject({ state: 'running' });
    }
    bench.write('split/kept-0.asc', 'mine');
    await bench.add('kept', { file: 'split/kept-{n}.asc', split, keep: { max_files: 2 } });
    await bench.begin('kept');
    const before = await bench.newest();
    await bench.sendMany(2500);
    const after = await bench.newest();
    for (const [ending, format] of Object.entries(formats)) {
      const { files, ...stopped } = await bench.stop(ending);
      expect(stopped).toMatchObject({ state: 'idle', format, frames: 5000, gaps: 0, missed: 0 });
      if (ending !== 'blf') expect(files.length).toBeGreaterThan(1);
      let next = before + 1;
      for (const { first_event_id, last_event_id, frames, bytes } of files as ListedFile[]) {
        expect(first_event_id).toBe(next);
        expect(last_event_id).toBe(next + frames - 1);
        expect(bytes).toBeLessThanOrEqual(65_536);
        next = last_event_id + 1;
      }
      expect(next).toBe(after + 1);
    }
    const compressed = await bench.until('recorders/asc', ({ files }) =>
      files.every(({ file }: ListedFile) => file.endsWith('.asc.gz')),
    );
    const [oldest] = compressed.files;
    const text = gunzipSync(await bench.download('asc', oldest.file)).toString('latin1');
    expect(text).toContain(`First event id: ${oldest.first_event_id}\n`);
    expect(text).toContain(`Last event id: ${oldest.last_event_id}\n`);
    await eventually(() => !bench.read('split/mf4.files.json').includes('"closed"'));
    const [mf4] = (await bench.status('recorders/mf4')).files;
    expect(await bench.eventsIn(mf4.file)).toBe(mf4.frames);
    await bench.stop('kept');
    const { files } = await bench.until('recorders/kept', (kept) => kept.files.length === 2);
    const listed = files.map(({ file }: ListedFile) => file.slice('split/'.length));
    const left = readdirSync(bench.path('split')).filter((file) => /^kept-\d+\.asc$/.test(file));
    expect(left.sort()).toEqual(['kept-0.asc', ...listed].sort());
    expect(bench.read('split/kept-0.asc')).toBe('mine');
  });

  it('ends with its channels, and its file is complete', async () => {
    await bench.use(first, second);
    await bench.add('one', { file: 'one.asc', channels: [second] });
    await bench.begin('one');
    await bench.sendMany(5);
    await bench.remove(second);
    const ended = await bench.until('recorders/one', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'idle', frames: 5, error: null });
    expect(bench.read('one.asc')).toMatch(/\nEnd TriggerBlock\n$/);
  });

  it('waits for a disk that is full and a folder that is missing, and misses nothing', async ({
    skip,
  }) => {
    await bench.use(first, second);
    if (!mountSmallDisk(bench.path('small'), 256 * 1024)) skip('needs the right to mount');
    bench.write('gone/other', '');
    await bench.add('full', { file: 'small/{n}.asc', channels: [second] });
    await bench.add('gone', { file: 'gone/{n}.asc', channels: [second] });
    for (const name of ['full', 'gone']) await bench.begin(name);
    renameSync(bench.path('gone'), bench.path('moved'));
    bench.write('small/filler', Buffer.alloc(200 * 1024));
    let sent = 3000;
    await bench.sendMany(sent);
    const waiting = await bench.until('recorders/full', ({ state }) => state === 'waiting');
    expect(waiting.error).toMatchObject({
      code: 'file_unavailable',
      details: { field: 'file', path: 'small/1.asc', reason: 'no_space' },
    });
    // The folder is missed at the next event.
    await eventually(async () => {
      await bench.sendMany(1);
      sent += 1;
      return (await bench.status('recorders/gone')).state === 'waiting';
    });
    expect((await bench.status('recorders/gone')).error).toMatchObject({
      ...{ code: 'file_not_found', details: { field: 'file' } },
    });
    const health = await bench.status('health');
    expect(health.recording.recorders).toContainEqual(
      expect.objectContaining({ name: 'full', state: 'waiting', error: 'file_unavailable' }),
    );
    rmSync(bench.path('small/filler'));
    renameSync(bench.path('moved'), bench.path('gone'));
    for (const name of ['full', 'gone']) {
      await bench.until(`recorders/${name}`, ({ state }) => state === 'running');
      const stopped = await bench.stop(name);
      expect(stopped).toMatchObject({ state: 'idle', frames: sent, missed: 0, error: null });
    }
    expect(await bench.eventsIn('small/1.asc')).toBe(sent);
  });

  it('overwrites nothing, and then has no thread', async () => {
    await bench.use(second);
    bench.write('mine.asc', 'mine');
    await bench.add('mine', { file: 'mine.asc' });
    expect(refusedOverHttp(await bench.post(`${api}/recorders/mine/start`, {}))).toEqual({
      status: 409,
      code: 'already_exists',
      details: { field: 'file', path: 'mine.asc' },
    });
    expect(bench.read('mine.asc')).toBe('mine');
    expect(await bench.status('recorders/mine')).toMatchObject({ state: 'idle', files: [] });
    expect(await bench.consumerKinds(second)).toEqual([]);
  });

  it('sends its files and no others', async () => {
    await bench.use(first);
    await bench.add('sent', { file: 'logs/{name} é.asc' });
    await bench.begin('sent');
    await bench.stop('sent');
    const [{ file, bytes }] = (await bench.status('recorders/sent')).files;
    const found = await bench.download('sent', file);
    expect([file, found.length]).toEqual(['logs/sent é.asc', bytes]);
    expect(found.toString('latin1')).toMatch(/\nEnd TriggerBlock\n$/);
    const path = `${api}/recorders/sent/files/${encodeURIComponent(file)}`;
    const headers = { range: 'bytes=0-3' };
    const whole = await ask({ port: bench.port, method: 'HEAD', path, headers });
    expect(whole).toMatchObject({ status: 200, text: '' });
    expect(whole.headers).toMatchObject({
      'content-length': String(bytes),
      'content-disposition':
        'attachment; filename="sent _.asc"; filename*=UTF-8\'\'sent%20%C3%A9.asc',
    });
    const others = ['busbar.bench.json', 'logs/sent.files.json', '../home/daemon.json'];
    for (const other of [...others, `logs/../${file}`, bench.path(file), 'x']) {
      const asked = await bench.get(`${api}/recorders/sent/files/${encodeURIComponent(other)}`);
      expect(refusedOverHttp(asked)).toMatchObject({ status: 404, code: 'file_not_found' });
    }
    rmSync(bench.path(file));
    symlinkSync('/etc/hostname', bench.path(file));
    expect(refusedOverHttp(await bench.get(path))).toMatchObject({
      status: 403,
      code: 'path_outside_project',
    });
  });
});

describe('a recorder that cannot be', () => {
  const found = (): string[] =>
    readdirSync(bench.project, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('night'))
      .sort();

  it.each([
    [{}, 400, 'invalid_argument', 'name'],
    [{ name: 'logging', file: 'a.asc' }, 400, 'invalid_argument', 'name'],
    [{ name: 'a/b', file: 'a.asc' }, 400, 'invalid_argument', 'name'],
    [{ name: 'night', file: 'a.asc' }, 409, 'already_exists', 'name'],
    [{ name: 'x' }, 400, 'invalid_argument', 'file'],
    [{ name: 'x', file: 7 }, 400, 'invalid_argument', 'file'],
    [{ name: 'x', file: 'a.txt' }, 400, 'invalid_argument', 'file'],
    [{ name: 'x', file: '{date}/{n}.asc' }, 400, 'invalid_argument', 'file'],
    [{ name: 'x', file: '../a.asc' }, 403, 'path_outside_project', 'file'],
    [{ name: 'x', file: '/a.asc' }, 403, 'path_outside_project', 'file'],
    [{ name: 'x', file: '{name}/../../a.asc' }, 403, 'path_outside_project', 'file'],
    [{ name: 'x', file: 'a.asc', split: { max_bytes: 65_536 } }, 400, 'invalid_argument', 'file'],
    [{ name: 'x', file: '{n}.asc', split: { max_bytes: 1 } }, 400, null, 'split.max_bytes'],
    [{ name: 'x', file: '{n}.asc', split: { every: 1 } }, 400, null, 'split.every'],
    [{ name: 'x', file: '{n}.asc', keep: { max_files: 0 } }, 400, null, 'keep.max_files'],
    [{ name: 'x', file: '{n}.asc', channels: ['a/b'] }, 400, 'invalid_channel_selector', null],
    [{ name: 'x', file: '{n}.asc', trigger: { start: 'frame' } }, 400, null, 'trigger.start'],
    [{ name: 'x', file: '{n}.asc', state: 'running' }, 400, null, 'state'],
  ])('is refused with the field at fault: %j', async (request, status, code, field) => {
    const refused = refusedOverHttp(await bench.post(`${api}/recorders`, request));
    expect(refused).toMatchObject({ status, details: { field: field ?? 'channels' } });
    expect(refused.code).toBe(code ?? 'invalid_argument');
    expect((await bench.status('recorders')).recorders).toHaveLength(2);
  });

  it.each([
    ['out/a-{n}.asc', 403, 'path_outside_project'],
    ['nowhere/a-{n}.asc', 404, 'file_not_found'],
    ['logs', 409, 'file_unavailable'],
  ])('does not start, and leaves nothing: %s', async (file, status, code) => {
    const before = found();
    await bench.add('x', { file, format: 'asc' });
    const refused = await bench.post(`${api}/recorders/x/start`, {});
    expect(refusedOverHttp(refused)).toMatchObject({ status, code, details: { field: 'file' } });
    const failure = await bench.failure('recorder', 'start', 'x');
    expect(refusedByCli(failure)).toMatchObject({ exit: 1, code });
    expect(found()).toEqual(before);
  });

  it('is refused on the command line as well', async () => {
    const add = ['recorder', 'add', 'x'];
    for (const [args, field] of [
      [[...add], 'file'],
      [[...add, '--file='], 'file'],
      [[...add, '--file=a.txt'], 'file'],
      [[...add, '--file={n}.asc', '--split=max_seconds=soon'], 'split.max_seconds'],
      [[...add, '--file={n}.asc', '--keep=files=3'], 'keep.files'],
      [[...add, '--file={n}.asc', '--compress=maybe'], 'compress'],
      [['recorder', 'update', 'night', '--sync-seconds=0'], 'sync_seconds'],
    ] as const) {
      expect(refusedByCli(await bench.failure(...args))).toMatchObject({
        ...{ exit: 2, code: 'invalid_argument', details: { field } },
      });
    }
  });

  it('is the seventeenth', async () => {
    for (let index = 3; index <= 16; index++) await bench.add(`r${index}`, { file: '{name}.asc' });
    const refused = await bench.post(`${api}/recorders`, { name: 'more', file: 'a.asc' });
    expect(refusedOverHttp(refused)).toMatchObject({
      ...{ status: 409, code: 'capacity_exceeded', details: { limit: 16 } },
    });
  });
});

describe('when the daemon ends', () => {
  it('recorders complete their files, and only those of the bench file come back', async () => {
    for (const port of [first, second]) await bench.open(port);
    await bench.until('recorders/night', ({ state }) => state === 'running');
    await bench.create('recorders', { name: 'day', file: 'day-{n}.blf' });
    await bench.begin('day');
    accepted(await bench.send({ channel: first, id: 0x11 }), 200);
    await bench.drained(first);
    const { file } = (await bench.status('recorders/night')).files.at(-1);
    await bench.json('daemon', 'stop');
    expect(await bench.json('trace', 'info', 'day-1.blf')).toMatchObject({
      ...{ events: 2, truncated: false },
    });
    expect(bench.read(file)).toMatch(/\nEnd TriggerBlock\n$/);
    await bench.start();
    expect(states(await bench.status('recorders'))).toEqual([
      ['night', 'bench', 'idle', 'channel_not_open'],
      ['lost', 'bench', 'failed', 'file_not_found'],
    ]);
  });
});
