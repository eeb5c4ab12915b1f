import { readFileSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { candumpLine, linesOf } from './support/trace-lines.ts';
import {
  reuseTransmitBench,
  setUpTransmitBench,
  type TransmitBench,
} from './support/transmit-bench.ts';

const [first, second] = ['SIM00001/0', 'SIM00001/1'];

const traffic: readonly object[] = [
  { channel: first, id: 0x123, data: 'DEADBEEF' },
  { channel: second, id: 0x18ff50e5, extended: true, data: '01', count: 3 },
  { channel: first, type: 'remote', id: 0x7ff, dlc: 4 },
  { channel: first, id: 0x10, data: '0011223344556677', dlc: 14 },
  { channel: second, id: 0x20, fd: true, data: '5A'.repeat(64) },
  { channel: first, id: 0x21, fd: true, brs: true, esi: true, data: 'AB'.repeat(12) },
];

const send = async (bench: TransmitBench, frames = traffic): Promise<void> => {
  for (const frame of frames) {
    const answer = await bench.send(frame);
    expect(answer.status, answer.text).toBe(200);
  }
  for (const channel of [first, second]) await bench.drained(channel);
};

const idle = {
  state: 'idle',
  file: null,
  format: null,
  channels: [],
  frames: 0,
  bytes: 0,
  gaps: 0,
  missed: 0,
  started_at_us: null,
  stopped_at_us: null,
  error: null,
};

const ports = (record: { channels: { selector: string }[] }): string[] =>
  record.channels.map(({ selector }) => selector);

const setUp = reuseTransmitBench();

describe('logging', () => {
  it('is idle at first, and stopping that changes nothing', async () => {
    const bench = await setUpTransmitBench();
    expect(await bench.status('logging')).toEqual(idle);
    expect(await bench.end('logging')).toEqual(idle);
    expect(await bench.json('logging', 'status')).toEqual(idle);
    expect(await bench.json('logging', 'stop')).toEqual(idle);
  });

  it('has every event of its channels in the file, as history has them', async () => {
    const bench = await setUp(0, 1, 2, 3);
    await send(bench, [{ channel: first, id: 0x111 }]);
    const before = await bench.newest();
    const started = await bench.create('logging', { file: 'drive.asc' });
    expect(started).toMatchObject({
      state: 'running',
      file: 'drive.asc',
      format: 'asc',
      frames: 0,
    });
    expect(ports(started)).toEqual([0, 1, 2, 3].map((port) => `SIM00001/${port}`));
    await send(bench);
    const stopped = await bench.end('logging');
    const { events } = await bench.status(`messages/history?after=${before}&limit=4096`);
    expect(stopped).toMatchObject({ state: 'idle', frames: 16, gaps: 0, missed: 0, error: null });
    expect(stopped.bytes).toBe(bench.read('drive.asc').length);
    expect(events).toHaveLength(16);
    expect(await linesOf(bench, 'drive.asc')).toEqual(events.map(candumpLine));
    expect(await bench.json('trace', 'info', 'drive.asc')).toMatchObject({
      format: 'asc',
      events: 16,
      buses: { can: 12, canfd: 4, lin: 0 },
      kinds: { rx_frame: 8, tx_complete: 8 },
      remote_frames: 2,
      channels: [
        { channel: 1, name: first, events: 8 },
        { channel: 2, name: second, events: 8 },
      ],
      malformed: 0,
      truncated: false,
    });
    await send(bench);
    expect(await bench.status('logging')).toEqual(stopped);
    expect(await bench.json('logging', 'stop')).toEqual(stopped);
  });

  it('is started and stopped on the command line as over HTTP', async () => {
    const bench = await setUp(0, 1);
    const { slot } = await bench.show(second);
    const started = await bench.json(
      'logging',
      'start',
      'a.asc',
      `--channel=${slot}`,
      `--channel=${second}`,
    );
    expect(started).toMatchObject({ state: 'running', channels: [{ channel: 2, slot }] });
    await send(bench);
    await eventually(async () => (await bench.status('logging')).frames === 8);
    expect(await bench.json('logging', 'status')).toMatchObject({ state: 'running', frames: 8 });
    const stopped = await bench.json('logging', 'stop');
    expect(stopped).toEqual(await bench.status('logging'));
    expect(await linesOf(bench, 'a.asc')).toEqual((await bench.events(second)).map(candumpLine));
  });

  it.each([
    ['blf', 'drive.blf'],
    ['candump', 'drive.log'],
    ['mf4', 'drive.mf4'],
    ['mf4', 'drive.asc'],
  ])('writes %s over HTTP where the request names it: %s', async (format, file) => {
    const bench = await setUp(0, 1);
    const before = await bench.newest();
    expect(await bench.create('logging', { file, format })).toMatchObject({ file, format });
    await send(bench);
    const stopped = await bench.json('logging', 'stop');
    expect(stopped).toMatchObject({ state: 'idle', format, frames: 16, gaps: 0, missed: 0 });
    expect(stopped.bytes).toBe(readFileSync(bench.path(file)).length);
    expect(await bench.json('trace', 'info', file)).toMatchObject({ format, events: 16 });
    const { events } = await bench.status(`messages/history?after=${before}&limit=4096`);
    expect(await linesOf(bench, file)).toEqual(events.map(candumpLine));
  });

  it('follows channels that are opened meanwhile, and LIN as well', async () => {
    const bench = await setUp(0);
    await bench.create('logging', { file: 'later.asc' });
    const { slot } = await bench.open(second, { name: 'late' });
    await bench.open('SIM00001/4');
    await bench.open('SIM00001/5');
    await send(bench);
    await bench.send({ channel: 'SIM00001/4', id: 0x21, data: '0102' });
    await bench.drained('SIM00001/4');
    await bench.remove('late');
    const stopped = await bench.end('logging');
    expect(ports(stopped)).toEqual([0, 1, 4, 5].map((port) => `SIM00001/${port}`));
    expect(stopped.channels[1]).toMatchObject({ name: 'late', slot });
    expect(await bench.json('trace', 'info', 'later.asc')).toMatchObject({
      events: 18,
      buses: { lin: 2 },
      channels: [
        { events: 8 },
        { events: 8, name: 'late (SIM00001/1)' },
        { events: 1 },
        { events: 1 },
      ],
    });
    expect(await linesOf(bench, 'later.asc')).toHaveLength(16);
  });

  it('leaves out channels that were not named, and ends by itself with those that were', async () => {
    const bench = await setUp(0, 1, 2, 3);
    await bench.create('logging', {
      file: 'named.asc',
      channels: ['SIM00001/1', 'sim-0000-0001/3'],
    });
    await bench.open('SIM00001/4');
    await send(bench);
    expect(ports(await bench.status('logging'))).toEqual(['SIM00001/1', 'SIM00001/3']);
    await bench.remove(second);
    expect(await bench.status('logging')).toMatchObject({ state: 'running' });
    await bench.remove('SIM00001/3');
    const ended = await bench.until('logging', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'idle', frames: 8, error: null });
    expect(bench.read('named.asc')).toMatch(/\nEnd TriggerBlock\n$/);
  });

  it('is a consumer of its channels alone while it runs', async () => {
    const bench = await setUp(0, 1);
    await bench.create('logging', { file: 'a.asc', channels: [second] });
    await send(bench);
    await eventually(async () => (await bench.stats(second)).broker.consumers[0]?.lag === 0);
    expect(await bench.consumerKinds(second)).toEqual(['logging']);
    expect(await bench.consumerKinds(first)).toEqual([]);
    await bench.end('logging');
    expect(await bench.consumerKinds(second)).toEqual([]);
  });

  it('replaces a file only where it is told to, and knows one at a time', async () => {
    const bench = await setUp(0, 1);
    const before = await bench.status('logging');
    bench.write('a.asc', 'precious');
    expect(refusedOverHttp(await bench.post(`${api}/logging`, { file: 'a.asc' }))).toEqual({
      status: 409,
      code: 'already_exists',
      details: { field: 'file', path: 'a.asc' },
    });
    expect(bench.read('a.asc')).toBe('precious');
    expect(await bench.status('logging')).toEqual(before);
    const started = await bench.json('logging', 'start', 'a.asc', '--overwrite');
    const again = refusedOverHttp(await bench.post(`${api}/logging`, { file: 'b.asc' }));
    expect(again).toEqual({ status: 409, code: 'already_running', details: started });
    const cli = refusedByCli(await bench.failure('logging', 'start', 'b.asc'));
    expect(cli).toEqual({ exit: 1, code: 'already_running', details: started });
    expect(bench.has('b.asc')).toBe(false);
    await send(bench);
    expect(await bench.end('logging')).toMatchObject({ file: 'a.asc', frames: 16 });
    expect(bench.read('a.asc')).toMatch(/^date /);
  });

  it.each([
    ['removed', (bench: TransmitBench) => rmSync(bench.path('a.asc'))],
    ['removed', (bench: TransmitBench) => renameSync(bench.path('a.asc'), bench.path('moved.asc'))],
    [
      'replaced',
      (bench: TransmitBench) => {
        rmSync(bench.path('a.asc'));
        bench.write('a.asc', 'mine');
      },
    ],
  ])('fails when its file is %s, while the daemon goes on', async (reason, harm) => {
    const bench = await setUp(0, 1);
    await bench.create('logging', { file: 'a.asc' });
    await send(bench);
    await bench.until('logging', ({ frames }) => frames === 16);
    harm(bench);
    const failed = await bench.until('logging', ({ state }) => state !== 'running');
    expect(failed).toMatchObject({
      state: 'failed',
      file: 'a.asc',
      frames: 16,
      error: { code: 'file_unavailable', details: { field: 'file', path: 'a.asc', reason } },
    });
    if (bench.has('moved.asc')) expect(await linesOf(bench, 'moved.asc')).toHaveLength(16);
    if (bench.has('a.asc')) expect(bench.read('a.asc')).toBe('mine');
    await send(bench);
    expect(await bench.consumerKinds(first)).toEqual([]);
    expect(await bench.create('logging', { file: 'b.asc' })).toMatchObject({ error: null });
    await send(bench);
    expect(await bench.end('logging')).toMatchObject({ state: 'idle', frames: 16, error: null });
  });

  it('goes on while the Web service is stopped, and is complete when the daemon ends', async () => {
    const bench = await setUpTransmitBench(0, 1);
    await bench.create('logging', { file: 'a.asc' });
    await send(bench);
    await bench.json('web', 'stop');
    await bench.json('message', 'send', '0', '123#01', '--count=20');
    await bench.start();
    await send(bench);
    expect(await bench.status('logging')).toMatchObject({ state: 'running', gaps: 0 });
    await bench.json('daemon', 'stop');
    expect(bench.read('a.asc')).toMatch(/\nEnd TriggerBlock\n$/);
    expect(await bench.json('trace', 'info', 'a.asc')).toMatchObject({
      events: 72,
      truncated: false,
    });
  });
});
