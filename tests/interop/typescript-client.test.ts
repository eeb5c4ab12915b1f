import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  Bench,
  type BinaryFrame,
  BusbarError,
  isGap,
  RequestTimeout,
  type Stream,
  StreamTimeout,
  Unreachable,
  type WebSocketConstructor,
} from '../../clients/typescript/src/index.ts';
import { endOf, repository, Workbench } from '../support/workbench.ts';

const token = 'letmein-7';
const service = new Workbench();
let port = 0;
let bench: Bench;

const client = (shown?: string): Bench =>
  new Bench(`http://127.0.0.1:${port}/`, {
    ...(shown === undefined ? {} : { token: shown }),
    WebSocket: WebSocket as unknown as WebSocketConstructor,
  });

/** Uses the same port as before. */
const startWeb = async (...options: string[]): Promise<void> => {
  const { listen } = await service.json<{ listen: string }>(
    'web',
    'start',
    `--listen=127.0.0.1:${port}`,
    `--token=${token}`,
    ...options,
  );
  port = Number(listen.split(':')[1]);
};

const named = `VERSION "1"
BU_: ECU
BO_ 256 Engine: 8 ECU
 SG_ EngineSpeed : 8|16@1+ (0.25,0) [0|8000] "rpm" ECU
 SG_ Gear : 40|4@1+ (1,0) [0|15] "" ECU
VAL_ 256 Gear 0 "Neutral" 2 "Second" ;
`;

beforeAll(async () => {
  await startWeb();
  bench = client(token);
});
afterEach(async () => {
  for (const { selector } of (await bench.call('channel.list')).channels) {
    await bench.call('channel.close', { selector });
  }
});
afterAll(() => service.dispose());

const openPair = async (): Promise<void> => {
  await bench.call('channel.open', { channel: 'SIM00001/0', name: 'tester' });
  await bench.call('channel.open', { channel: 'SIM00001/1', name: 'monitor' });
};

const send = (id: number, count = 1) =>
  bench.call('message.send', { channel: 'tester', id, data: 'DEADBEEF', count });

const take = async <Item>(stream: Stream<Item>) => {
  const { done, value } = await stream.next();
  if (done) throw new Error('The stream has ended');
  return value;
};

const frameOf = async <Item extends object>(stream: Stream<Item>): Promise<Item> => {
  const item = await take(stream);
  if (isGap(item)) throw new Error(`There is a gap: ${JSON.stringify(item)}`);
  return item;
};

/** Both streams of frames, which end with the test. */
const bothWays = async (input: { channel?: string; after?: number } = {}) => {
  const streams = [await bench.frames(input), await bench.binaryFrames(input)] as const;
  onTestFinished(() => streams.forEach((stream) => void stream.close()));
  return streams;
};

/** Both of them, reduced to their common fields. */
const alike = (streams: readonly unknown[]) => streams as readonly Stream<BinaryFrame>[];

describe('the TypeScript client', () => {
  it('carries out operations', async () => {
    const { selector } = await bench.call('channel.open', { channel: 'SIM00001/0', name: 'probe' });
    const changed = await bench.call('channel.configure', { selector, bitrate: 250_000 });
    expect(changed).toMatchObject({ selector: 'SIM00001/0', name: 'probe', bitrate: 250_000 });
    expect(await bench.call('channel.show', { selector: 'probe' })).toEqual(changed);
    expect(await bench.call('metrics')).toMatch(/^#/);
    const { events } = await bench.call('message.history', { channel: ['probe'], direction: 'rx' });
    expect(events).toEqual([]);
  });

  it('sends messages by name, changes them and receives their values', async () => {
    await openPair();
    writeFileSync(join(service.project, 'named.dbc'), named);
    await bench.call('database.load', { file: 'named.dbc' });
    for (const selector of ['tester', 'monitor']) {
      await bench.call('database.attach', { selector, name: 'named' });
    }
    const frames = await bench.frames({ channel: 'monitor', decode: true });
    onTestFinished(() => frames.close());
    const sent = await bench.send('tester', 'Engine', { EngineSpeed: 780.75, Gear: 'Second' });
    expect(sent).toMatchObject({ accepted: 1, data: '00330C0000020000' });
    const [speed, gear] = (await frameOf(frames)).signals ?? [];
    expect(speed).toMatchObject({ signal: 'EngineSpeed', value: '780.75', unit: 'rpm' });
    expect(gear).toMatchObject({ raw: '2', label: 'Second' });

    const task = await bench.cyclic('tester', 'Engine', { EngineSpeed: 1n }, { period_us: 10_000 });
    expect(task.record).toMatchObject({ task_id: task.id, data: '0004000000000000' });
    await task.set({ EngineSpeed: 900 });
    const speeds: unknown[] = [];
    while (speeds.at(-1) !== '900') {
      speeds.push((await frameOf(frames)).signals?.[0]?.value);
    }
    expect(await task.set({}, { enabled: false })).toMatchObject({ state: 'paused' });
    expect((await task.remove()).task_id).toBe(task.id);
    expect((await bench.call('tx-task.list')).tx_tasks).toEqual([]);

    const wrong = bench.send('tester', 'Engine', { EngineSpeed: 9000 });
    await expect(wrong).rejects.toMatchObject({ details: { field: 'signals.EngineSpeed' } });
    expect(() => bench.send('tester', 'Engine', { EngineSpeed: Number.NaN })).toThrow(RangeError);
    await bench.call('database.unload', { name: 'named' });
  });

  it('tells refusals by their code and the field', async () => {
    const refused = bench.call('channel.open', { channel: 'SIM00001/0', bitrate: -1 });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      status: 400,
      details: { field: 'bitrate' },
      requestId: expect.any(String),
    });
    await expect(bench.frames({ channel: 'tester' })).rejects.toThrow('channel_not_found');
    await expect(bench.binaryFrames({ channel: 'tester' })).rejects.toThrow('channel_not_found');
    await expect(bench.samples({ plan: 'plan-0' })).rejects.toThrow('plan_not_found');
  });

  it('is refused with a wrong token, everywhere', async () => {
    const stranger = client('wrong');
    for (const ask of [
      () => stranger.call('info'),
      () => stranger.frames(),
      () => stranger.binaryFrames(),
      () => stranger.traffic(),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    }
  });

  it('ends with a time-out, an abort or what is in the way', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((ready) => silent.once('listening', ready));
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    const url = `http://127.0.0.1:${address.port}/`;
    const quiet = new Bench(url, { timeoutMs: 50 });
    await expect(quiet.call('info')).rejects.toBeInstanceOf(RequestTimeout);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(quiet.call('info', {}, { signal })).rejects.toThrow('enough');
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => silent.close(closed));
    await expect(quiet.call('info')).rejects.toBeInstanceOf(Unreachable);
    expect(() => new Bench('127.0.0.1')).toThrow();
  });

  it('tells the same of a frame both ways', async () => {
    await openPair();
    const [events, binary] = await bothWays({ channel: 'monitor' });
    await bench.call('message.send', {
      channel: 'tester',
      id: 0x18ff50e5,
      extended: true,
      fd: true,
      brs: true,
      data: '000102030405060708090A0B',
    });
    const { selector, data, ...rest } = await frameOf(events);
    const { data: bytes, ...same } = await frameOf(binary);
    expect(same).toEqual(rest);
    expect(Buffer.from(bytes).toString('hex').toUpperCase()).toBe(data);
    expect({ ...rest, selector }).toMatchObject({
      id: 0x18ff50e5,
      bus: 'canfd',
      dlc: 9,
      brs: true,
      selector: 'SIM00001/1',
    });
  });

  it('counts errors that repeat alike both ways', async () => {
    await bench.call('channel.open', { channel: 'SIM00001/0', name: 'tester' });
    await send(0x123);
    const [events, binary] = await bothWays({ after: 0 });
    for (let at = 0; at < 12; at++) {
      const { selector: _, data, ...rest } = await frameOf(events);
      const { data: bytes, ...same } = await frameOf(binary);
      expect({ ...same, data: Buffer.from(bytes).toString('hex').toUpperCase() }).toEqual({
        ...rest,
        data,
      });
      expect(rest.count).toBeTypeOf('number');
    }
  });

  it('goes on behind a time-out, and behind a stop of the Web service', async () => {
    await openPair();
    const streams = await bothWays({ channel: 'monitor' });
    const quiet = await bothWays({ channel: 'monitor' });
    await expect(streams[0].next(1)).rejects.toBeInstanceOf(StreamTimeout);
    await send(0x200);
    for (const stream of alike(streams)) expect(await frameOf(stream)).toMatchObject({ id: 0x200 });
    await service.json('web', 'stop');
    await service.json('message', 'send', 'tester', '201#01');
    await expect(streams[1].next(100)).rejects.toBeInstanceOf(StreamTimeout);
    await startWeb();
    for (const stream of alike(streams)) expect(await frameOf(stream)).toMatchObject({ id: 0x201 });
    for (const stream of alike(quiet)) {
      expect(await frameOf(stream)).toMatchObject({ id: 0x200 });
      expect(await frameOf(stream)).toMatchObject({ id: 0x201 });
    }
  });

  it('tells what is no longer kept as a gap', async () => {
    await openPair();
    const streams = await bothWays({ channel: 'monitor' });
    await send(0x300);
    const [first] = [await frameOf(streams[0]), await frameOf(streams[1])];
    await service.json('web', 'stop');
    await service.json('message', 'send', 'tester', '301#01', '--count=40');
    await startWeb('--history-capacity=16');
    for (const stream of alike(streams)) {
      const gap = await take(stream);
      expect(gap).toMatchObject({ gap: 'lost', oldest_available: expect.any(Number) });
      const behind = await frameOf(stream);
      expect(behind.event_id).toBe((gap as { oldest_available: number }).oldest_available);
      expect(behind.event_id).toBeGreaterThan(first.event_id + 1);
    }
    await service.json('web', 'stop');
    await startWeb();
  });

  it('follows states, anew behind a gap, until it gives up', async () => {
    const stream = await bench.modbusEvents();
    const hasty = await bench.traffic({ reconnectMs: 0 });
    expect(await take(stream)).toMatchObject({ event: 'status' });
    await service.json('web', 'stop');
    await expect(
      (async () => {
        for await (const _ of hasty);
      })(),
    ).rejects.toBeInstanceOf(BusbarError);
    await startWeb();
    let item = await take(stream);
    while (!isGap(item)) item = await take(stream);
    expect(item.gap).toBe('reconnected');
    expect(await take(stream)).toMatchObject({ event: 'status' });
    stream.close();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('ends with its channel, and tells a new daemon as a gap', async () => {
    await openPair();
    const named = await bothWays({ channel: 'monitor' });
    const all = await bothWays();
    await bench.call('channel.close', { selector: 'monitor' });
    for (const stream of alike(named))
      await expect(stream.next()).rejects.toThrow('channel_not_found');
    await service.json('daemon', 'stop');
    await startWeb();
    await openPair();
    await send(0x400);
    for (const stream of alike(all)) {
      expect(await take(stream)).toMatchObject({ gap: 'restarted' });
      expect(await frameOf(stream)).toMatchObject({ id: 0x400, event_id: 1 });
    }
  });
});

const examples = [
  ...readFileSync(join(repository, 'docs', 'guides', 'typescript.md'), 'utf8').matchAll(
    /```js\n(.*?)```\n\n```text\n(.*?)```/gs,
  ),
].map(([, program = '', output = '']) => ({ program, output }));

describe('the TypeScript client, built', () => {
  const fresh = new Workbench();
  let url = '';
  beforeAll(async () => {
    const { status, stdout } = spawnSync(
      join(repository, 'node_modules', '.bin', 'tsc'),
      ['-p', 'clients/typescript', '--outDir', join(fresh.project, 'node_modules/busbar-client')],
      { cwd: repository, encoding: 'utf8' },
    );
    expect(status, stdout).toBe(0);
    const folder = join(fresh.project, 'node_modules', 'busbar-client');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'busbar-client', type: 'module', exports: './index.js' }),
    );
    url = `http://${(await fresh.startWeb()).listen}/`;
  });
  afterAll(() => fresh.dispose());

  it.each(examples)('runs what the guide shows: $program', async ({ program, output }) => {
    writeFileSync(join(fresh.project, 'example.mjs'), program);
    const run = spawn(process.execPath, ['example.mjs', url], {
      cwd: fresh.project,
      env: fresh.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await endOf(run)).toEqual({ code: 0, stdout: output, stderr: '' });
  });
});
