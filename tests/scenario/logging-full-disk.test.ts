import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, type TestContext } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { api, type ChannelBench, setUpChannelBench } from './support/channel-bench.ts';
import { mountSmallDisk } from './support/small-disk.ts';

const diskBytes = 256 * 1024;
const path = `${api}/logging`;

const statusOf = async (bench: ChannelBench) => (await bench.get(path)).json();

const eventsIn = (text: string): string[] =>
  text.split('\n').filter((line) => /^ +\d+\.\d+ +\d+ +[0-9A-F]+x? +[RT]x/.test(line));

describe('logging to a disk that fills up', () => {
  it('fails with the reason, leaves a complete file, and disturbs nothing else', async ({
    skip,
  }) => {
    const bench = await setUpChannelBench();
    const folder = join(bench.project, 'small');
    if (!mountSmallDisk(folder, diskBytes)) skip('needs the right to mount a file system');
    await bench.open('SIM00001/0', { name: 'sender' });
    await bench.open('SIM00001/1', { name: 'peer' });

    const started = await bench.post(path, { file: 'small/drive.asc' });
    expect(started.status).toBe(201);
    expect(started.json()).toMatchObject({ state: 'running', file: 'small/drive.asc', frames: 0 });
    while ((await statusOf(bench)).state === 'running') {
      await bench.send({ channel: 'sender', id: 0x123, data: '0011223344556677', count: 1000 });
    }

    const failed = await statusOf(bench);
    expect(failed).toMatchObject({
      state: 'failed',
      error: {
        code: 'file_unavailable',
        details: { field: 'file', path: 'small/drive.asc', reason: 'no_space' },
      },
    });
    const reported = (await bench.ask(['logging', 'status'])).stdout;
    expect(reported).toMatch(/^ +message +No space left for the file: small\/drive\.asc$/m);
    const text = readFileSync(join(folder, 'drive.asc'), 'utf8');
    expect(text.length).toBe(failed.bytes);
    expect(text.length).toBeGreaterThan(diskBytes - 200);
    expect(text).toMatch(/\nEnd TriggerBlock\n$/);
    expect(eventsIn(text)).toHaveLength(failed.frames);

    rmSync(join(folder, 'drive.asc'));
    // The last accepted frame is still pending, and does not belong to the next file.
    await eventually(async () => {
      const [sender, peer] = [await bench.stats('sender'), await bench.stats('peer')];
      return sender.tx_pending === 0 && sender.tx_frames === peer.rx_frames;
    });
    const again = await bench.post(path, { file: 'small/again.asc', channels: ['peer'] });
    expect(again.json()).toMatchObject({ state: 'running', error: null });
    await bench.send({ channel: 'sender', id: 0x321, count: 10 });
    await eventually(async () => (await statusOf(bench)).frames === 10);
    const stopped = await ask({ port: bench.port, method: 'DELETE', path });
    expect(stopped.json()).toMatchObject({ state: 'idle', frames: 10, missed: 0, error: null });
  });

  const failsAs = async (
    [format, ending]: readonly [format: string, ending: string],
    { skip }: TestContext,
  ): Promise<void> => {
    const bench = await setUpChannelBench();
    const folder = join(bench.project, 'small');
    if (!mountSmallDisk(folder, diskBytes)) skip('needs the right to mount a file system');
    await bench.open('SIM00001/0', { name: 'sender' });
    await bench.open('SIM00001/1', { name: 'peer' });
    const file = `small/drive.${ending}`;
    expect((await bench.post(path, { file, format })).json()).toMatchObject({ format });
    writeFileSync(join(folder, 'filler'), Buffer.alloc(diskBytes - 80 * 1024));
    while ((await statusOf(bench)).state === 'running') {
      await bench.send({ channel: 'sender', id: 0x123, data: '0011223344556677', count: 1000 });
    }
    const failed = await statusOf(bench);
    expect(failed).toMatchObject({
      ...{ state: 'failed', file, format },
      error: {
        code: 'file_unavailable',
        details: { field: 'file', path: file, reason: 'no_space' },
      },
    });
    expect(readFileSync(join(bench.project, file)).length).toBe(failed.bytes);
    expect(await bench.json('trace', 'info', file)).toMatchObject({
      ...{ format, events: failed.frames, malformed: 0 },
    });
  };

  it.for([['blf', 'blf']] as const)('fails in the same way as %s', failsAs);
  itLong.for([
    ['candump', 'log'],
    ['mf4', 'mf4'],
  ] as const)('fails in the same way as %s', failsAs);

  it('makes no file where there is no room for its beginning', async ({ skip }) => {
    const bench = await setUpChannelBench();
    const folder = join(bench.project, 'small');
    if (!mountSmallDisk(folder, diskBytes)) skip('needs the right to mount a file system');
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'full')}`, 'bs=4096']);
    const refused = await bench.post(path, { file: 'small/drive.asc' });
    expect(refused.status).toBe(409);
    expect(refused.json().error).toMatchObject({
      code: 'file_unavailable',
      details: { field: 'file', reason: 'no_space' },
    });
    const command = await bench.ask(['logging', 'start', 'small/drive.asc']);
    expect(command.stderr).toContain('file_unavailable: No space left for the file');
    expect(await statusOf(bench)).toMatchObject({ state: 'idle', file: null });
    rmSync(join(folder, 'full'));
    expect((await bench.post(path, { file: 'small/drive.asc' })).status).toBe(201);
  });
});
